// Figures that the market flow is calibrated to, measured by test/support/calibrate-flow.ts (npm run make:flow-calibration) on recorded
// production traffic. It has 245 changes of 12 markets of venue B, 73 changes of venue A, 33 fills. Generated: change the script.

import type { MicroShares } from '../../domain/numbers.ts';

export interface VenueCalibration {
  /** Of all changes of levels, those that made one larger. */
  readonly addShare: number;
  /** Evenly spaced quantiles, each as likely as the others; so are all lists of sizes here. */
  readonly addSizes: readonly MicroShares[];
  /** Median size of a level by its distance from the best of its side in cents, the best first. */
  readonly depth: readonly MicroShares[];
}

export interface FlowCalibration {
  /** Of a winner market some hours before its game. */
  readonly changesPerSecond: number;
  /** Of 1, 2, 3 … changes at the same millisecond. */
  readonly clusterShares: readonly number[];
  /** Pauses between such clusters, in mean pauses: evenly spaced quantiles. */
  readonly pauses: readonly number[];
  /** How changes spread over distances from the best in cents, 0 first; the last includes what is beyond. */
  readonly distanceShares: readonly number[];
  /** Of a spread of 1, 2, 3 … cents. */
  readonly spreadShares: readonly number[];
  /** Of all changes of levels, those that a trade caused. */
  readonly tradeShare: number;
  readonly tradeSizes: readonly MicroShares[];
  readonly venueA: VenueCalibration;
  readonly venueB: VenueCalibration;
}

function sizes(...micros: readonly number[]): readonly MicroShares[] {
  return micros as readonly MicroShares[];
}

export const calibration: FlowCalibration = {
  changesPerSecond: 0.3693,
  clusterShares: [0.7487, 0.1925, 0.0588],
  pauses: [
    0.0009, 0.0009, 0.0024, 0.0024, 0.0024, 0.0024, 0.0029, 0.0092, 0.012, 0.0311, 0.0517, 0.0826, 0.1305, 0.2104,
    0.2272, 0.3133, 0.9481, 2.2006, 5.0994, 10.6697,
  ],
  distanceShares: [0.1347, 0.1878, 0.2245, 0.1673, 0.0776, 0.0776, 0.0571, 0.049, 0.0204, 0, 0, 0.0041],
  spreadShares: [0.9167, 0.0833],
  tradeShare: 0.0137,
  tradeSizes: sizes(
    270_000,
    1_000_000,
    1_000_000,
    1_000_000,
    1_000_000,
    3_000_000,
    4_150_000,
    10_000_000,
    10_000_000,
    10_000_000,
    10_000_000,
    10_000_000,
    15_000_000,
    20_000_000,
    20_000_000,
    20_000_000,
    45_450_000,
    71_940_000,
    90_900_000,
    909_090_000,
  ),
  venueA: {
    addShare: 0.5205,
    addSizes: sizes(
      5_000_000,
      5_000_000,
      5_000_000,
      5_000_000,
      5_000_000,
      5_000_000,
      5_000_000,
      5_000_000,
      5_010_000,
      5_010_000,
      5_640_000,
      6_000_000,
      6_000_000,
      10_000_000,
      10_000_000,
      20_000_000,
      100_000_000,
      100_000_000,
      100_000_000,
      100_000_000,
    ),
    depth: sizes(
      30_000_000,
      22_780_000,
      31_000_000,
      7_000_000,
      80_000_000,
      30_000_000,
      45_000_000,
      81_900_000,
      82_000_000,
      83_290_000,
      102_000_000,
      211_000_000,
    ),
  },
  venueB: {
    addShare: 0.4245,
    addSizes: sizes(
      5_000_000,
      9_000_000,
      13_750_000,
      15_000_000,
      18_990_000,
      25_000_000,
      25_000_000,
      25_000_000,
      25_000_000,
      25_000_000,
      25_000_000,
      36_360_000,
      68_000_000,
      87_000_000,
      100_000_000,
      100_000_000,
      250_000_000,
      523_000_000,
      778_000_000,
      28_360_420_000,
    ),
    depth: sizes(
      84_517_320_000,
      103_305_730_000,
      95_974_440_000,
      18_110_000_000,
      8_901_500_000,
      3_037_000_000,
      4_073_000_000,
      1_349_000_000,
      6_933_000_000,
      3_085_000_000,
      3_025_000_000,
      157_000_000,
    ),
  },
};
