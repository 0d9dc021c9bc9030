// Lists that usually get one item or none. An empty array that grows makes room for seventeen. Pure.

/** The list with one item more: a new one if there was none, else the same. */
export function withItem<T>(list: T[] | null, item: T): T[] {
  if (list === null) return [item];
  list.push(item);
  return list;
}
