import type { readWords } from "@/app/_i18n/request";

/** The words of the frame of the reference. What the frame shows is English. */
export type DocsWords = Awaited<ReturnType<typeof readWords<"docs">>>;
