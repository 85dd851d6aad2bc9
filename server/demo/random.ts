/** Numbers that look random and are the same for the same seed. Never for a secret. */
export interface Random {
  /** True with this probability. */
  chance(probability: number): boolean;
  /** A whole number between the two, both included. */
  whole(least: number, greatest: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
  text(letters: string, length: number): string;
  /** From 0 to 1. */
  share(): number;
  /** 8 hexadecimal digits. */
  hex(): string;
}

/** A generator of 32 bits of state (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const bits = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const fraction = () => bits() / 2 ** 32;
  const whole = (least: number, greatest: number) => least + Math.floor(fraction() * (greatest - least + 1));
  return {
    chance: (probability) => fraction() < probability,
    whole,
    pick: (values) => values[whole(0, values.length - 1)] ?? values[0],
    text(letters, length) {
      let text = "";
      while (text.length < length) text += letters.charAt(whole(0, letters.length - 1));
      return text;
    },
    share: fraction,
    hex: () => bits().toString(16).padStart(8, "0"),
  };
}

/** An ObjectId of this moment, in milliseconds since 1970. */
export function objectId(random: Random, at: number): string {
  const seconds = Math.floor(at / 1000).toString(16);
  return seconds.padStart(8, "0") + random.hex() + random.hex();
}
