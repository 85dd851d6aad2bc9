/** Told while long work runs: how much is done of how much. */
export type Progress = (done: number, all: number) => void;
