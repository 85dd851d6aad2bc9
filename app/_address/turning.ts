/**
 * Turns the pages of a list. A second press while a page is on its way asks for the same one: it would only add the same address
 * to the history of the browser once more.
 * @param asked the page of the address.
 */
export function turning(asked: number, turn: (page: number) => unknown): (page: number) => void {
  return (page) => {
    if (page !== asked) turn(page);
  };
}
