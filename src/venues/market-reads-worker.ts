// The thread of the market reads: asks venues for single markets or their terms, and parses the answers. It is apart from sockets and
// orders, so that no other thread parses the texts of those servers.

import { parentPort, workerData } from 'node:worker_threads';
import type { Venue } from '../core/domain/market.ts';
import type { SummaryVenue } from '../core/domain/market-summary.ts';
import { assert } from '../core/domain/result.ts';
import type { OutboundPool } from '../core/net/outbound.ts';
import { HttpOutboundPool } from '../core/net/outbound-pool.ts';
import { keepPulse, type Pulsed } from '../core/runtime/pulse.ts';
import { EndableTimers, wallTimers } from '../core/runtime/timers.ts';
import { limits } from '../limits.ts';
import {
  faulty,
  type MarketReader,
  type MarketReading,
  type MarketReadTarget,
  type MarketReadTargets,
  type ReadVenue,
} from './market-read.ts';
import { MarketReadHttp } from './market-read-http.ts';
import type { PaceTerms } from './request-pace.ts';
import type { TermsReader, TermsReading } from './trading-terms.ts';
import { VenueAMarketReader } from './venue-a/market-read.ts';
import { VenueATermsReader } from './venue-a/public-terms.ts';
import { VenueBTermsReader } from './venue-b/public-terms.ts';
import { VenueDMarketReader } from './venue-d/market-read.ts';
import { VenueEMarketReader } from './venue-e/market-read.ts';

export interface MarketReadsData extends Pulsed {
  readonly targets: MarketReadTargets;
  readonly pulseMs: number;
}

export type ToMarketReads =
  | { readonly op: 'read'; readonly id: number; readonly venue: SummaryVenue; readonly marketId: string }
  | { readonly op: 'terms'; readonly id: number; readonly venue: Venue; readonly address: string }
  | { readonly op: 'close' };

export interface FromMarketReads {
  readonly id: number;
  readonly reading: MarketReading | TermsReading;
}

const PACES: Readonly<Record<ReadVenue, PaceTerms>> = {
  venue_b: { concurrentMax: limits.venueBFactsInFlightMax, gapMs: limits.venueBFactsGapMs },
  venue_a: { concurrentMax: limits.venueAReadsConcurrentMax, gapMs: limits.venueAReadsGapMs },
  venue_d: { concurrentMax: limits.venueDReadsConcurrentMax, gapMs: limits.venueDReadsGapMs },
  venue_e: { concurrentMax: limits.venueEReadsConcurrentMax, gapMs: limits.venueEReadsGapMs },
};

const port = parentPort;
assert(port !== null, 'market-reads-worker.ts runs as a worker');
const { targets, pulseMs } = workerData as MarketReadsData;
const timers = new EndableTimers(wallTimers);
const httpA = targets.venue_a && httpOf('venue_a', targets.venue_a);
const httpB = targets.venue_b && httpOf('venue_b', targets.venue_b);
const readers: Readonly<Record<SummaryVenue, MarketReader | null>> = {
  venue_a: httpA && new VenueAMarketReader(httpA),
  venue_d: targets.venue_d && new VenueDMarketReader(httpOf('venue_d', targets.venue_d)),
  venue_e: targets.venue_e && new VenueEMarketReader(httpOf('venue_e', targets.venue_e, apiKeyHeader()), timers),
};

const termsReaders: Readonly<Record<Venue, TermsReader | null>> = {
  venue_a: httpA && new VenueATermsReader(httpA, timers),
  venue_b: httpB && new VenueBTermsReader(httpB, timers),
};

port.on('message', (message: ToMarketReads) => {
  if (message.op === 'close') void close();
  else void answer(message);
});
keepPulse(pulseMs);

async function answer(question: Exclude<ToMarketReads, { op: 'close' }>): Promise<void> {
  const { id, op, venue } = question;
  const asked =
    op === 'read' ? readers[venue]?.read(question.marketId) : termsReaders[venue]?.readTerms(question.address);
  port?.postMessage({ id, reading: (await asked) ?? faulty(venue, 'is not configured') } satisfies FromMarketReads);
}

function httpOf(
  venue: ReadVenue,
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

function poolOf(venue: ReadVenue, url: string): OutboundPool {
  return new HttpOutboundPool({
    origin: new URL(url).origin,
    connectionsMax: PACES[venue].concurrentMax,
    idleMs: limits.orderConnectionIdleMs,
    answerBytesMax: limits.marketReadBodyBytesMax,
  });
}

/** The header with the API key; no header if no key is configured. */
function apiKeyHeader(): Readonly<Record<string, string>> {
  const apiKey = targets.venue_e?.apiKey ?? null;
  return apiKey === null ? {} : { apikey: apiKey };
}

async function close(): Promise<void> {
  await Promise.all([...Object.values(readers), httpB].map(it => it?.close()));
  // A pause that a venue has asked for may last longer than the shutdown may take.
  timers.end();
  port?.close();
}
