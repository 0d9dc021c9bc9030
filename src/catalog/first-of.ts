// Binary search. Pure.

/**
 * The first index in 0 … count − 1 for which the condition holds, given that it holds for all later ones; `count` if
 * for none.
 */
export function firstOf(count: number, isSo: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
