import { redirect } from "next/navigation";

/**
 * Leads from a page behind the end of a list to its last page, before anything is shown.
 * @param path the path of the page.
 * @param searchParams its address, which keeps everything but the page.
 * @param list the list that was read; absent if it could not be.
 */
export async function leadToLastPage(
  path: string,
  searchParams: Promise<Record<string, string | string[] | undefined>>,
  list: { data: unknown[]; total: number; page_size: number } | undefined,
): Promise<void> {
  if (list === undefined || list.data.length > 0 || list.total === 0) return;
  const address = new URLSearchParams();
  for (const [name, values] of Object.entries(await searchParams)) {
    for (const value of [values ?? []].flat()) address.append(name, value);
  }
  address.set("page", String(Math.ceil(list.total / list.page_size)));
  redirect(`${path}?${address}`);
}
