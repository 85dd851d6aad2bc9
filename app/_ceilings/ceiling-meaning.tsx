"use client";

import dynamic from "next/dynamic";

/** What price ceilings mean, loaded when somebody looks at ceilings. */
export const CeilingMeaning = dynamic(() => import("./allowed-models").then((module) => module.AllowedModels));
