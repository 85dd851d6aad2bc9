import { Prisma } from "@/prisma/generated/client";

/** Whether a `search_text` contains a text, in any letter case of any script. Every text contains `""`. */
export function contains(column: Prisma.Sql, search: string): Prisma.Sql {
  const pattern = `%${search.normalize("NFC").replace(/[\\%_]/g, "\\$&")}%`;
  return Prisma.sql`${column} LIKE upper(${pattern}::text COLLATE "und-x-icu") COLLATE "C"`;
}
