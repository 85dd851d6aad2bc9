/**
 * Whether tests run that install programs from registries or take long: with `INTEGRATIONS=1`. Otherwise it prints what is
 * skipped, and why.
 * @param what the subject of the tests, for example "LiteLLM proxy".
 */
export function runsIntegration(what: string): boolean {
  if (process.env.INTEGRATIONS === "1") return true;
  console.log(`skipped: ${what}. It installs programs; set INTEGRATIONS=1 to run it.`);
  return false;
}
