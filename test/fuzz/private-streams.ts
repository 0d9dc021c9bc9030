// The private stream of an account at either venue on a desk. Its socket is in memory, its time stands still, and REST reads find nothing.
// Small implementations of the ports Connect and OutboundPool.

import type { Connect, SocketHandlers } from '../../src/core/net/websocket.ts';
import { silentLog } from '../../src/core/runtime/log.ts';
import type { PrivateEvent } from '../../src/venues/venue.ts';
import { MarketTermsCache } from '../../src/venues/venue-a/trading/market-terms.ts';
import { TradeFills } from '../../src/venues/venue-a/trading/trade-fills.ts';
import { UserStream } from '../../src/venues/venue-a/trading/user-stream.ts';
import { VenueApi } from '../../src/venues/venue-a/trading/venue-api.ts';
import { createBudgetMemory, VenueBBudget } from '../../src/venues/venue-b/trading/budget.ts';
import { VenueBPrivateStream } from '../../src/venues/venue-b/trading/private-stream.ts';
import { VenueBRest } from '../../src/venues/venue-b/trading/rest.ts';
import { VenueBSettlements } from '../../src/venues/venue-b/trading/settlements.ts';
import { outboundBy } from '../support/outbound-by.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { UNSIGNED } from '../venues/venue-b/trading/scripted-rest.ts';

/** The venue's end of the latest connection. */
class VenueSocket {
  isTerminated = false;
  #handlers: SocketHandlers | null = null;

  readonly connect: Connect = (_options, handlers) => {
    this.#handlers = handlers;
    this.isTerminated = false;
    return {
      send: () => {},
      terminate: () => {
        this.isTerminated = true;
      },
    };
  };

  open(): void {
    this.#handlers?.onOpen();
  }

  say(frame: string | Uint8Array): void {
    this.#handlers?.onFrame(Buffer.from(frame), false);
  }
}

interface LiveStream {
  readonly socket: VenueSocket;
  readonly timers: VirtualTimers;
  /** Events so far. */
  readonly events: PrivateEvent[];
}

const NOTHING_THERE = outboundBy(async () => ({ type: 'answer', status: 404, headers: new Map(), body: '' }));

/** Returns a stream that is connected and up, which is its only event. */
export function liveStream(venue: 'venue_a' | 'venue_b'): LiveStream {
  const live = { socket: new VenueSocket(), timers: new VirtualTimers(), events: [] as PrivateEvent[] };
  const stream = venue === 'venue_a' ? userStream(live) : privateStream(live);
  stream.start();
  live.socket.open();
  if (venue === 'venue_a') live.socket.say('PONG');
  for (const [index, channel] of ['fill', 'user_orders', 'market_lifecycle_v2'].entries()) {
    if (venue === 'venue_b') live.socket.say(JSON.stringify({ type: 'subscribed', msg: { channel, sid: index + 1 } }));
  }
  return live;
}

function userStream({ socket, timers, events }: LiveStream): UserStream {
  const credentials = { apiKey: 'us', secret: 'c2VjcmV0', passphrase: 'pass' };
  const api = new VenueApi({ account: credentials, address: '0xab', outbound: NOTHING_THERE, timers });
  return new UserStream({
    account: { ...credentials, userStreamUrl: 'ws://venue' },
    fills: new TradeFills(api, new MarketTermsCache(api)),
    isOurs: { is: () => true, mayBe: () => true },
    connect: socket.connect,
    timers,
    random: () => 0.5,
    log: silentLog,
    noteEnd: () => {},
    onEvent: event => events.push(event),
  });
}

function privateStream({ socket, timers, events }: LiveStream): VenueBPrivateStream {
  const tell = (event: PrivateEvent): void => void events.push(event);
  const budget = new VenueBBudget(createBudgetMemory(), () => timers.now());
  const signatures = UNSIGNED;
  const rest = new VenueBRest({ restUrl: 'http://venue/v2', signatures, outbound: NOTHING_THERE, budget, timers });
  return new VenueBPrivateStream({
    connection: { url: 'ws://venue', headers: () => ({}), connect: socket.connect, random: () => 0.5 },
    settlements: new VenueBSettlements({ rest, timers, log: silentLog, onEvent: tell, isHeld: () => true }),
    timers,
    log: silentLog,
    onEvent: tell,
  });
}
