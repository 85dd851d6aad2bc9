/**
 * Posts a JSON body with a key, and returns the answer.
 * @throws when it has another status.
 */
export async function post<Answer>(url: string, apikey: string, body: object, status: number): Promise<Answer> {
  const headers = { authorization: `Bearer ${apikey}`, "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (response.status !== status) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/**
 * Gets with a key, and returns the answer.
 * @throws when its status is not 200.
 */
export async function get<Answer>(url: string, apikey: string): Promise<Answer> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${apikey}` } });
  if (response.status !== 200) throw new Error(`GET ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Creates a group through the API and returns its id. */
export async function createGroup(url: string, apikey: string, name: string): Promise<string> {
  return (await post<{ group_id: string }>(`${url}/v1/apikey_groups`, apikey, { name }, 201)).group_id;
}
