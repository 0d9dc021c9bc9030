// The paper venue B as a caller meets it. It has exchange, keys and a server on a free port of loopback, house liquidity in short words,
// and users. Their requests are signed as venue-b.md §2 says, natively and not by our own signer.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { ASK, BID } from '../../../src/core/domain/market.ts';
import { type MicroDollars, parseMicroShares, parseTicks } from '../../../src/core/domain/numbers.ts';
import { assert } from '../../../src/core/domain/result.ts';
import { Random } from '../../../src/core/runtime/random.ts';
import type { Timers } from '../../../src/core/runtime/timers.ts';
import type { VenueBEventListing } from '../../../src/paper/catalog/listings.ts';
import type { Faults } from '../../../src/paper/faults/faults.ts';
import { VenueBExchange } from '../../../src/paper/venue-b/exchange.ts';
import type { VenueBMarket } from '../../../src/paper/venue-b/market.ts';
import { ALL_SCOPES, type Scope, type UsageTier, VenueBAccess } from '../../../src/paper/venue-b/rest/access.ts';
import { Funds } from '../../../src/paper/venue-b/rest/funds.ts';
import { startVenueBServer, type VenueBServer } from '../../../src/paper/venue-b/server.ts';
import { NO_FAULTS } from '../../support/no-faults.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { listedEvent } from './venue-b-listings.ts';

export const TICKER = 'KXNBAGAME-26NOV21NYKBOS-BOS';
export const OTHER_TICKER = 'KXNBAGAME-26NOV21NYKBOS-NYK';
export const EVENT_TICKER = 'KXNBAGAME-26NOV21NYKBOS';

export interface RigOptions {
  /** The timers; virtual by default. */
  readonly timers?: Timers;
  /** The listed events. The default is one event with two markets. */
  readonly events?: readonly VenueBEventListing[];
  readonly faults?: Partial<Faults>;
  readonly mode?: 'exact' | 'instant';
}

interface UserOptions {
  readonly cents?: number;
  readonly tier?: UsageTier;
  readonly scopes?: readonly Scope[];
  readonly subaccount?: number;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The body of the answer. Undefined means that the text is empty or not JSON. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** One key of a user, with a method to send signed requests. */
export class RigUser {
  readonly userId: string;
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly #rig: VenueBRig;

  constructor(rig: VenueBRig, userId: string, keyId: string, privateKey: KeyObject) {
    this.#rig = rig;
    this.userId = userId;
    this.keyId = keyId;
    this.privateKey = privateKey;
  }

  /** Sends a request. `path` is below `/trade-api/v2`, and includes the query. */
  send(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#rig.fetch(method, path, body, this.headers(method, path));
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  headers(method: string, path: string, skewMs = 0): Record<string, string> {
    return this.headersFor(method, `/trade-api/v2${path}`, skewMs);
  }

  /** Returns the signed headers. `fullPath` starts at the host's root. */
  headersFor(method: string, fullPath: string, skewMs = 0): Record<string, string> {
    const timestamp = String(this.#rig.exchange.now() + skewMs);
    const text = Buffer.from(timestamp + method + fullPath.split('?', 1)[0]);
    return {
      'KALSHI-ACCESS-KEY': this.keyId,
      'KALSHI-ACCESS-TIMESTAMP': timestamp,
      'KALSHI-ACCESS-SIGNATURE': sign(null, text, this.privateKey).toString('base64'),
    };
  }
}

export class VenueBRig {
  readonly exchange: VenueBExchange;
  readonly access: VenueBAccess;
  readonly timers: Timers;
  readonly server: VenueBServer;
  #users = 0;
  #keys = 0;

  private constructor(exchange: VenueBExchange, access: VenueBAccess, timers: Timers, server: VenueBServer) {
    this.exchange = exchange;
    this.access = access;
    this.timers = timers;
    this.server = server;
  }

  static async start({
    timers = new VirtualTimers(),
    events,
    faults: some,
    mode = 'exact',
  }: RigOptions = {}): Promise<VenueBRig> {
    const faults: Faults = { ...NO_FAULTS, ...some };
    const listed = events ?? [
      listedEvent({ eventTicker: EVENT_TICKER, tickers: [TICKER, OTHER_TICKER], now: timers.now() }),
    ];
    const series = [...new Set(listed.map(event => event.series))];
    const exchange = new VenueBExchange({ series, events: listed, timers, faults, random: new Random(1) });
    const access = new VenueBAccess(() => exchange.now());
    const random = new Random(2);
    const server = await startVenueBServer({
      exchange,
      access,
      funds: new Funds(exchange),
      faults,
      timers,
      random,
      host: '127.0.0.1',
      port: 0,
      mode,
      onFailure: error => console.error(error),
    });
    return new VenueBRig(exchange, access, timers, server);
  }

  close(): void {
    this.server.close();
  }

  /** Adds a user with a key and an account, which has $1 000 by default. */
  user({ cents = 100_000, tier = 'prestige', ...key }: UserOptions = {}): RigUser {
    this.#users += 1;
    const userId = `${String(this.#users).padStart(8, '0')}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`;
    assert(this.access.addUser({ userId, tier }), 'as many users as there may be');
    this.fund(userId, cents);
    return this.key(userId, key);
  }

  /** Adds another key of a user. */
  key(userId: string, { scopes = ALL_SCOPES, subaccount }: UserOptions = {}): RigUser {
    this.#keys += 1;
    const keyId = `${String(this.#keys).padStart(8, '0')}-bbbb-4bbb-8bbb-bbbbbbbbbbbb`;
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const added = this.access.addKey({
      keyId,
      userId,
      publicKeyPem,
      scopes,
      subaccount: subaccount ?? null,
      name: 'rig',
    });
    assert(added.ok, 'the key is refused');
    return new RigUser(this, userId, keyId, privateKey);
  }

  fund(userId: string, cents: number, subaccount = 0, shard = 0): void {
    assert(this.exchange.deposit({ userId, subaccount }, (cents * 10_000) as MicroDollars, shard), 'no such deposit');
  }

  market(ticker = TICKER): VenueBMarket {
    const market = this.exchange.markets.get(ticker);
    assert(market !== undefined, `no market ${ticker}`);
    return market;
  }

  /** Places an order of the house, such as `bid 0.47 x 3`. It rests or, with `take`, takes. */
  house(text: string, kind: 'rest' | 'take' = 'rest', ticker = TICKER): void {
    const [, side, price, count] = /^(bid|ask) (\S+) x (\S+)$/.exec(text) ?? [];
    const market = this.exchange.desk.markets.find(({ address }) => address === ticker);
    const ticks = parseTicks(price ?? '');
    const size = parseMicroShares(count ?? '');
    assert(market !== undefined && ticks !== null && size !== null, `no order: ${text}`);
    this.exchange.desk.place(market, side === 'bid' ? BID : ASK, ticks, size, kind);
  }

  async fetch(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(this.server.restUrl + path, {
      method,
      redirect: 'manual',
      headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: text }),
    });
    const answer = await response.text();
    return { status: response.status, text: answer, body: jsonOf(answer), headers: response.headers };
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

let orders = 0;

/** Returns the body of a new order. The default is a resting bid far from any other order. */
export function newOrder(changes: Record<string, unknown> = {}): Record<string, unknown> {
  orders += 1;
  return {
    ticker: TICKER,
    client_order_id: `order-${orders}`,
    side: 'bid',
    count: '1.00',
    price: '0.0100',
    time_in_force: 'good_till_canceled',
    self_trade_prevention_type: 'taker_at_cross',
    ...changes,
  };
}
