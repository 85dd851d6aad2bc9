"use client";

import { PlainPage } from "../components/plain-page";
import "./globals.css";

/** Stands in when even the layout fails. Nothing is known of the reader then, and no messages are at hand. */
export default function GlobalErrorPage() {
  return (
    <html lang="en">
      <body className="antialiased">
        <title>Allowance</title>
        <PlainPage heading="Something went wrong">
          <p className="mt-4 text-lg leading-relaxed text-ink-soft">This page could not be shown. Load it again.</p>
          <p lang="zh-CN" className="mt-4 text-lg leading-relaxed text-ink-soft">
            出错了，此页面无法显示。请重新加载。
          </p>
        </PlainPage>
      </body>
    </html>
  );
}
