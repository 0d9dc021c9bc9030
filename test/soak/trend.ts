// The slope of measured values, and the interval of the true one: Theil and Sen's, the median of the slopes of all pairs. Outliers do not
// move it, and it assumes no distribution.

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Trend {
  /** The change of y per unit of x. */
  readonly slope: number;
  /** The bounds of the true slope: it is between them in 95 cases of 100, if the errors of the points are independent. */
  readonly from: number;
  readonly to: number;
}

/** The quantile of the normal distribution. */
const QUANTILE_OF_95_PERCENT = 1.96;

/** Returns the trend of at least two points with different x. For few points `from` and `to` are the extremes. */
export function trendOf(points: readonly Point[]): Trend {
  const slopes = points
    .flatMap((point, at) => points.slice(at + 1).map(other => (other.y - point.y) / (other.x - point.x)))
    .sort((left, right) => left - right);
  if (slopes.length === 0 || !slopes.every(Number.isFinite)) throw new Error('a trend needs points at different times');
  // The variance of Kendall's statistic gives the number of slopes that may be on either side (Sen 1968, without ties).
  const count = points.length;
  const spread = QUANTILE_OF_95_PERCENT * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const last = slopes.length - 1;
  const from = Math.max(0, Math.floor((slopes.length - spread) / 2));
  const to = Math.min(last, Math.ceil((slopes.length + spread) / 2));
  return {
    slope: (slopes[Math.floor(last / 2)]! + slopes[Math.ceil(last / 2)]!) / 2,
    from: slopes[from]!,
    to: slopes[to]!,
  };
}

/** The bounds, in the unit of a trend's slope. */
export interface GrowthBounds {
  /** The known growth, which ends by itself. More growth is a leak. */
  readonly known: number;
  /** The largest upper bound of a valid measurement: if the slope may be above it, the run was too short or too noisy. */
  readonly most: number;
}

type Growth = 'flat' | 'grows' | 'not shown to be flat';

export function growthOf({ from, to }: Trend, { known, most }: GrowthBounds): Growth {
  if (from >= known) return 'grows';
  return to < most ? 'flat' : 'not shown to be flat';
}

/** Returns the lowest point of each window of x, at the middle of the window: the level to which a garbage collector always returns. */
export function floorsOf(points: readonly Point[], width: number): Point[] {
  const windows = Map.groupBy(points, ({ x }) => Math.floor(x / width));
  return [...windows].map(([window, inside]) => ({
    x: (window + 0.5) * width,
    y: Math.min(...inside.map(({ y }) => y)),
  }));
}
