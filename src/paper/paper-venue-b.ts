// The paper venue B: its exchange, its access control, and its server. Thread of the paper exchanges.

import type { Timers } from '../core/runtime/timers.ts';
import type { Catalog } from './catalog/listings.ts';
import { VenueBControl } from './control/venue-b-control.ts';
import { type Faults, skewedTimers } from './faults/faults.ts';
import { OpenStreams } from './faults/streams.ts';
import { type Keeping, keptRandom, NOT_KEPT } from './kept-rows.ts';
import { VenueBExchange } from './venue-b/exchange.ts';
import { VenueBAccess } from './venue-b/rest/access.ts';
import { startVenueBServer } from './venue-b/server.ts';

interface PaperVenueBOptions {
  readonly catalog: Catalog['venueB'];
  readonly timers: Timers;
  readonly faults: Faults;
  readonly seed: number;
  readonly host: string;
  readonly port: number;
  readonly mode: 'exact' | 'instant';
  /** Default: nothing is kept for the next start. */
  readonly keeping?: Keeping;
  /** Called for each fault of ours; the caller of the venue gets a 500. */
  readonly onFailure?: (error: unknown) => void;
}

export interface PaperVenueB {
  readonly exchange: VenueBExchange;
  readonly control: VenueBControl;
  readonly urls: { readonly rest: string; readonly stream: string };
  close(): void;
}

/** Rejects if the port cannot be bound. */
export async function startPaperVenueB(options: PaperVenueBOptions): Promise<PaperVenueB> {
  const { catalog, faults, host, port, mode, keeping = NOT_KEPT } = options;
  const timers = skewedTimers(options.timers, faults, 'venue_b');
  const random = keptRandom(keeping, 'venue_b ids', options.seed);
  const exchange = new VenueBExchange({ ...catalog, timers, faults, random, keeping });
  const access = new VenueBAccess(() => exchange.now(), keeping);
  const streams = new OpenStreams();
  const parts = { exchange, access, faults, timers, random, streams, host, port, mode, keeping };
  const { onFailure } = options;
  const server = await startVenueBServer(onFailure === undefined ? parts : { ...parts, onFailure });
  return {
    exchange,
    control: new VenueBControl({ exchange, access, streams }),
    urls: { rest: server.restUrl, stream: server.streamUrl },
    close: () => server.close(),
  };
}
