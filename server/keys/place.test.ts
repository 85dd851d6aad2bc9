import fc from "fast-check";
import { expect, test } from "vitest";
import { type KeyPlace, readPlace, writePlace } from "./place";
import { KEY_SORTS } from "./schema";

const apikeyId = "sk-AbC1234";

test("a place that was written is read again, whatever the key is called or has spent", () => {
  const amount = fc.double({ min: 1e-24, max: 1e15, noNaN: true }).map((yuan) => String(yuan));
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.option(amount), (name, yuan) => {
      const places: [string, KeyPlace][] = [
        ["name", { value: name, apikeyId }],
        ["spent", { value: yuan, apikeyId }],
        ["created_at", { value: null, apikeyId }],
      ];
      for (const [sort, place] of places) expect(readPlace(sort, writePlace(sort, place))).toEqual(place);
    }),
  );
});

test.each(KEY_SORTS.filter((sort) => sort !== "created_at" && sort !== "name"))("no number, no place by %s", (sort) => {
  for (const text of ["", "sk-AbC1234", "x~sk-AbC1234", "1;2~sk-AbC1234", "NaN~sk-AbC1234", "1e999~sk-AbC1234"]) {
    expect([text, readPlace(sort, text)]).toEqual([text, undefined]);
  }
});
