/** Ends the process with a clear line where Node.js is older than the product needs. */
export function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) return;
  console.error(`Allowance needs Node.js 20.19, 22.12 or newer; this is ${process.versions.node}`);
  process.exit(1);
}
