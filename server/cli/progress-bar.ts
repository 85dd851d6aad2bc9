import { SingleBar } from "cli-progress";
import type { Progress } from "../progress";

/** Shows progress on the terminal. Where stderr is no terminal, nothing is shown. */
export function openProgressBar(): { told: Progress; close(): void } {
  if (!process.stderr.isTTY) return { told: () => {}, close: () => {} };
  const bar = new SingleBar({
    format: "{bar} {percentage} % | {eta_formatted} left",
    stream: process.stderr,
    hideCursor: true,
  });
  bar.start(1, 0);
  return {
    told(done, all) {
      bar.setTotal(Math.max(all, done, 1));
      bar.update(done);
    },
    close: () => bar.stop(),
  };
}
