import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.resetModules();
});

test("a process that is interrupted shows the cursor of the terminal again", async () => {
  vi.useFakeTimers();
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  let written = "";
  const terminal = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written += text;
    return true;
  });
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  try {
    // That a process ends is a state of a module.
    vi.resetModules();
    const { openProgressBar } = await import("./progress-bar");
    const bar = openProgressBar();
    bar.onProgress(1, 2);
    expect(lastOfCursor(written)).toBe("hidden");
    process.emit("SIGINT", "SIGINT");
    await vi.waitFor(() => expect(kill).toHaveBeenCalledWith(process.pid, "SIGINT"));
    expect(lastOfCursor(written)).toBe("shown");
    bar.close();
  } finally {
    process.stderr.isTTY = isTTY;
    terminal.mockRestore();
  }
});

function lastOfCursor(written: string): "hidden" | "shown" {
  return written.lastIndexOf("\x1b[?25h") > written.lastIndexOf("\x1b[?25l") ? "shown" : "hidden";
}
