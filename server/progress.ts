/** Called while long work runs: how much is done, of how much in all. */
export type Progress = (done: number, all: number) => void;
