// Faults at the venues while orders are sent: rules that strike by chance all the time, and weather that comes and goes.
// Drawn from the seed.

import { setTimeout as pause } from 'node:timers/promises';
import { VENUES, type Venue } from '../../src/core/domain/market.ts';
import type { Random } from '../../src/core/runtime/random.ts';
import type { PaperProcess } from './paper-process.ts';

type Control = Pick<PaperProcess, 'control'>;

export interface VenueWords {
  readonly newOrder: string;
  readonly cancel: string;
  readonly reads: string;
  readonly orderMessage: string;
  readonly fillMessage: string;
}

export const WORDS: Readonly<Record<Venue, VenueWords>> = {
  venue_a: {
    newOrder: 'POST /order',
    cancel: 'DELETE /order',
    reads: 'GET /data/*',
    orderMessage: 'order',
    fillMessage: 'trade',
  },
  venue_b: {
    newOrder: 'POST /portfolio/events/orders',
    cancel: 'DELETE /portfolio/events/orders/*',
    reads: 'GET /portfolio/*',
    orderMessage: 'user_order',
    fillMessage: 'fill',
  },
};

type Row = readonly [operation: string, probability: number, fault: object];

/** A time that is longer than the gateway waits for a venue. */
export const HANG_MS = 6_000;

function rowsOf({ newOrder, cancel, reads, orderMessage, fillMessage }: VenueWords): readonly Row[] {
  const ofRequests = [newOrder, cancel].flatMap((operation): Row[] => [
    [operation, 0.03, { kind: 'lost', isApplied: true }],
    [operation, 0.02, { kind: 'lost', isApplied: false }],
    [operation, 0.02, { kind: 'status', status: 500, isApplied: true }],
    [operation, 0.01, { kind: 'status', status: 502, isApplied: true }],
    [operation, 0.01, { kind: 'status', status: 504, isApplied: true }],
    [operation, 0.01, { kind: 'status', status: 500, isApplied: false }],
    // This is the answer of a venue that is down. It must have no effect at the venue, since the gateway believes a venue's explicit answer.
    [operation, 0.01, { kind: 'status', status: 503, isApplied: false }],
    [operation, 0.006, { kind: 'hung', isApplied: true, hangMs: HANG_MS }],
    [operation, 0.002, { kind: 'hung', isApplied: false, hangMs: HANG_MS }],
    [operation, 0.01, { kind: 'rate-limited' }],
    [operation, 0.05, { kind: 'delay', beforeMs: 150, afterMs: 0 }],
    [operation, 0.05, { kind: 'delay', beforeMs: 0, afterMs: 300 }],
  ]);
  const ofReads: readonly Row[] = [
    [reads, 0.02, { kind: 'lost', isApplied: true }],
    [reads, 0.02, { kind: 'status', status: 503, isApplied: true }],
    [reads, 0.05, { kind: 'delay', beforeMs: 0, afterMs: 250 }],
  ];
  const ofMessages = [orderMessage, fillMessage].flatMap((operation): Row[] => [
    [operation, 0.04, { kind: 'drop' }],
    [operation, 0.06, { kind: 'duplicate' }],
    [operation, 0.04, { kind: 'swap' }],
    [operation, 0.01, { kind: 'disconnect' }],
  ]);
  return [...ofRequests, ...ofReads, ...ofMessages];
}

export async function planFaults(paper: Control, seed: number): Promise<void> {
  await paper.control('PUT', '/faults/seed', { seed });
  const rules = VENUES.flatMap(venue =>
    rowsOf(WORDS[venue]).map(([operation, probability, fault]) => ({ venue, operation, probability, fault })),
  );
  const settlements = [
    { venue: 'venue_a', probability: 0.01, fault: { kind: 'settlement-fails' } },
    { venue: 'venue_a', probability: 0.03, fault: { kind: 'settlement-retries' } },
  ];
  for (const rule of [...rules, ...settlements]) await paper.control('POST', '/faults', rule);
}

/** One spell of bad weather at a venue; resolves when it is over. */
export async function weather(paper: Control, random: Random): Promise<void> {
  const venue = random.pick(VENUES);
  const [of, lastsMs] = [`/venues/${venue}`, 200 + random.below(1_000)];
  switch (random.below(5)) {
    case 0:
      await paper.control('POST', `${of}/disconnect`, {});
      return;
    case 1:
      await paper.control('POST', `${of}/pause`, {});
      await pause(lastsMs);
      await paper.control('POST', `${of}/resume`, {});
      return;
    case 2:
      await paper.control('PUT', `${of}/reads`, { staleMs: 500 + random.below(2_500) });
      await pause(lastsMs);
      await paper.control('PUT', `${of}/reads`, { staleMs: 0 });
      return;
    case 3:
      await paper.control('POST', '/faults', { venue, lastsMs, probability: 0.5, fault: { kind: 'rate-limited' } });
      return;
    default:
      await paper.control('POST', '/faults', {
        ...{ venue, operation: WORDS[venue].newOrder, lastsMs, probability: 0.5 },
        fault: { kind: 'lost', isApplied: random.chance(0.5) },
      });
  }
}

/** Ends all faults and reconnects the streams, so that their lost messages are read. Returns the number of strikes of each fault. */
export async function clearSky(paper: Control): Promise<Readonly<Record<string, number>>> {
  await endFaults(paper);
  for (const venue of VENUES) await paper.control('POST', `/venues/${venue}/disconnect`, {});
  return struck(paper);
}

/** Ends the faults. The streams go on, with their losses. */
export async function endFaults(paper: Control): Promise<void> {
  await paper.control('DELETE', '/faults');
  await paper.control('DELETE', '/conditions');
  for (const venue of VENUES) await paper.control('POST', `/venues/${venue}/resume`);
}

/** Returns the number of strikes of each kind of fault since the beginning. */
export async function struck(paper: Control): Promise<Readonly<Record<string, number>>> {
  const { counts } = await paper.control<{ readonly counts: Readonly<Record<string, number>> }>(
    'GET',
    '/faults/journal',
  );
  return counts;
}
