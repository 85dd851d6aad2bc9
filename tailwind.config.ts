import type { Config } from "tailwindcss";

export default {
  content: ["./app/**/*.tsx", "./components/**/*.tsx"],
  theme: {
    extend: {
      // The values, light and dark, stand in app/globals.css.
      colors: {
        page: "var(--page)",
        raised: "var(--raised)",
        panel: "var(--panel)",
        line: "var(--line)",
        "line-strong": "var(--line-strong)",
        track: "var(--track)",
        ink: "var(--ink)",
        "ink-soft": "var(--ink-soft)",
        "on-ink": "var(--on-ink)",
        accent: "var(--accent)",
        good: "var(--good)",
        warn: "var(--warn)",
        danger: "var(--danger)",
        "on-danger": "var(--on-danger)",
      },
      boxShadow: { floating: "0 1px 2px rgb(0 0 0 / 0.06), 0 8px 28px rgb(0 0 0 / 0.14)" },
    },
  },
} satisfies Config;
