import { createGroupInput } from "@/server/groups/schema";

/** What can be wrong with the name of a key or a group; each has its words in the messages. */
export type NameFault = "empty" | "tooLong" | "notText";

/** What is wrong with a name, by the server's own rule, which is the same for keys and groups. */
export function nameFault(name: string): NameFault | undefined {
  const parsed = createGroupInput.shape.name.safeParse(name);
  if (parsed.success) return undefined;
  if (name.trim() === "") return "empty";
  return parsed.error.issues.some(({ message }) => message.includes("long")) ? "tooLong" : "notText";
}
