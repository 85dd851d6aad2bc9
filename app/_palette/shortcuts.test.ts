import { expect, test } from "vitest";
import { type KeyPress, type Place, shortcutOf } from "./shortcuts";

const PRESS: KeyPress = { key: "c", ctrlKey: false, metaKey: false, altKey: false, isComposing: false };
const PLACE: Place = { isMac: false, takesText: false, isDialogOpen: false, areSingleKeysOn: true };

test.each<[Partial<KeyPress>, Partial<Place>, ReturnType<typeof shortcutOf>]>([
  [{ key: "/" }, {}, "search"],
  [{ key: "c" }, {}, "create"],
  [{ key: "?" }, {}, "help"],
  [{ key: "x" }, {}, undefined],
  [{ key: "constructor" }, {}, undefined],
  [{ key: "k", ctrlKey: true }, {}, "palette"],
  [{ key: "K", ctrlKey: true }, { takesText: true, areSingleKeysOn: false }, "palette"],
  [{ key: "k", metaKey: true }, { isMac: true }, "palette"],
  // Ctrl K deletes to the end of the line on a Mac.
  [{ key: "k", ctrlKey: true }, { isMac: true }, undefined],
  [{ key: "k", metaKey: true }, {}, undefined],
  [{ key: "k", ctrlKey: true, altKey: true }, {}, undefined],
  [{ key: "c", ctrlKey: true }, {}, undefined],
  [{ key: "c", metaKey: true }, { isMac: true }, undefined],
  [{ key: "c" }, { takesText: true }, undefined],
  [{ key: "c" }, { isDialogOpen: true }, undefined],
  [{ key: "c" }, { areSingleKeysOn: false }, undefined],
  [{ key: "c", isComposing: true }, {}, undefined],
  [{ key: "k", ctrlKey: true }, { isDialogOpen: true }, undefined],
])("%j in %j: %s", (press, place, shortcut) => {
  expect(shortcutOf({ ...PRESS, ...press }, { ...PLACE, ...place })).toBe(shortcut);
});
