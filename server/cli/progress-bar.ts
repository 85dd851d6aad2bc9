import { SingleBar } from "cli-progress";
import { undoIfInterrupted } from "../interruption";
import type { Progress } from "../progress";

/** Shows progress on the terminal. Where stderr is no terminal, nothing is shown. */
export function openProgressBar(): { onProgress: Progress; close(): void } {
  if (!process.stderr.isTTY) return { onProgress: () => {}, close: () => {} };
  const bar = new SingleBar({
    format: "{bar} {percentage} % | {eta_formatted} left",
    stream: process.stderr,
    hideCursor: true,
  });
  bar.start(1, 0);
  // The bar hides the cursor of the terminal, which stays hidden after the process has ended.
  const release = undoIfInterrupted(async () => bar.stop());
  return {
    onProgress(done, all) {
      bar.setTotal(Math.max(all, done, 1));
      bar.update(done);
    },
    close() {
      bar.stop();
      release();
    },
  };
}
