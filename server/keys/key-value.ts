import { hash, randomFillSync } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * A key value is 48 characters: a prefix of 3, then 7 base62 characters (the first 10 are the
 * `apikey_id`), 32 base62 characters of secret, and the CRC-32 of all that in 6 base62 characters.
 */
export interface KeyValue {
  /** The whole value, shown once. */
  value: string;
  /** Its first 10 characters. */
  id: string;
}

const KEY_ID_LENGTH = 10;
export const KEY_PREFIX_PATTERN = /^[A-Za-z0-9_-]{3}$/;
const KEY_VALUE_PATTERN = /^[A-Za-z0-9_-]{3}[A-Za-z0-9]{45}$/;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/**
 * Behind the prefix, the keys that a process makes in one second have the same 2 characters. So their entries stand in the same
 * few pages of each index by id. With a million random ids, nearly each new one belongs to a page of its own, which is read, and
 * is written whole after each checkpoint. The start changes with the time, and not with the number of keys, so that an account
 * does not learn from its ids how many keys others make. See docs/decisions/key-batches.md.
 */
const START_LENGTH = 2;
let start = "";
/** The second that it was drawn in, of those since the process began. */
let secondOfStart: number | undefined;

/** Makes a new key value from the system's random source. `prefix` is 3 characters, see `KEY_PREFIX_PATTERN`. */
export function makeKeyValue(prefix: string): KeyValue {
  const second = Math.floor(performance.now() / 1000);
  if (second !== secondOfStart) [start, secondOfStart] = [randomBase62(START_LENGTH), second];
  const unchecked = prefix + start + randomBase62(KEY_ID_LENGTH - prefix.length - START_LENGTH + SECRET_LENGTH);
  return { value: unchecked + checksum(unchecked), id: unchecked.slice(0, KEY_ID_LENGTH) };
}

/** Makes another value for the key of this id: a rotation keeps the first 10 characters. */
export function makeNextValue(id: string): string {
  const unchecked = id + randomBase62(SECRET_LENGTH);
  return unchecked + checksum(unchecked);
}

/**
 * Whether a text has the form of a key value and its checksum is right, so that a mistyped key is refused without
 * asking the database. Any prefix passes: keys outlive a change of `KEY_PREFIX`.
 */
export function isKeyValue(text: string): boolean {
  return KEY_VALUE_PATTERN.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** SHA-256 of a whole key value, the only form in which it is stored. */
export function hashKeyValue(value: string): Buffer {
  return hash("sha256", value, "buffer");
}

/** The same in hexadecimal digits, as it names a value in memory: without a buffer, it takes half of the time. */
export function hashKeyValueInHex(value: string): string {
  return hash("sha256", value, "hex");
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Random bytes that are not used yet, from `unused` on. Asking for those of one value costs more than all else in making it. */
const random = Buffer.alloc(512);
let unused = random.length;

function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    const byte = randomByte();
    // 248 = 4 × 62: the bytes above it would make the first letters likelier than the rest.
    if (byte < 248) text += BASE62.charAt(byte % 62);
  }
  return text;
}

function randomByte(): number {
  if (unused === random.length) {
    randomFillSync(random);
    unused = 0;
  }
  const byte = random.readUInt8(unused);
  // What was used is erased, so that no key value can be read from this memory later.
  random[unused++] = 0;
  return byte;
}
