// Searches the highest rate that holds, in few steps. Each step halves the remaining range as a ratio.

export interface RateSearch {
  readonly low: number;
  readonly high: number;
  /** The steps between the two ends, which are tried first. */
  readonly steps: number;
}

/** Returns zero if even the lowest rate does not hold. Assumes that a rate holds if a higher rate holds. */
export async function highestHeld(
  { low, high, steps }: RateSearch,
  holds: (perSecond: number) => Promise<boolean>,
): Promise<number> {
  if (!(await holds(low))) return 0;
  if (await holds(high)) return high;
  let [held, lost] = [low, high];
  for (let step = 0; step < steps; step++) {
    const middle = Math.round(Math.sqrt(held * lost));
    if (await holds(middle)) held = middle;
    else lost = middle;
  }
  return held;
}
