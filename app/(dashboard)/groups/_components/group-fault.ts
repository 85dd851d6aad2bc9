import { createGroupInput } from "../../../../server/groups/schema";

const { name: nameSchema, description: descriptionSchema } = createGroupInput.shape;

export const MAX_NAME_LENGTH = Number(nameSchema.meta()?.maxLength);

/** What can be wrong with a typed name or description; each has its words in the messages. */
export type GroupFault = "empty" | "tooLong" | "character";

/** What is wrong with the name of a group, by the server's own rules. */
export function nameFault(name: string): GroupFault | undefined {
  if (nameSchema.safeParse(name).success) return undefined;
  if (name.trim() === "") return "empty";
  return [...name.normalize("NFC")].length > MAX_NAME_LENGTH ? "tooLong" : "character";
}

/** What is wrong with the description of a group. */
export function descriptionFault(description: string): GroupFault | undefined {
  return descriptionSchema.safeParse(description).success ? undefined : "character";
}
