// Merges several lists of orders, newest first, and reads no more of each than needed. Each list runs from its newest end, and the newest
// of the lists' heads is next. Pure.

/**
 * Time and id at the end of an order's keys (`keys.ts`), by which all lists are sorted; and the scope that leads to its record.
 */
export interface ListedOrder {
  readonly end: Uint8Array;
  readonly scope: Uint8Array;
}

/** Each of `lists` runs from newest to oldest, and no order is in two of them. */
export function* newestFirst(lists: readonly Iterable<ListedOrder>[]): Iterable<ListedOrder> {
  const rests = lists.map(list => list[Symbol.iterator]());
  const heads = rests.map(rest => rest.next());
  for (;;) {
    let newest: ListedOrder | null = null;
    let at = 0;
    heads.forEach((head, index) => {
      if (head.done === true || (newest !== null && Buffer.compare(head.value.end, newest.end) < 0)) return;
      newest = head.value;
      at = index;
    });
    if (newest === null) return;
    yield newest;
    heads[at] = rests[at]!.next();
  }
}
