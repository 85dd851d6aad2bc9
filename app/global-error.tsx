"use client";

import { PlainPage } from "../components/plain-page";
import "./globals.css";

/** Shows when the layout fails too. Then neither the language of the reader nor the messages are known. */
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
