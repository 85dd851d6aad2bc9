import type { Attributes } from "@opentelemetry/api";
import { Pipeline } from "../db/pipeline";

/** What an unnamed statement may be called by its first word. */
const OPERATION =
  /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|SHOW|LOCK|ANALYZE|COPY)\b/i;

/**
 * The name and the attributes of a statement's span: the name of a prepared statement (`server/statements.ts`), or else the
 * first word of its text. Nothing else of the text, and no value. Several statements in one
 * pipeline have one span, because they have one answer; a single one is described like any other.
 * @param query what `pg` was given: a text, an object with a text and a name, or a pipeline.
 * @returns undefined for what is no statement, as a stream of rows.
 */
export function describeStatement(query: unknown): { name: string; attributes: Attributes } | undefined {
  if (query instanceof Pipeline && query.statements.length === 1) return describeStatement(query.statements[0]);
  if (query instanceof Pipeline) {
    const names = query.statements.map((statement) => describeStatement(statement)?.name);
    return {
      name: "BATCH",
      attributes: {
        "db.system.name": "postgresql",
        "db.query.summary": names.join(" "),
        "db.operation.name": "BATCH",
        "db.operation.batch.size": names.length,
      },
    };
  }
  const given = typeof query === "string" ? { text: query } : query;
  if (!(given instanceof Object) || !("text" in given) || typeof given.text !== "string") return undefined;
  const operation = OPERATION.exec(given.text)?.[1]?.toUpperCase();
  const isNamed = "name" in given && typeof given.name === "string";
  const name = isNamed ? String(given.name) : (operation ?? "statement");
  return {
    name,
    attributes: {
      "db.system.name": "postgresql",
      "db.query.summary": name,
      ...(operation !== undefined && { "db.operation.name": operation }),
    },
  };
}
