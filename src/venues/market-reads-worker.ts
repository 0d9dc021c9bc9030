// The thread of the market reads: asks venues for single markets and parses their answers, apart from sockets and orders. Only
// this thread parses what those servers send.

import { parentPort, workerData } from 'node:worker_threads';
import type { SummaryVenue } from '../domain/market-summary.ts';
import { assert } from '../domain/result.ts';
import { limits } from '../limits.ts';
import type { OutboundPool } from '../net/outbound.ts';
import { HttpOutboundPool } from '../net/outbound-pool.ts';
import { keepPulse, type Pulsed } from '../runtime/pulse.ts';
import { EndableTimers, wallTimers } from '../runtime/timers.ts';
import {
  faulty,
  type MarketReader,
  type MarketReading,
  type MarketReadTarget,
  type MarketReadTargets,
} from './market-read.ts';
import { MarketReadHttp } from './market-read-http.ts';
import type { PaceTerms } from './request-pace.ts';
import { VenueAMarketReader } from './venue-a/market-read.ts';
import { VenueDMarketReader } from './venue-d/market-read.ts';
import { VenueEMarketReader } from './venue-e/market-read.ts';

export interface MarketReadsData extends Pulsed {
  readonly targets: MarketReadTargets;
  readonly pulseMs: number;
}

export type ToMarketReads =
  | { readonly op: 'read'; readonly id: number; readonly venue: SummaryVenue; readonly marketId: string }
  | { readonly op: 'close' };

export interface FromMarketReads {
  readonly id: number;
  readonly reading: MarketReading;
}

const PACES: Readonly<Record<SummaryVenue, PaceTerms>> = {
  venue_a: { concurrentMax: limits.venueAReadsConcurrentMax, gapMs: limits.venueAReadsGapMs },
  venue_d: { concurrentMax: limits.venueDReadsConcurrentMax, gapMs: limits.venueDReadsGapMs },
  venue_e: { concurrentMax: limits.venueEReadsConcurrentMax, gapMs: limits.venueEReadsGapMs },
};

const port = parentPort;
assert(port !== null, 'market-reads-worker.ts runs as a worker');
const { targets, pulseMs } = workerData as MarketReadsData;
const timers = new EndableTimers(wallTimers);
const readers: Readonly<Record<SummaryVenue, MarketReader | null>> = {
  venue_a: targets.venue_a && new VenueAMarketReader(httpOf('venue_a', targets.venue_a)),
  venue_d: targets.venue_d && new VenueDMarketReader(httpOf('venue_d', targets.venue_d)),
  venue_e: targets.venue_e && new VenueEMarketReader(httpOf('venue_e', targets.venue_e, apiKeyHeader()), timers),
};

port.on('message', (message: ToMarketReads) => {
  if (message.op === 'close') void close();
  else void answer(message.id, message.venue, message.marketId);
});
keepPulse(pulseMs);

async function answer(id: number, venue: SummaryVenue, marketId: string): Promise<void> {
  const reading = (await readers[venue]?.read(marketId)) ?? faulty(venue, 'is not configured');
  port?.postMessage({ id, reading } satisfies FromMarketReads);
}

function httpOf(
  venue: SummaryVenue,
  { url }: MarketReadTarget,
  headers: Readonly<Record<string, string>> = {},
): MarketReadHttp {
  return new MarketReadHttp({
    venue,
    url,
    headers,
    pace: PACES[venue],
    outbound: poolOf(venue, url),
    timers,
  });
}

function poolOf(venue: SummaryVenue, url: string): OutboundPool {
  return new HttpOutboundPool({
    origin: new URL(url).origin,
    connectionsMax: PACES[venue].concurrentMax,
    idleMs: limits.orderConnectionIdleMs,
    answerBytesMax: limits.marketReadBodyBytesMax,
  });
}

/** The API key is optional. */
function apiKeyHeader(): Readonly<Record<string, string>> {
  const apiKey = targets.venue_e?.apiKey ?? null;
  return apiKey === null ? {} : { apikey: apiKey };
}

async function close(): Promise<void> {
  await Promise.all(Object.values(readers).map(reader => reader?.close()));
  // A venue may ask for a pause longer than the shutdown.
  timers.end();
  port?.close();
}
