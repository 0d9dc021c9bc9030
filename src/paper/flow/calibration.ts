// Figures of the market flow, from calibration.json. test/support/calibrate-flow.ts (npm run make:flow-calibration) measures them on
// recorded production traffic: 245 changes of 12 markets of venue B, 73 changes of venue A, 33 fills.

import { readFileSync } from 'node:fs';
import type { MicroShares } from '../../core/domain/numbers.ts';

export interface VenueCalibration {
  /** The share of changes that made a level larger. */
  readonly addShare: number;
  /** Evenly spaced quantiles, each as likely as the others; so are all lists of sizes here. */
  readonly addSizes: readonly MicroShares[];
  /** Median size of a level by its distance from the best of its side in cents, the best first. */
  readonly depth: readonly MicroShares[];
}

export interface FlowCalibration {
  /** Changes of a winner market some hours before its game. */
  readonly changesPerSecond: number;
  /** The shares of clusters of 1, 2, 3 … changes at the same millisecond. */
  readonly clusterShares: readonly number[];
  /** Pauses between such clusters, in mean pauses: evenly spaced quantiles. */
  readonly pauses: readonly number[];
  /** How changes spread over distances from the best in cents, 0 first; the last includes what is beyond. */
  readonly distanceShares: readonly number[];
  /** The shares of spreads of 1, 2, 3 … cents. */
  readonly spreadShares: readonly number[];
  /** The share of changes that a trade caused. */
  readonly tradeShare: number;
  readonly tradeSizes: readonly MicroShares[];
  readonly venueA: VenueCalibration;
  readonly venueB: VenueCalibration;
}

export const calibration: FlowCalibration = JSON.parse(
  readFileSync(new URL('calibration.json', import.meta.url), 'utf8'),
);
