import { expect, test } from "vitest";
import { buffersFor } from "./shared-buffers";

const GIGABYTE = 2 ** 30;

test.each([
  [0.5, 128],
  [1, 128],
  [2, 256],
  [4, 512],
  [7.5, 960],
  [8, 1024],
  [64, 1024],
])("of %d GB of memory, PostgreSQL may keep rows in %d MB", (gigabytes, megabytes) => {
  expect(buffersFor(gigabytes * GIGABYTE)).toBe(megabytes);
});
