// The synthetic session as a script that the replay servers play: both venues from one seed. Tests.

import type { Venue } from '../../../src/core/domain/market.ts';
import type { Script } from '../replay/replay.ts';
import { QUESTIONS } from './markets.ts';
import { syntheticSession } from './session.ts';

/** @param startedAtMs The Unix time in ms from which the session's timestamps count. */
export function syntheticScript(seed: number, startedAtMs: number): Script {
  const { initial, frames } = syntheticSession(seed, startedAtMs);
  const textsOf = (venue: Venue): string[] => initial.filter(frame => frame.venue === venue).map(({ text }) => text);
  return {
    venueA: { facts: QUESTIONS.map(({ venueA }) => venueA), initial: textsOf('venue_a') },
    venueB: {
      listings: QUESTIONS.flatMap(({ venueB }) => venueB.map(({ listing }) => listing)),
      initial: textsOf('venue_b'),
    },
    tracks: [{ open: () => frames, waitsFor: null }],
  };
}
