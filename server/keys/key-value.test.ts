import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { KEY_ID_FORM } from "../input/key-id";
import { hashKeyValue, isKeyValue, makeKeyValue, makeNextValue } from "./key-value";

const prefix = fc.stringMatching(/^[A-Za-z0-9_-]{3}$/);
const keyValue = prefix.map((text) => makeKeyValue(text).value);
const ALPHABET = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];

describe("makeKeyValue", () => {
  test("48 characters, of which the first 10 are the id; its own check passes", () => {
    fc.assert(
      fc.property(prefix, (text) => {
        const { value, id } = makeKeyValue(text);
        expect(value).toHaveLength(48);
        expect(value.startsWith(id) && id.startsWith(text)).toBe(true);
        expect(id).toMatch(KEY_ID_FORM);
        expect(isKeyValue(value)).toBe(true);
      }),
    );
  });

  test("never makes the same one twice, and uses every letter alike", () => {
    const values = Array.from({ length: 2000 }, () => makeKeyValue("sk-").value);
    expect(new Set(values).size).toBe(2000);
    // The two before these are shared, see below.
    const letters = values.flatMap((value) => [...value.slice(5, 42)]);
    const mean = letters.length / ALPHABET.length;
    const chiSquare = ALPHABET.reduce((sum, letter) => {
      const count = letters.filter((other) => other === letter).length;
      return sum + (count - mean) ** 2 / mean;
    }, 0);
    // 61 degrees of freedom: a fair source is above 150 once in 100 million runs; taking bytes modulo 62 gives over 600.
    expect(chiSquare).toBeLessThan(150);
  });

  test("keys of one second begin alike, those of others do not", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const starts = Array.from({ length: 3_000 }, () => {
      vi.advanceTimersByTime(1_000);
      const ofSecond = Array.from({ length: 3 }, () => makeKeyValue("sk-").id);
      expect(new Set(ofSecond).size).toBe(3);
      const [first = "", ...others] = ofSecond.map((id) => id.slice(3, 5));
      expect(others).toEqual([first, first]);
      return first;
    });
    // Of 3,844 starts, 3,000 draws leave out 1,762 on average, with a standard deviation of 25.
    expect(new Set(starts).size).toBeGreaterThan(1_900);
    for (const letter of ALPHABET) expect(starts.some((start) => start.startsWith(letter))).toBe(true);
  });

  test("a known value: the checksum is the CRC-32 of what precedes it, in base62", () => {
    expect(isKeyValue("sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvh")).toBe(true);
    expect(isKeyValue("sk-AbC1234Zk3vWq8sT1nRb5yHd7mPx9cLf2gJe4uO0oZJvi")).toBe(false);
  });
});

describe("isKeyValue", () => {
  test("one wrong character is always noticed", () => {
    fc.assert(
      fc.property(keyValue, fc.nat(47), fc.constantFrom(...ALPHABET), (value, at, letter) => {
        const other = value.slice(0, at) + letter + value.slice(at + 1);
        expect(isKeyValue(other)).toBe(other === value);
      }),
    );
  });

  test("two characters that changed places are always noticed", () => {
    fc.assert(
      fc.property(keyValue, fc.nat(46), (value, at) => {
        const other = value.slice(0, at) + value.charAt(at + 1) + value.charAt(at) + value.slice(at + 2);
        expect(isKeyValue(other)).toBe(other === value);
      }),
    );
  });

  test("another value of an id begins with it; one of an id that is too long, too short or no id is refused", () => {
    expect(makeNextValue("sk-AbC1234")).toMatch(/^sk-AbC1234[0-9A-Za-z]{38}$/);
    expect(isKeyValue(makeNextValue("sk-AbC1234"))).toBe(true);
    for (const other of ["sk-AbC12345", "xsk-AbC1234", "sk-AbC123", "sk-AbC12-4", "sk_é1234567", "s.-AbC1234"]) {
      expect(isKeyValue(makeNextValue(other)), other).toBe(false);
    }
  });

  test("any other text is refused", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect(isKeyValue(text)).toBe(false);
      }),
    );
    fc.assert(
      fc.property(keyValue, (value) => {
        expect(isKeyValue(`${value} `) || isKeyValue(value.slice(1)) || isKeyValue(`${value}\n`)).toBe(false);
      }),
    );
  });
});

test("hashKeyValue is the SHA-256 of the whole value", () => {
  fc.assert(
    fc.property(keyValue, (value) => {
      expect(hashKeyValue(value).equals(createHash("sha256").update(value).digest())).toBe(true);
    }),
  );
});
