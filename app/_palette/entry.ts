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

/** Whether each word of a text stands in the label or among the words of an entry, in any letter case. */
export function isFound({ label, words = "" }: Pick<Entry, "label" | "words">, text: string): boolean {
  const searched = `${label} ${words}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
