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
  const points = values.map(([it]) => it);
  const chances = values.map(([, share]) => chance * share);
  const pointsMax = Math.max(...points);
  const sums = new Float64Array(1 + attacks * pointsMax);
  sums[0] = 1;
  for (let attack = 0; attack < attacks; attack += 1) {
    // The loop runs from the highest sum down, so that each sum still finds the lower ones of the attack before.
    for (let sum = (attack + 1) * pointsMax; sum >= 0; sum -= 1) {
      let probability = sums[sum]! * (1 - chance);
      for (let kind = 0; kind < points.length; kind += 1) {
        const before = sum - points[kind]!;
        if (before >= 0) probability += sums[before]! * chances[kind]!;
      }
      sums[sum] = probability;
    }
  }
  return sums;
}
