import type { CommanderError } from "commander";

/** The command line is wrong. The message names the parameter and says what it must be. */
export class UsageError extends Error {}

/** What commander says of each kind of fault, and what Allowance says of it: first the parameter, then what is wrong. */
const FAULTS: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/^unknown option '(.*)'$/, (option) => `${option}: unknown option`],
  [/^unknown command '(.*)'$/, (command) => `${command}: unknown command`],
  [/^option '.*?--([\w-]+)[^']*' argument missing$/, (option) => `${option}: required`],
  [/^missing required argument '(.*)'$/, (argument) => `${argument}: required`],
  [/^too many arguments/, () => "too many words; put one that has spaces into quotes"],
];

/** The fault that commander has found, in the form of this product's messages, with the nearest name where there is one. */
export function faultOf({ message }: Pick<CommanderError, "message">): string {
  const [found = "", suggested] = message.replace(/^error: /, "").split("\n");
  const nearest = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(suggested ?? "")?.[1];
  const said = FAULTS.flatMap(([pattern, say]) => {
    const parts = pattern.exec(found);
    return parts ? [say(...parts.slice(1))] : [];
  })[0];
  return (said ?? found) + (nearest === undefined ? "" : `; did you mean ${nearest}?`);
}
