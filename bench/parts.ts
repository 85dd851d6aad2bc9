import { activity } from "./activity";
import { batch } from "./batch";
import { bloat } from "./bloat";
import { create } from "./create";
import { distributed } from "./distributed";
import { fairness } from "./fairness";
import { gateway } from "./gateway";
import { growth } from "./growth";
import { largeChange } from "./large-change";
import { lists } from "./lists";
import { observe } from "./observe";
import { pages } from "./pages";
import type { Part } from "./part";
import { profile } from "./profile";
import { soak } from "./soak";
import { spend } from "./spend";
import { start } from "./start";
import { statements } from "./statements";
import { workers } from "./workers";

/** The parts of the benchmark, in the order of bench/results.md. */
export const parts: readonly Part<unknown>[] = [
  spend,
  gateway,
  create,
  workers,
  batch,
  fairness,
  largeChange,
  lists,
  growth,
  bloat,
  activity,
  soak,
  observe,
  pages,
  start,
  statements,
  distributed,
  profile,
] as Part<unknown>[];
