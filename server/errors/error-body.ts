import { z } from "zod";

/** The body of every error. */
export const errorBody = z
  .object({
    success: z.literal(false).meta({ description: "Always false.", examples: [false] }),
    error: z.string().meta({
      description: "What went wrong, for people to read. Faults of several parameters are joined by `; `.",
      examples: ["budget: expected number (int or float), received string"],
    }),
  })
  .meta({ id: "Error", description: "The shape of every error." });
