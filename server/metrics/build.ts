import { Gauge } from "prom-client";
import { version } from "@/package.json";
import { registry } from "./registry";

new Gauge({
  name: "allowance_build_info",
  help: "Always 1. The version of Allowance and that of Node.js stand in the labels.",
  labelNames: ["version", "node"],
  aggregator: "first",
  registers: [registry],
}).set({ version, node: process.versions.node }, 1);
