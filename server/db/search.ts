import { Prisma } from "@/prisma/generated/client";

/** Whether a `search_text` contains a text, in any letter case of any script. Every text contains `""`. */
export function contains(column: Prisma.Sql, search: string): Prisma.Sql {
  return Prisma.sql`${column} LIKE ${patternOf(search)}`;
}

/** The same without an index of the column: PostgreSQL takes none for the function that LIKE stands for. */
export function containsAsRead(column: Prisma.Sql, search: string): Prisma.Sql {
  return Prisma.sql`"like"(${column}, ${patternOf(search)})`;
}

/** Whether a `search_text` is a text, in any letter case of any script. */
export function isText(column: Prisma.Sql, search: string): Prisma.Sql {
  return Prisma.sql`${column} = ${inCapitalsOfDatabase(search)}`;
}

function patternOf(search: string): Prisma.Sql {
  return inCapitalsOfDatabase(`%${search.replace(/[\\%_]/g, "\\$&")}%`);
}

function inCapitalsOfDatabase(text: string): Prisma.Sql {
  return Prisma.sql`upper(${text.normalize("NFC")}::text COLLATE "und-x-icu") COLLATE "C"`;
}

/** The same for a name that has no `search_text`. NULL contains nothing. */
export function nameContains(name: Prisma.Sql, search: string): Prisma.Sql {
  return contains(Prisma.sql`upper(${name} COLLATE "und-x-icu") COLLATE "C"`, search);
}

/** A text as a search compares it where the database does not: with one character for each accented letter, in capitals. */
export function inCapitals(text: string): string {
  return text.normalize("NFC").toUpperCase();
}
