import { expect, test } from "vitest";
import { textAfter } from "./early-text";
import { MAX_LENGTH } from "./palette-props";
import type { KeyPress } from "./shortcuts";

const PRESS: KeyPress = { key: "g", ctrlKey: false, metaKey: false, altKey: false, isComposing: false };
const PC = { isMac: false, isAltGraph: false };
const MAC = { isMac: true, isAltGraph: false };
const ALT_GRAPH = { isMac: false, isAltGraph: true };

test.each<[string, Partial<KeyPress>, typeof PC, ReturnType<typeof textAfter>]>([
  ["create ", { key: "g" }, PC, "create g"],
  ["create", { key: " " }, PC, "create "],
  ["", { key: "😀" }, PC, "😀"],
  ["gro", { key: "Backspace" }, PC, "gr"],
  ["a😀", { key: "Backspace" }, PC, "a"],
  ["", { key: "Backspace" }, PC, ""],
  ["gro", { key: "Enter" }, PC, "gro"],
  ["gro", { key: "Escape" }, PC, null],
  // Windows says Ctrl and Alt for AltGr, Linux neither.
  ["a", { key: "@", ctrlKey: true, altKey: true }, ALT_GRAPH, "a@"],
  ["a", { key: "@" }, ALT_GRAPH, "a@"],
  // Option writes characters on a Mac. Elsewhere Alt opens menus.
  ["a", { key: "@", altKey: true }, MAC, "a@"],
  ["a", { key: "f", altKey: true }, PC, undefined],
  ["a", { key: "r", ctrlKey: true }, PC, undefined],
  ["a", { key: "c", metaKey: true }, MAC, undefined],
  ["a", { key: "Backspace", ctrlKey: true }, PC, undefined],
  ["a", { key: "Tab" }, PC, undefined],
  ["a", { key: "F5" }, PC, undefined],
  ["a", { key: "g", isComposing: true }, PC, undefined],
  ["x".repeat(MAX_LENGTH), { key: "g" }, PC, "x".repeat(MAX_LENGTH)],
  ["x".repeat(MAX_LENGTH - 1), { key: "😀" }, PC, "x".repeat(MAX_LENGTH - 1)],
])("%j, then %j, with %j: %j", (text, press, keyboard, after) => {
  expect(textAfter(text, { ...PRESS, ...press }, keyboard)).toBe(after);
});
