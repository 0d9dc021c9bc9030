// Merges several lists of orders, newest first, and reads no more of each list than needed. Each list runs from its newest end. The newest
// of the first unread orders of all lists comes next. Pure.

/**
 * Merges `lists`. Each runs from newest to oldest, and no order is in two of them. An order is given by the time and the id that end its
 * keys (`keys.ts`).
 */
export function* newestFirst(lists: readonly Iterable<Uint8Array>[]): Iterable<Uint8Array> {
  const rests = lists.map(list => list[Symbol.iterator]());
  const heads = rests.map(rest => rest.next());
  for (;;) {
    let newest: Uint8Array | null = null;
    let at = 0;
    heads.forEach((head, index) => {
      if (head.done === true || (newest !== null && Buffer.compare(head.value, newest) < 0)) return;
      newest = head.value;
      at = index;
    });
    if (newest === null) return;
    yield newest;
    heads[at] = rests[at]!.next();
  }
}
