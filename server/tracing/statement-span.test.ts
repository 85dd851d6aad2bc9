import { expect, test } from "vitest";
import { BEGIN, COMMIT, Pipeline } from "../db/pipeline";
import { statements } from "../statements";
import { describeStatement } from "./statement-span";

test("a prepared statement is called by its name, and another one by its first word", () => {
  expect(statements.map((statement) => describeStatement({ ...statement, values: [] })?.name)).toEqual(
    statements.map(({ name }) => name),
  );
  expect(describeStatement("begin")?.name).toBe("BEGIN");
  expect(describeStatement({ text: "  select password from account where id = $1", values: ["x"] })).toEqual({
    name: "SELECT",
    attributes: { "db.system.name": "postgresql", "db.query.summary": "SELECT", "db.operation.name": "SELECT" },
  });
  expect(describeStatement("'secret' is no statement")?.name).toBe("statement");
});

test("what is sent in one piece has one span, with the names of its statements", () => {
  const unnamed = { text: "SELECT password FROM account", values: ["secret"] };
  expect(describeStatement(new Pipeline([BEGIN, unnamed, COMMIT]))).toEqual({
    name: "BATCH",
    attributes: {
      "db.system.name": "postgresql",
      "db.query.summary": "BEGIN SELECT COMMIT",
      "db.operation.name": "BATCH",
      "db.operation.batch.size": 3,
    },
  });
  const [alone] = statements;
  expect(describeStatement(new Pipeline([{ ...alone, text: "SELECT 1", values: [] }]))?.name).toBe(alone?.name);
});

test("what is no statement has no span", () => {
  expect(describeStatement({ submit() {} })).toBeUndefined();
  expect(describeStatement(undefined)).toBeUndefined();
});
