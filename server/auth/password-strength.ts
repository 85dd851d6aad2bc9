import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";
import { PASSWORD_LENGTH } from "./schema";

/** Why a new password is refused. */
export type PasswordFault = "tooShort" | "tooLong" | "tooCommon" | "madeOfEmail";

/** How hard a password is to guess: 0 is refused, 3 is the best. */
type PasswordStrength = 0 | 1 | 2 | 3;

/** What the rules say about a new password. */
export interface PasswordJudgement {
  /** Absent: the password may be set. */
  fault?: PasswordFault;
  strength: PasswordStrength;
}

/** The estimate takes longer the longer the text is. What is hard to guess in its beginning is hard as a whole. */
const JUDGED_LENGTH = 32;
/** A password that takes fewer guesses than this power of ten is refused. Each of the 10,000 commonest takes fewer. */
const LEAST_GUESSES_LOG10 = 6;
const GOOD_GUESSES_LOG10 = 8;
const STRONG_GUESSES_LOG10 = 10;
/** Shorter words are in many texts by chance. */
const SHORTEST_WORD = 3;
/** Words that are easy to guess here and nowhere else. */
const PRODUCT_WORDS = ["allowance"];

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/**
 * Judges a new password (docs/api.md#sign-in). The browser asks while the owner types, the server before it stores the
 * password. This module contains the list of the commonest passwords, so both load it only when somebody sets one.
 * @param email the address of the account, as far as it is known.
 */
export function judgePassword(password: string, email: string): PasswordJudgement {
  if (password.length < PASSWORD_LENGTH.min) return { fault: "tooShort", strength: 0 };
  if (password.length > PASSWORD_LENGTH.max) return { fault: "tooLong", strength: 0 };
  const words = wordsOf(email);
  if (isMadeOf(password, words)) return { fault: "madeOfEmail", strength: 0 };
  const { guessesLog10 } = estimator.check(password.slice(0, JUDGED_LENGTH), [...words, ...PRODUCT_WORDS]);
  if (guessesLog10 < LEAST_GUESSES_LOG10) return { fault: "tooCommon", strength: 0 };
  if (guessesLog10 < GOOD_GUESSES_LOG10) return { strength: 1 };
  return { strength: guessesLog10 < STRONG_GUESSES_LOG10 ? 2 : 3 };
}

/** The address, its parts, and the names in them, the longest first. The last label of the domain is no name. */
function wordsOf(email: string): string[] {
  const address = email.trim().toLowerCase();
  const [local = "", domain = ""] = address.split("@");
  const labels = domain.split(".").slice(0, -1);
  const words = [address, local, domain, ...labels, ...local.split(/[^\p{L}\d]+/u)];
  return [...new Set(words)]
    .filter((word) => word.length >= SHORTEST_WORD)
    .sort((one, other) => other.length - one.length);
}

/** Whether the words, digits and signs are more than half of the password. */
function isMadeOf(password: string, words: string[]): boolean {
  const whole = password.toLowerCase();
  const rest = words.reduce((text, word) => text.replaceAll(word, ""), whole);
  return rest !== whole && rest.replace(/\P{L}/gu, "").length < password.length / 2;
}
