import type { IconName } from "@/components/icon";

/** Something that the palette offers. */
export interface Entry {
  /** Unique in the palette. */
  id: string;
  label: string;
  /** Stands beside the label, for example the id of a key. */
  detail?: string;
  icon: IconName;
  /** Further words by which it is found, in English. */
  words?: string;
  /** Language of the label, if it differs from the language of the page. */
  lang?: string;
  run(): void;
}

/** Entries under one title. */
export interface EntrySection {
  title: string;
  entries: Entry[];
}

/**
 * Whether each word of a text begins a word of the label or of the further words of an entry, in any letter case. Chinese
 * has no spaces, so there it may stand anywhere in the label.
 */
export function isFound({ label, words = "" }: Pick<Entry, "label" | "words">, text: string): boolean {
  const searched = `${label} ${words}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return text
    .toLowerCase()
    .split(/\s+/)
    .every(
      (word) =>
        searched.some((each) => each.startsWith(word)) || (/\p{Script=Han}/u.test(word) && label.includes(word)),
    );
}
