// Distribution of points that a team may still score: every attack scores or not, and the probabilities of all sums follow
// exactly. Floats are fine here: these are probabilities, not money. Pure.

/** Points of one kind of score, and its share of all scores. */
export type ScoreValues = readonly (readonly [points: number, share: number])[];

const ONE_POINT: ScoreValues = [[1, 1]];
const VALUES: Readonly<Record<string, ScoreValues>> = {
  nba: [
    [1, 0.13],
    [2, 0.62],
    [3, 0.25],
  ],
  nfl: [
    [3, 0.4],
    [7, 0.6],
  ],
};

/** Kinds of scores of a league. */
export function scoreValues(league: string): ScoreValues {
  return VALUES[league] ?? ONE_POINT;
}

export function meanOf(values: ScoreValues): number {
  return values.reduce((sum, [points, share]) => sum + points * share, 0);
}

/**
 * Attacks of each team for `expected` points and the requested deviation of the margin. More attacks at the same average
 * reduce the deviation only if an attack can bring several points.
 */
export function attacksFor(expected: number, marginDeviation: number, values: ScoreValues, attacksMax: number): number {
  const mean = meanOf(values);
  const square = values.reduce((sum, [points, share]) => sum + points * points * share, 0);
  const spare = (expected * square) / mean - marginDeviation ** 2 / 2;
  const least = Math.ceil((1.25 * expected) / mean);
  const wanted = spare > 0 ? Math.round(expected ** 2 / spare) : attacksMax;
  return Math.min(attacksMax, Math.max(least, wanted));
}

/** Probability of each sum of points from `attacks` attacks that each score with `chance`. */
export function pointsDistribution(attacks: number, chance: number, values: ScoreValues): Float64Array {
  const pointsMax = Math.max(...values.map(([points]) => points));
  let sums = new Float64Array([1]);
  for (let attack = 0; attack < attacks; attack += 1) {
    const next = new Float64Array(sums.length + pointsMax);
    for (let sum = 0; sum < sums.length; sum += 1) {
      const probability = sums[sum]!;
      next[sum]! += probability * (1 - chance);
      for (const [points, share] of values) next[sum + points]! += probability * chance * share;
    }
    sums = next;
  }
  return sums;
}
