/** A statement of a migration that may disturb the version which still serves, and what it may do. */
export interface Hazard {
  statement: string;
  reason: string;
}

/** What may happen, by how the statement begins or what it has. The first one that fits is told. */
const REASONS: [RegExp, string][] = [
  [/\bRENAME\b/i, "the old version uses the old name"],
  [/\bDROP (TABLE|COLUMN|FUNCTION|VIEW|TYPE)\b/i, "the old version may use it; drop it one release after the last use"],
  [/\bDROP (INDEX|CONSTRAINT)\b/i, "the old version may need it, for example for ON CONFLICT"],
  [/\bSET NOT NULL\b/i, "it reads the whole table while nobody may use it, and the old version may write NULL"],
  [/\bALTER COLUMN\b.*\bTYPE\b/i, "it writes the whole table anew while nobody may use it"],
  [/\bADD COLUMN\b.*\bGENERATED\b/i, "it writes the whole table anew while nobody may use it"],
  [/\bADD COLUMN\b.*\bNOT NULL\b/i, "the old version writes rows without it; give it a DEFAULT that is a constant"],
  [
    /\bADD (COLUMN|CONSTRAINT)\b/i,
    "it reads the whole table while nobody may use it, or the old version writes what it refuses",
  ],
  [/^CREATE UNIQUE INDEX CONCURRENTLY\b/i, "the old version may write what it refuses"],
  [/^CREATE (UNIQUE )?INDEX\b/i, "nobody may write to the table until it is built; use CREATE INDEX CONCURRENTLY"],
  [/^(UPDATE|DELETE|TRUNCATE|MERGE)\b/i, "it keeps rows locked until the migration ends"],
  [/^INSERT\b/i, "it may keep rows locked until the migration ends, and the old version writes more of them after it"],
  [/^CREATE (OR REPLACE )?(CONSTRAINT )?TRIGGER\b|^CREATE OR REPLACE\b/i, "the old version runs it too"],
];
const UNKNOWN = "the check does not know it";

/** A migration of these alone runs outside of a transaction (`server/db/online-migration.ts`). */
const ONLINE = /^(CREATE INDEX CONCURRENTLY "\w+" ON|ALTER TABLE "\w+" VALIDATE CONSTRAINT "\w+"$)/i;
const NEW_THING = /^(CREATE TABLE|CREATE FUNCTION|COMMENT ON|GRANT)\b/i;
const CONSTANT = String.raw`(?:'[^']*'|-?\d+(?:\.\d+)?|true|false|now\(\)|CURRENT_TIMESTAMP|NULL)(?:::\w+)?`;
/** A column that is added without reading a row, and that an old version need not write. */
const HARMLESS_COLUMN = new RegExp(
  String.raw`^ADD COLUMN\s+"\w+"\s+[\w"]+(?:\(\d+(?:,\s*\d+)?\))?(?:\[\])?(?:\s+COLLATE "[\w-]+")?(?:\s+(?:NOT NULL )?DEFAULT ${CONSTANT})?$`,
  "i",
);
const SAFE = /^-- Safe: \S.{9,}/m;

/**
 * The statements of a migration that may break or block the version which still serves, and that have no line
 * `-- Safe: <why>` right before them. What is not known to be harmless counts as a hazard. A table that the migration
 * creates itself is used by nobody yet.
 */
export function hazards(sql: string): Hazard[] {
  const own = new Set<string>();
  const found: Hazard[] = [];
  const statements = statementsOf(sql);
  const areOnline = statements.every(({ text }) =>
    /^CREATE (UNIQUE )?INDEX CONCURRENTLY|VALIDATE CONSTRAINT/i.test(text),
  );
  for (const { text, comment } of statements) {
    const created = /^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/i.exec(text)?.[1];
    if (created !== undefined) own.add(created);
    const table = /^(?:ALTER TABLE|INSERT INTO|UPDATE|(?:CREATE [^"]*"\w+" .*?\bON))\s+"?(\w+)/i.exec(text)?.[1];
    if (table !== undefined && own.has(table) && !/\bRENAME\b/i.test(text)) continue;
    if (ONLINE.test(text)) {
      if (!areOnline)
        found.push({ statement: text, reason: "it needs a migration of its own, because it runs in no transaction" });
      continue;
    }
    if (isHarmless(text) || SAFE.test(comment)) continue;
    found.push({ statement: text, reason: REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? UNKNOWN });
  }
  return found;
}

function isHarmless(text: string): boolean {
  if (NEW_THING.test(text) && !/^CREATE TABLE\b.*\bPARTITION OF\b/i.test(text)) return true;
  const actions = /^ALTER TABLE "?\w+"?\s+(.*)$/i.exec(text)?.[1];
  return actions?.split(/,\s*(?=ADD COLUMN\b)/i).every((action) => HARMLESS_COLUMN.test(action)) ?? false;
}

/** The statements on one line each, with the comments right before them. A `;` in dollar quotes ends none. */
function statementsOf(sql: string): { text: string; comment: string }[] {
  const found: { text: string; comment: string }[] = [];
  let text = "";
  let comment = "";
  const pieces = sql.match(/--.*$|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|;|\n\s*\n|[^;$'\n-]+|[\s\S]/gm) ?? [];
  for (const piece of pieces) {
    if (piece.startsWith("--")) {
      if (text.trim() === "") comment += `${piece}\n`;
    } else if (piece === ";") {
      found.push({ text: text.trim().replace(/\s+/g, " "), comment });
      text = "";
      comment = "";
    } else {
      // An empty line parts a comment from the statement.
      if (text.trim() === "" && /^\n\s*\n$/.test(piece)) comment = "";
      text += piece;
    }
  }
  if (text.trim() !== "") found.push({ text: text.trim().replace(/\s+/g, " "), comment });
  return found;
}
