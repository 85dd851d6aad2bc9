import { Prisma } from "@/prisma/generated/client";

/** Whether Prisma could not write a row, because another one has the same value in a unique index (see `violatedConstraint` for `pg`). */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
}
