// The synthetic session: a few games whose odds drift and jump, traded on both venues at once, for ever. Time enters only as a parameter,
// so that one seed gives one session. For tests.

import type { Venue } from '../../../src/core/domain/market.ts';
import { TICKS_PER_DOLLAR } from '../../../src/core/domain/numbers.ts';
import { Random } from '../../../src/core/runtime/random.ts';
import type { SessionFrame } from '../replay/replay.ts';
import { QUESTIONS } from './markets.ts';
import { type SyntheticMarket, SyntheticVenueA, SyntheticVenueB } from './venues.ts';

/** The events per second of a quiet market, and of a market whose game has just seen a score. */
const QUIET_RATE = 6;
const BURST_RATE = 400;
const BURST_MS = 150;
/** The mean time between scores, over all games. */
const SCORE_MEAN_MS = 15_000;
const SCORE_LOG_ODDS = 0.25;
/** The drift of the log-odds per square root of a second, and how fast the log-odds return to their start. */
const DRIFT = 0.02;
const RETURN_PER_SECOND = 0.01;
/** The number of changes that make each opening book. */
const OPENING_CHANGES = 400;

interface Quoted {
  readonly venue: Venue;
  readonly market: SyntheticMarket;
  readonly question: number;
  readonly isFirst: boolean;
}

interface SyntheticSession {
  readonly initial: readonly SessionFrame[];
  /** The frames, which never end. The session can be opened only once, because its books move with the frames. */
  readonly frames: Iterator<SessionFrame>;
}

/** @param startedAtMs The Unix time in ms of the session's start, from which its timestamps count. */
export function syntheticSession(seed: number, startedAtMs: number): SyntheticSession {
  const random = new Random(seed);
  const quoted = QUESTIONS.flatMap(({ venueA, venueB }, question): Quoted[] => [
    { venue: 'venue_a', market: new SyntheticVenueA(venueA), question, isFirst: true },
    ...venueB.map(
      (listing): Quoted => ({
        venue: 'venue_b',
        market: new SyntheticVenueB(listing),
        question,
        isFirst: listing.isFirst,
      }),
    ),
  ]);
  const odds = new Odds();
  for (const { market, question, isFirst } of quoted) {
    for (let count = 0; count < OPENING_CHANGES; count += 1) market.book.next(random, odds.fair(question, isFirst));
  }
  const initial = quoted.map(({ venue, market }) => ({ venue, atMs: 0, text: market.opening(startedAtMs) }));
  return { initial, frames: play(random, odds, quoted, startedAtMs) };
}

function* play(
  random: Random,
  odds: Odds,
  quoted: readonly Quoted[],
  startedAtMs: number,
): Generator<SessionFrame, never> {
  const waiting: SessionFrame[] = [];
  let nowMs = 0;
  while (true) {
    const rates = quoted.map(({ question }): number => (odds.isHot(question, nowMs) ? BURST_RATE : QUIET_RATE));
    const stepMs = random.exponential(1000 / rates.reduce((sum, rate) => sum + rate));
    nowMs += stepMs;
    odds.pass(stepMs, nowMs, random);
    const atMs = Math.floor(nowMs);
    while (waiting[0] !== undefined && waiting[0].atMs <= atMs) yield waiting.shift()!;
    const { venue, market, question, isFirst } = weighted(random, quoted, rates);
    const change = market.book.next(random, odds.fair(question, isFirst));
    for (const { delayMs, text } of market.say(change, startedAtMs + atMs, random)) {
      const frame: SessionFrame = { venue, atMs: atMs + delayMs, text };
      if (delayMs === 0) yield frame;
      else waiting.push(frame);
    }
  }
}

function weighted(random: Random, quoted: readonly Quoted[], rates: readonly number[]): Quoted {
  let left = random.next() * rates.reduce((sum, rate) => sum + rate);
  for (const [index, each] of quoted.entries()) {
    left -= rates[index]!;
    if (left < 0) return each;
  }
  return quoted[0]!;
}

/** The log-odds of every question. They drift, jump at a score, and return, so that no market ends in certainty. */
class Odds {
  readonly #logOdds = QUESTIONS.map(question => question.logOdds);
  readonly #hotUntilMs = QUESTIONS.map(() => 0);

  /** Returns the worth of an outcome, in ticks. The worth is a real number. */
  fair(question: number, isFirst: boolean): number {
    const probability = 1 / (1 + Math.exp(-this.#logOdds[question]!));
    return (isFirst ? probability : 1 - probability) * TICKS_PER_DOLLAR;
  }

  isHot(question: number, nowMs: number): boolean {
    return nowMs < this.#hotUntilMs[question]!;
  }

  pass(stepMs: number, nowMs: number, random: Random): void {
    const seconds = stepMs / 1000;
    for (const [index, { logOdds }] of QUESTIONS.entries()) {
      const now = this.#logOdds[index]!;
      const back = (logOdds - now) * RETURN_PER_SECOND * seconds;
      this.#logOdds[index] = now + back + DRIFT * Math.sqrt(seconds) * random.normal();
    }
    if (!random.chance(stepMs / SCORE_MEAN_MS)) return;
    const scored = random.below(QUESTIONS.length);
    this.#logOdds[scored]! += random.chance(0.5) ? SCORE_LOG_ODDS : -SCORE_LOG_ODDS;
    this.#hotUntilMs[scored] = nowMs + BURST_MS;
  }
}
