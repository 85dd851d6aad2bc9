/** Paths on a grid of 24 × 24, drawn as strokes. */
const SHAPES = {
  alert: "M12 3.5 2.5 20h19L12 3.5ZM12 10v4.5M12 17.5v.01",
  ban: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM5.7 5.7l12.6 12.6",
  book: "M4 5.5A2.5 2.5 0 0 1 6.5 3H20v15H6.5A2.5 2.5 0 0 0 4 20.5v-15ZM4 20.5A2.5 2.5 0 0 0 6.5 21H20v-3",
  chart: "M3.5 20.500h17M6.500 17v-5M12 17V5M17.500 17V9",
  check: "m5 12.5 4.5 4.5L19 7.5",
  "chevron-down": "m6 9.5 6 6 6-6",
  "chevron-left": "m14.5 6-6 6 6 6",
  "chevron-right": "m9.5 6 6 6-6 6",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7.5V12l3 2",
  columns: "M4 5h16v14H4V5ZM9.5 5v14M14.5 5v14",
  copy: "M9 9h11v11H9V9ZM5 15H4V4h11v1",
  download: "M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M4.5 20h15",
  edit: "m4 20 1-4.5L16.5 4 20 7.5 8.5 19 4 20ZM14 6.5l3.5 3.5",
  external: "M14 4h6v6M20 4l-9 9M17 14v6H4V7h6",
  filter: "M3.5 5h17L14 12.5V19l-4-2v-4.5L3.5 5Z",
  gauge: "M4.500 18.500a9 9 0 1 1 15 0M12 14l5-4.500",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c5 5.5 5 12.5 0 18M12 3c-5 5.5-5 12.5 0 18",
  group: "M4 7.500V19h16V7.500h-8L10 5H4v2.500Z",
  home: "M4 11.500 12 4.500l8 7V20h-5.500v-5h-5v5H4v-8.500Z",
  history: "M3.5 9A9 9 0 1 1 3 12M3.5 4v5h5M12 7.500V12l3.5 2",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 11v5.500M12 7.500v.01",
  key: "M8 11a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM11.5 12.5 20 4M15.5 8.500l3 3M18 6l2 2",
  lock: "M5 11h14v9.500H5V11ZM8 11V8a4 4 0 0 1 8 0v3",
  menu: "M4 6.500h16M4 12h16M4 17.500h16",
  minus: "M6 12h12",
  model: "M12 3 4 7.500v9l8 4.500 8-4.500v-9L12 3ZM4 7.500l8 4.500 8-4.500M12 12v9",
  more: "M5.5 12v.01M12 12v.01M18.5 12v.01",
  plus: "M12 5v14M5 12h14",
  rotate: "M20 11a8 8 0 0 0-14.5-3.500L4 9M4 4v5h5M4 13a8 8 0 0 0 14.5 3.500L20 15M20 20v-5h-5",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20.5 20.5",
  settings:
    "M4 7h9m4 0h3M4 17h3m4 0h9M15 4.500a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM9 14.500a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z",
  "sign-out": "M10 4H4.500v16H10M9 12h11.500m0 0L16 7.500m4.5 4.500L16 16.5",
  "sort-down": "M12 5v14m0 0 5-5m-5 5-5-5",
  "sort-up": "M12 19V5m0 0 5 5m-5-5-5 5",
  theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 3v18M12 6a6 6 0 0 1 0 12",
  trash: "M4 6.500h16M9.5 6V4h5v2M6 6.5 7 20.500h10l1-14M10 10.500v6M14 10.500v6",
  undo: "M8.5 5 4 9.500l4.5 4.500M4 9.500h10.500a5 5 0 0 1 0 10H9",
  upload: "M12 15V4m0 0L7.500 8.500M12 4l4.500 4.500M4.5 20h15",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.5 20.500c.5-4 3.5-6 7.5-6s7 2 7.5 6",
  x: "m6 6 12 12M18 6 6 18",
};

export type IconName = keyof typeof SHAPES;

/** An icon without an accessible name: the word beside it, or the label of its button, says what it means. */
export function Icon({ name, className = "size-4" }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      {...(name === "more" && { strokeWidth: 3 })}
      className={`icon ${className}`}
    >
      <path d={SHAPES[name]} />
    </svg>
  );
}
