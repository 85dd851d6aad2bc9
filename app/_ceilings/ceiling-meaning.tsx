"use client";

import dynamic from "next/dynamic";

/** What price ceilings mean, loaded when somebody looks at ceilings. */
export const CeilingMeaning = dynamic(
  () => import("./allowed-models").then((module) => module.AllowedModels),
  // Without this, the whole page is hidden until it is loaded, and a dialog loses what it is doing.
  { ssr: false },
);
