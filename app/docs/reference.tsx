"use client";

import dynamic from "next/dynamic";

/** The reference, fetched and rendered in the browser alone: it reads the window while it sets up. */
export const Reference = dynamic(() => import("./reference-view"), {
  ssr: false,
  loading: () => (
    <main className="p-8 text-ink-soft">
      <p>Loading the reference…</p>
    </main>
  ),
});
