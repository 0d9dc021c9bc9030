// Some seconds of the synthetic session as two recordings, one for each venue, in files of their own. They have traffic of both venues with real
// hashes and numbers that every clone of the repository can play. The session comes with the books that its traffic produces.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MarketKey, marketAddress, marketKey, VENUES, type Venue } from '../../src/core/domain/market.ts';
import { syntheticSession } from '../support/synthetic/session.ts';
import { type Truth, tokenPairs, truthOfVenueA, truthOfVenueB } from './venue-truth.ts';

export interface InventedSession {
  readonly files: readonly string[];
  /** The frames of each venue, in order, without the initial books. */
  readonly frames: Readonly<Record<Venue, readonly string[]>>;
  /** Both tokens of venue A's markets, every ticker of venue B. */
  readonly markets: readonly MarketKey[];
  truthOf(market: MarketKey): Truth;
  remove(): Promise<void>;
}

const STARTED_AT_MS = 1_790_000_000_000;

/** @param lengthMs the length of the session at speed 1 */
export async function inventSession(seed: number, lengthMs: number): Promise<InventedSession> {
  const { initial, frames } = syntheticSession(seed, STARTED_AT_MS);
  const all = [...initial];
  for (let next = frames.next(); next.done !== true && next.value.atMs <= lengthMs; next = frames.next()) {
    all.push(next.value);
  }
  const folder = await mkdtemp(join(tmpdir(), 'invented-'));
  const files: string[] = [];
  for (const venue of VENUES) {
    const lines = all
      .filter(frame => frame.venue === venue)
      .map(({ atMs, text }) => `{"recv_ms":${STARTED_AT_MS + atMs},"raw":${text}}`);
    files.push(join(folder, `${venue}.jsonl`));
    await writeFile(files.at(-1)!, lines.join('\n'));
  }
  const textsOf = (venue: Venue, from: number): string[] =>
    all.filter((frame, index) => frame.venue === venue && index >= from).map(({ text }) => text);
  // Tests wait for the last books. A last book that equals an earlier one would end the wait too early.
  const truths = { venue_a: truthOfVenueA(textsOf('venue_a', 0)), venue_b: truthOfVenueB(textsOf('venue_b', 0)) };
  const isAmbiguous = VENUES.some(venue => [...truths[venue].values()].some(({ isLastNew }) => !isLastNew));
  if (isAmbiguous) throw new Error(`seed ${seed}, ${lengthMs} ms: a last book was there before, choose another length`);
  return {
    files,
    frames: { venue_a: textsOf('venue_a', initial.length), venue_b: textsOf('venue_b', initial.length) },
    markets: [
      ...tokenPairs(textsOf('venue_a', 0)).flatMap(pair => pair.map(token => marketKey('venue_a', token))),
      ...[...truths.venue_b.keys()].map(ticker => marketKey('venue_b', ticker)),
    ],
    truthOf: market => truths[market.venue].get(marketAddress(market))!,
    remove: () => rm(folder, { recursive: true }),
  };
}
