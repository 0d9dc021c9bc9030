// Activity of a market. It is as recorded some hours before a game, more during it, less far ahead or in markets that are not about the
// winner. Pauses are drawn from recorded ones: mostly bursts, a few long ones.

import { HOUR_MS } from '../../domain/durations.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import { limits } from '../../limits.ts';
import type { Random } from '../../runtime/random.ts';
import type { Game } from '../catalog/listings.ts';
import type { FlowCalibration } from './calibration.ts';
import { indexOf } from './market-maker.ts';

/** Factor of the recorded pace by hours to the start. */
const FACTORS = [
  { untilMs: 0, factor: 4 },
  { untilMs: 3 * HOUR_MS, factor: 1 },
  { untilMs: 24 * HOUR_MS, factor: 0.4 },
  { untilMs: Number.POSITIVE_INFINITY, factor: 0.1 },
] as const;
const SIDE_FACTOR = 0.15;
/** Recorded pauses are twenty values; they are smeared, so that markets do not act in step. */
const SMEAR = 0.2;

export class Pace {
  readonly #calibration: FlowCalibration;
  readonly #intensity: number;

  /** `intensity` 1 is the calibrated pace. */
  constructor(calibration: FlowCalibration, intensity: number) {
    this.#calibration = calibration;
    this.#intensity = intensity;
  }

  /** Pause until the next cluster of changes. */
  pauseMs(game: Game, isSide: boolean, now: UnixMillis, random: Random): number {
    const { pauses, clusterShares, changesPerSecond } = this.#calibration;
    const clusterMean = clusterShares.reduce((sum, share, index) => sum + share * (index + 1), 0);
    const { factor } = FACTORS.find(({ untilMs }) => game.startsAt - now <= untilMs)!;
    const perSecond = (changesPerSecond / clusterMean) * factor * (isSide ? SIDE_FACTOR : 1) * this.#intensity;
    const smeared = random.pick(pauses) * (1 + SMEAR * (2 * random.next() - 1));
    return Math.min(limits.paperFlowPauseMsMax, Math.max(1, Math.round((1_000 / perSecond) * smeared)));
  }

  changesAtOnce(random: Random): number {
    return 1 + indexOf(this.#calibration.clusterShares, random.next());
  }
}
