// Binary search. Pure.

/** The first of 0 … count − 1 that is so, where all that follow are; `count` if none is. */
export function firstOf(count: number, isSo: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
