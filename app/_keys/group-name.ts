const IS_GROUP = /^[0-9a-f]{24}$/;

/** Asks for the name of one group. The page prefetches the same, so that the first rendering has the name. */
export function nameInput(groupId: string): { group_ids: string } | undefined {
  return IS_GROUP.test(groupId) ? { group_ids: groupId } : undefined;
}
