import { createGroupInput } from "@/server/groups/schema";
import { faultsOf } from "@/server/input/fault";

/** What can be wrong with a name. Each has its sentence in the messages. */
type NameFault = "empty" | "tooLong" | "notText";

/** What is wrong with a name, by the server's own rule (docs/api.md#names). */
export function nameFault(name: string): NameFault | undefined {
  const parsed = createGroupInput.shape.name.safeParse(name);
  if (parsed.success) return undefined;
  if (name.trim() === "") return "empty";
  return faultsOf(parsed.error.issues).some(({ code }) => code === "too_long") ? "tooLong" : "notText";
}
