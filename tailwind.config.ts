import type { Config } from "tailwindcss";

export default {
  content: ["./app/**/*.tsx", "./components/**/*.tsx"],
  theme: {
    extend: {
      // The values, light and dark, stand in app/globals.css.
      colors: {
        page: "var(--page)",
        panel: "var(--panel)",
        line: "var(--line)",
        ink: "var(--ink)",
        "ink-soft": "var(--ink-soft)",
        "on-ink": "var(--on-ink)",
      },
    },
  },
} satisfies Config;
