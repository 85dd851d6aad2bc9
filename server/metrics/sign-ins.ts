import { Counter } from "prom-client";
import { registry } from "./registry";

const signIns = new Counter({
  name: "allowance_sign_ins_total",
  help: "Attempts to sign in by method and result: succeeded, failed, or locked_out (refused after too many attempts).",
  labelNames: ["method", "result"],
  registers: [registry],
});

/** Counts an attempt to sign in. */
export function countSignIn(method: string, result: "succeeded" | "failed" | "locked_out"): void {
  signIns.inc({ method, result });
}
