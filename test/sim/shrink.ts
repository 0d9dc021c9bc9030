// Shrinks a failing schedule: finds few of its happenings with which it still fails. First it cuts off the end, then it leaves out ever
// smaller pieces, the latest first. The latest come first because what comes later has other numbers once something earlier is left out.

/** Plays the schedule with only these happenings. Returns those that took place, or null if the schedule does not fail. */
type Replay = (kept: ReadonlySet<number>) => Promise<readonly number[] | null>;

/** Shrinks a failing schedule. `happened` has the happenings of the failing schedule. Plays at most `playsMax` schedules. */
export async function shrunk(
  happened: readonly number[],
  replay: Replay,
  playsMax: number,
): Promise<readonly number[]> {
  let plays = 0;
  const fails = async (kept: readonly number[]): Promise<readonly number[] | null> => {
    if (plays >= playsMax) return null;
    plays += 1;
    return replay(new Set(kept));
  };
  let best = await shortened(happened, fails);
  for (let size = Math.ceil(best.length / 2); plays < playsMax; ) {
    const before = best.length;
    for (let end = best.length; end > 0; end -= size) {
      const failed = await fails([...best.slice(0, Math.max(0, end - size)), ...best.slice(end)]);
      if (failed !== null) best = failed;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (best.length === before) break;
  }
  return best;
}

/** Finds the shortest beginning that fails, by halves. */
async function shortened(
  happened: readonly number[],
  fails: (kept: readonly number[]) => Promise<readonly number[] | null>,
): Promise<readonly number[]> {
  let best = happened;
  let [passes, length] = [-1, happened.length];
  while (length - passes > 1) {
    const middle = Math.floor((passes + length) / 2);
    const failed = await fails(happened.slice(0, middle));
    if (failed === null) passes = middle;
    else [best, length] = [failed, middle];
  }
  return best;
}
