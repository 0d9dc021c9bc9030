// Messages between the main thread and the publisher's thread. Books and tapes are in shared memory.

import type { MarketKey } from '../../core/domain/market.ts';
import type { SharedFigures } from '../../core/metrics/shared-figures.ts';
import { type NatsSettings, readNats } from '../../core/nats/settings.ts';
import type { Log } from '../../core/runtime/log.ts';
import { ConfigError, readChoice } from '../../core/runtime/setting-values.ts';
import type { Rejection } from '../../core/wire/messages.ts';
import type { TermsReading } from '../../venues/trading-terms.ts';
import type { BookListing } from '../book/live-books.ts';

/** The names of the publisher's counts in shared memory. The publisher's thread writes the counts. */
export const RELAY_COUNTS = ['messages', 'bytes', 'pauses', 'refused', 'connected'] as const;
export type RelayCounts = SharedFigures<(typeof RELAY_COUNTS)[number]>;

export interface RelayThreadData {
  readonly arena: SharedArrayBuffer;
  /** The buffer of `RelayCounts`. */
  readonly counters: SharedArrayBuffer;
  readonly nats: NatsSettings;
  readonly logLevel: Log['level'];
}

/** The leased markets that are described by now. Markets in neither list are not described yet. */
export interface LeaseOutcome {
  readonly accepted: readonly MarketKey[];
  readonly rejected: readonly Rejection[];
}

export type ToRelay =
  | BookListing
  | { readonly op: 'leased'; readonly id: number; readonly outcome: LeaseOutcome }
  | { readonly op: 'terms'; readonly id: number; readonly reading: TermsReading }
  /** Every lasting thread ends on this message. */
  | 'close';

export type FromRelay =
  | { readonly op: 'lease'; readonly id: number; readonly markets: readonly MarketKey[] }
  | { readonly op: 'terms'; readonly id: number; readonly market: MarketKey };

/** The role of a gateway: a publisher has the venues and publishes their books; a reader takes its books from a publisher. */
export interface RelaySettings {
  readonly role: 'publisher' | 'reader';
  readonly nats: NatsSettings;
}

const NAME = 'CROSSBOOK_BOOKS';

const ROLES = { publish: 'publisher', nats: 'reader' } as const;

/** Returns null if books come from the venues and are not published. Throws a ConfigError. */
export function readRelay(env: Readonly<Record<string, string | undefined>>): RelaySettings | null {
  const books = readChoice(NAME, env[NAME] ?? 'venues', ['venues', 'publish', 'nats']);
  if (books === 'venues') return null;
  const nats = readNats(env);
  if (nats === null) throw new ConfigError(`${NAME}: ${books} requires CROSSBOOK_NATS`);
  return { role: ROLES[books], nats };
}
