import fc from "fast-check";
import { expect, test } from "vitest";
import { WholeLines } from "./whole-lines";

test("gives back every byte, in whole lines, wherever the chunks are cut", () => {
  const cuts = fc.array(fc.nat({ max: 40 }), { maxLength: 10 });
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), cuts, (words, places) => {
      const text = words.map((word) => `${word.replaceAll("\n", "")}\n`).join("");
      const bytes = Buffer.from(text);
      const lines = new WholeLines();
      const ends = [...new Set(places)].sort((a, b) => a - b).concat(bytes.length);
      const parts = ends.map((end, i) => lines.add(bytes.subarray(ends[i - 1] ?? 0, end)));
      for (const part of parts) expect(part === "" || part.endsWith("\n")).toBe(true);
      expect([parts.join(""), lines.end()]).toEqual([text, ""]);
    }),
  );
});

test("ends a line that its process did not end", () => {
  const lines = new WholeLines();
  expect([lines.add(Buffer.from("one\ntw")), lines.end(), lines.end()]).toEqual(["one\n", "tw\n", ""]);
});
