/** How fast one operation is at each step. */
export interface GrowthLine {
  title: string;
  /** Requests per second. */
  perSecond: number[];
  /** The same divided by the yardstick of the same minute, as a share of the first step. */
  shares: number[];
}

/** How the speed changes while the database grows. */
export interface Growth {
  /** What the database holds at each step, in words. */
  steps: string[];
  /** Requests per second of the reference server, whose work is the same at each step. */
  yardstick: number[];
  lines: GrowthLine[];
}

/** Size of the plot, and of the area inside its axes. */
const [WIDTH, HEIGHT] = [760, 400];
const AREA = { left: 60, right: 560, top: 40, bottom: 340 };
/** The greatest share that the axis shows, unless a figure is above it. */
const LEAST_TOP = 1.2;
const BOUND = 0.85;
const COLOURS = ["a", "b", "c"];

/**
 * Draws a line for each operation: its speed as a share of the first step. The steps stand at equal distances, each ten
 * times the size of the one before, so the axis is logarithmic. Colours follow the reader's light or dark theme.
 */
export function plotGrowth({ steps, lines }: Growth): string {
  const top = Math.max(LEAST_TOP, ...lines.flatMap(({ shares }) => shares.map((share) => Math.ceil(share * 10) / 10)));
  const x = (step: number) => AREA.left + ((AREA.right - AREA.left) * step) / (steps.length - 1);
  const y = (share: number) => AREA.bottom - ((AREA.bottom - AREA.top) * share) / top;
  const ticks = Array.from({ length: Math.floor(top / 0.2 + 1e-9) + 1 }, (_, tick) => tick * 0.2);
  const elements = [
    text(AREA.left, 22, "Requests per second, as a share of the first step", "title"),
    ...ticks.map((share) => rule(y(share), "grid") + text(AREA.left - 8, y(share) + 4, share.toFixed(1), "end")),
    rule(y(BOUND), "bound") + text(AREA.right + 8, y(BOUND) + 4, `target ${BOUND}`, "note"),
    ...steps.map((title, step) => stepLabel(x(step), title)),
    ...lines.flatMap(({ title, shares }, line) => {
      const points = shares.map((share, step) => [round(x(step)), round(y(share))] as const);
      const colour = COLOURS[line % COLOURS.length] ?? "";
      const [lastX, lastY] = [AREA.right + 12, AREA.top + 14 + line * 20];
      return [
        `<polyline class="line ${colour}" points="${points.map((point) => point.join(",")).join(" ")}"/>`,
        ...points.map(([cx, cy]) => `<circle class="dot ${colour}" cx="${cx}" cy="${cy}" r="4"/>`),
        `<path class="line ${colour}" d="M${lastX} ${lastY - 4}h20"/>${text(lastX + 26, lastY, title, "note")}`,
      ];
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Speed by the number of keys">
<style>${STYLE}</style>
<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>
${elements.join("\n")}
</svg>
`;
}

const STYLE = `
.paper { fill: #ffffff } text { fill: #3a3a3a; font: 12px sans-serif } .title { font-weight: bold }
.end { text-anchor: end } .middle { text-anchor: middle }
.grid { stroke: #dddddd } .bound { stroke: #767676; stroke-dasharray: 4 4 }
.line { fill: none; stroke-width: 2 }
.line.a { stroke: #1f6fd0 } .line.b { stroke: #b84a00 } .line.c { stroke: #23803a }
.dot.a { fill: #1f6fd0 } .dot.b { fill: #b84a00 } .dot.c { fill: #23803a }
@media (prefers-color-scheme: dark) {
  .paper { fill: #14171a } text { fill: #d5d8db } .grid { stroke: #33383d } .bound { stroke: #9aa0a6 }
  .line.a { stroke: #79b0ff } .line.b { stroke: #ffa067 } .line.c { stroke: #6fd088 }
  .dot.a { fill: #79b0ff } .dot.b { fill: #ffa067 } .dot.c { fill: #6fd088 }
}
`;

function rule(y: number, style: string): string {
  return `<path class="${style}" d="M${AREA.left} ${round(y)}H${AREA.right}"/>`;
}

/** The label of a step, broken so that it fits between its neighbours. */
function stepLabel(x: number, title: string): string {
  const words = title.split(" ");
  const lines = words.length > 2 ? [words.slice(0, 3).join(" "), words.slice(3).join(" ")] : [title];
  return lines.map((line, place) => text(x, AREA.bottom + 20 + place * 16, line, "middle")).join("");
}

function text(x: number, y: number, words: string, style: string): string {
  return `<text class="${style}" x="${round(x)}" y="${round(y)}">${words}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
