import { Gauge } from "prom-client";
import { registry } from "./registry";

/** Something that a process keeps of what it was asked last, so that the database need not be asked again. */
interface Remembered {
  /** How much it holds now, as it counts it. */
  readonly weight: number;
  /** Its bound. */
  readonly most: number;
}

/** Those of the service that started last count. */
const measured = new Map<string, Remembered>();

const gauge = (name: string, help: string, value: (remembered: Remembered) => number) =>
  new Gauge({
    name,
    help,
    labelNames: ["what"],
    registers: [registry],
    collect() {
      for (const [what, remembered] of measured) this.set({ what }, value(remembered));
    },
  });

gauge(
  "allowance_remembered_entries",
  "What the process keeps in memory so that it need not ask for it again, by kind: key_owners (values of keys), prices (accounts, and prices of their own), known_keys (keys that were decided on), known_authorizations (their authorizations), known_spenders (default keys and tokens that were found valid, of which those of the last second count).",
  ({ weight }) => weight,
);
gauge("allowance_remembered_entries_max", "The bound of allowance_remembered_entries, by kind.", ({ most }) => most);

/** Measures this from now on, in the place of what had the same name. */
export function measureRemembered(
  what: "key_owners" | "prices" | "known_keys" | "known_authorizations" | "known_spenders",
  remembered: Remembered,
): void {
  measured.set(what, remembered);
}
