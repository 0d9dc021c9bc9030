// The highest rate that holds, found in few steps: each halves what is left, in ratios and not in differences.

export interface RateSearch {
  readonly low: number;
  readonly high: number;
  /** Between the two, which are tried first. */
  readonly steps: number;
}

/** Zero if not even the lowest holds. Supposes that a rate holds if a higher one does. */
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
