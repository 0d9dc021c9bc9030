// The servers of both venues' paper exchanges, each on ports of its own. Thread of the paper exchanges.

import type { Timers } from '../core/runtime/timers.ts';
import type { ChainId } from '../venues/venue-a/exchanges.ts';
import type { Catalog } from './catalog/listings.ts';
import { OPENING_BALANCE } from './control/json-readers.ts';
import { VenueAControl } from './control/venue-a-control.ts';
import { VenueBControl } from './control/venue-b-control.ts';
import { type Faults, skewedTimers } from './faults/faults.ts';
import { OpenStreams } from './faults/with-faults.ts';
import type { Before } from './http-server.ts';
import { type Keeping, keptRandom, NOT_KEPT } from './kept-rows.ts';
import { startDataServer } from './venue-a/data-api/data-server.ts';
import { VenueAExchange } from './venue-a/exchange.ts';
import type { ScoreOf } from './venue-a/gamma/event-object.ts';
import { startGammaServer } from './venue-a/gamma/gamma-server.ts';
import { VenueAAccess } from './venue-a/rest/access.ts';
import { startVenueAServer } from './venue-a/server.ts';
import { marketStreamRoute } from './venue-a/stream/market-session.ts';
import { userStreamRoute } from './venue-a/stream/user-session.ts';
import { VenueBExchange } from './venue-b/exchange.ts';
import { VenueBAccess } from './venue-b/rest/access.ts';
import { Funds } from './venue-b/rest/funds.ts';
import { startVenueBServer } from './venue-b/server.ts';

interface PaperVenueAOptions {
  readonly catalog: Catalog['venueA'];
  readonly timers: Timers;
  readonly faults: Faults;
  readonly seed: number;
  readonly chainId: ChainId;
  /** The secret from which API keys are derived. */
  readonly keySeed: string;
  readonly host: string;
  readonly ports: { readonly clob: number; readonly gamma: number; readonly data: number };
  readonly mode: 'exact' | 'instant';
  /** Keeps rows for the next start. By default nothing is kept. */
  readonly keeping?: Keeping;
  /** Without this function Gamma's events have no scores. */
  readonly scoreOf?: ScoreOf;
  /** A function for which each request to the CLOB waits. By default no request waits. */
  readonly before?: Before | null;
}

export interface PaperVenueA {
  readonly exchange: VenueAExchange;
  readonly control: VenueAControl;
  readonly urls: {
    readonly rest: string;
    readonly marketStream: string;
    readonly userStream: string;
    readonly gamma: string;
    readonly data: string;
    readonly relayer: string;
  };
  close(): void;
}

/** Starts the servers. Rejects if a port cannot be bound. */
export async function startPaperVenueA(options: PaperVenueAOptions): Promise<PaperVenueA> {
  const { catalog, faults, seed, chainId, host, ports, mode, keeping = NOT_KEPT, scoreOf = () => null } = options;
  const timers = skewedTimers(options.timers, faults, 'venue_a');
  const random = keptRandom(keeping, 'venue_a ids', seed);
  const exchange = new VenueAExchange({ ...catalog, timers, faults, random, keeping });
  const access = new VenueAAccess({ exchange, chainId, seed: options.keySeed, faucet: OPENING_BALANCE, keeping });
  const streams = new OpenStreams();
  const routes = [
    marketStreamRoute({ exchange, faults, timers }),
    userStreamRoute({ exchange, access, faults, timers }),
  ];
  const sockets = routes.map(route => streams.watch(route));
  const servers: { close(): void }[] = [];
  const close = (): void => {
    for (const server of servers) server.close();
  };
  try {
    const clob = await startVenueAServer({
      exchange,
      access,
      faults,
      timers,
      chainId,
      host,
      port: ports.clob,
      mode,
      sockets,
      before: options.before ?? null,
    });
    servers.push(clob);
    const gamma = await startGammaServer({ exchange, host, port: ports.gamma, scoreOf });
    servers.push(gamma);
    const data = await startDataServer({ exchange, host, port: ports.data });
    servers.push(data);
    return {
      exchange,
      control: new VenueAControl({ exchange, access, chainId, streams, keeping }),
      urls: {
        rest: clob.restUrl,
        marketStream: clob.marketStreamUrl,
        userStream: clob.userStreamUrl,
        gamma: gamma.url,
        data: data.url,
        relayer: clob.restUrl,
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

interface PaperVenueBOptions {
  readonly catalog: Catalog['venueB'];
  readonly timers: Timers;
  readonly faults: Faults;
  readonly seed: number;
  readonly host: string;
  readonly port: number;
  readonly mode: 'exact' | 'instant';
  /** Keeps rows for the next start. By default nothing is kept. */
  readonly keeping?: Keeping;
  /** Called for each error of the simulator itself. The caller of the venue gets a 500. */
  readonly onFailure?: (error: unknown) => void;
  /** A function for which each request waits. By default no request waits. */
  readonly before?: Before | null;
}

export interface PaperVenueB {
  readonly exchange: VenueBExchange;
  readonly control: VenueBControl;
  readonly urls: { readonly rest: string; readonly stream: string };
  close(): void;
}

/** Starts the server. Rejects if the port cannot be bound. */
export async function startPaperVenueB(options: PaperVenueBOptions): Promise<PaperVenueB> {
  const { catalog, faults, host, port, mode, keeping = NOT_KEPT } = options;
  const timers = skewedTimers(options.timers, faults, 'venue_b');
  const random = keptRandom(keeping, 'venue_b ids', options.seed);
  const exchange = new VenueBExchange({ ...catalog, timers, faults, random, keeping });
  const access = new VenueBAccess(() => exchange.now(), keeping);
  const streams = new OpenStreams();
  const { before = null } = options;
  const funds = new Funds(exchange, keeping);
  const parts = { exchange, access, funds, faults, timers, random, streams, host, port, mode, before };
  const { onFailure } = options;
  const server = await startVenueBServer(onFailure === undefined ? parts : { ...parts, onFailure });
  return {
    exchange,
    control: new VenueBControl({ exchange, access, funds, streams }),
    urls: { rest: server.restUrl, stream: server.streamUrl },
    close: () => server.close(),
  };
}
