import { z } from "zod";
import { expectedOneOf } from "./expectation";

/** Languages of the dashboard. */
const LANGUAGES = ["en", "zh-CN"] as const;

/** The language of an account; `null` is that of the browser. */
export const language = z
  .enum(LANGUAGES, { error: expectedOneOf([...LANGUAGES, "or null"]) })
  .meta({
    id: "Language",
    description: "Language of the dashboard; that of the browser when not set.",
    examples: ["zh-CN"],
  })
  .nullable();
