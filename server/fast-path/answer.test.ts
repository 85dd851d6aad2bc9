import { expect, test } from "vitest";
import { FastAnswer } from "./answer";

test("fields that were set, fields of the head, and the body; a field stands once", () => {
  const sent: string[] = [];
  const answer = new FastAnswer(
    "Connection: keep-alive\r\n",
    (text) => sent.push(text),
    () => {},
  );
  answer.setHeader("Retry-After", 1);
  answer.setHeader("Retry-After", 2);
  answer.setHeader("Content-Length", "9");
  answer.writeHead(429, ["Content-Length", "2"]);
  answer.end("{}");
  expect(sent).toEqual([
    expect.stringMatching(
      /^HTTP\/1\.1 429 Too Many Requests\r\nRetry-After: 2\r\nContent-Length: 2\r\nDate: .{29}\r\nConnection: keep-alive\r\n\r\n\{\}$/,
    ),
  ]);
  expect(Math.abs(Date.parse(/Date: (.*)/.exec(sent[0] ?? "")?.[1] ?? "") - Date.now())).toBeLessThan(60_000);
});

test("each answer has its own values", () => {
  const heads = ["a", "b", "a"].map((id) => {
    let sent = "";
    const answer = new FastAnswer(
      "",
      (text) => {
        sent = text;
      },
      () => {},
    );
    answer.writeHead(200, ["Request-Id", id, "Content-Length", "0"]).end();
    return sent.split("\r\n").slice(1, 3);
  });
  expect(heads).toEqual(["a", "b", "a"].map((id) => [`Request-Id: ${id}`, "Content-Length: 0"]));
});

/** An answer, and what it has done to its connection. */
function newAnswer() {
  const done: string[] = [];
  const answer = new FastAnswer(
    "",
    () => done.push("sent"),
    () => done.push("closed"),
  );
  return { answer, done };
}

test("an answer is sent once, and does not end the connection afterwards, which may have another request by then", () => {
  const { answer, done } = newAnswer();
  expect(answer.headersSent).toBe(false);
  answer.writeHead(200, []);
  expect(answer.headersSent).toBe(true);
  expect(() => answer.writeHead(500, [])).toThrow("already");
  answer.end();
  expect(() => answer.end()).toThrow("already");
  answer.destroy();
  expect(done).toEqual(["sent"]);
});

test("an answer that cannot be made ends the connection", () => {
  const { answer, done } = newAnswer();
  answer.writeHead(200, []);
  answer.destroy();
  expect(done).toEqual(["closed"]);
});

test.each(["a\r\nb", "a\nb", "é", "\0"])("a value with another character is refused: %j", (value) => {
  const { answer } = newAnswer();
  expect(() => answer.setHeader("Ignored-Parameters", value)).toThrow(TypeError);
});
