// Lists that usually get one item or none. A list is made with its first item, because V8 makes room for seventeen items when an empty
// array grows. Pure.

/** Returns a new list with the item if there is no list yet. Otherwise adds the item to the list, and returns this list. */
export function withItem<T>(list: T[] | null, item: T): T[] {
  if (list === null) return [item];
  list.push(item);
  return list;
}
