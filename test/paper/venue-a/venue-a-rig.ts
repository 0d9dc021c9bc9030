// Venue A's paper exchange behind its server on a free port, with time that stands still. It has one regular and one neg-risk market, and
// wallets that sign as the venue's clients do. For tests of its REST and its streams.

import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { SocketRoute } from '../../../src/core/net/listen.ts';
import { Random } from '../../../src/core/runtime/random.ts';
import { positionsOf } from '../../../src/paper/catalog/identity.ts';
import type { Game, VenueAEventListing, VenueAMarketListing } from '../../../src/paper/catalog/listings.ts';
import type { Faults } from '../../../src/paper/faults/faults.ts';
import { VenueAExchange } from '../../../src/paper/venue-a/exchange.ts';
import type { VenueAMarket } from '../../../src/paper/venue-a/market.ts';
import type { OrderType } from '../../../src/paper/venue-a/records.ts';
import { type Credentials, VenueAAccess } from '../../../src/paper/venue-a/rest/access.ts';
import type { RateTier } from '../../../src/paper/venue-a/rest/route.ts';
import { startVenueAServer, type VenueAServer } from '../../../src/paper/venue-a/server.ts';
import { type Bytes32, ZERO_BYTES32 } from '../../../src/venues/venue-a/abi-words.ts';
import { type Address, checksumAddress, writeHex } from '../../../src/venues/venue-a/address.ts';
import { l2Signature } from '../../../src/venues/venue-a/auth.ts';
import { exchangeOf, POLYGON } from '../../../src/venues/venue-a/exchanges.ts';
import { orderDigest, orderId, signOrder } from '../../../src/venues/venue-a/order-signing.ts';
import { type Protocol, protocolOf } from '../../../src/venues/venue-a/position-ids.ts';
import { addressOf, type PrivateKey } from '../../../src/venues/venue-a/secp256k1.ts';
import { BUY, POLY_1271, SELL, type SignatureType, type VenueAOrder } from '../../../src/venues/venue-a/typed-data.ts';
import { NO_FAULTS } from '../../support/no-faults.ts';
import { privateKeyOf, signL1 } from '../../support/venue-a-orders.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { PLAIN_MARKET } from './core/core-rig.ts';

/** The clock of the recorded requests. */
export const START_MS = 1_790_000_000_000;
const HOUR_MS = 3_600_000;

const team = (code: string) => ({ code, name: `The ${code}`, place: code, nickname: code });

const GAME: Game = {
  id: 'game-1',
  league: 'nba',
  home: team('HOM'),
  away: team('AWY'),
  startsAt: (START_MS + 6 * HOUR_MS) as UnixMillis,
  lengthMs: 2 * HOUR_MS,
  strength: { home: 110, away: 108, deviation: 12 },
};

const digits = (character: string) => character.repeat(64);

export function marketListing(change: Partial<VenueAMarketListing> = {}): VenueAMarketListing {
  return {
    id: '501',
    slug: 'hom-awy',
    conditionId: `0x${digits('a')}`,
    questionId: `0x${digits('b')}`,
    outcomes: ['HOM', 'AWY'],
    tokens: ['1111111111111111111111', '2222222222222222222222'],
    ...PLAIN_MARKET,
    createdAt: (START_MS - 24 * HOUR_MS) as UnixMillis,
    endAt: (START_MS + 24 * HOUR_MS) as UnixMillis,
    pricedBy: { question: 'question-1', isComplement: false },
    ...change,
  };
}

export function eventListing(markets: readonly VenueAMarketListing[], id = '900'): VenueAEventListing {
  const tag = { id: '100639', label: 'Games', slug: 'games' };
  return {
    id,
    slug: `event-${id}`,
    title: 'AWY at HOM',
    sport: {
      id: 1,
      sport: 'nba',
      name: 'NBA',
      series: '10345',
      ordering: 'away',
      tags: ['1', '100639'],
      primaryTagId: '1',
      resolution: 'https://www.nba.com/',
    },
    tags: [tag],
    game: GAME,
    gameId: 77,
    negRiskMarketId: markets.some(market => market.isNegRisk) ? `0x${digits('c')}` : null,
    markets,
  };
}

export const REGULAR = marketListing();
export const NEG_RISK = marketListing({
  id: '502',
  slug: 'draw',
  conditionId: `0x${digits('d')}`,
  outcomes: ['Yes', 'No'],
  tokens: ['3333333333333333333333', '4444444444444444444444'],
  isNegRisk: true,
  tickSize: '0.001',
  fees: { rate: '0.05', exponent: 1 },
});

export const SECOND_PROTOCOL = marketListing({
  id: '503',
  slug: 'total',
  ...positionsOf('test market'),
  outcomes: ['Over', 'Under'],
});

export interface RigOptions {
  readonly events?: readonly VenueAEventListing[];
  readonly faults?: Faults;
  readonly faucet?: number;
  readonly mode?: 'exact' | 'instant';
  readonly tier?: RateTier;
  readonly sockets?: (parts: {
    exchange: VenueAExchange;
    access: VenueAAccess;
    faults: Faults;
    timers: VirtualTimers;
  }) => readonly SocketRoute<never>[];
}

export interface Wallet {
  readonly key: PrivateKey;
  readonly address: Address;
  readonly credentials: Credentials;
}

export interface Answer {
  readonly status: number;
  /** The body of the answer. The tests check its form. */
  readonly body: ReturnType<typeof JSON.parse>;
  readonly headers: Headers;
}

export interface OrderWish {
  readonly token: string;
  readonly side: 'BUY' | 'SELL';
  /** The amounts in millionths, as signed: `[maker, taker]`. */
  readonly amounts: readonly [number, number];
  readonly type?: OrderType;
  readonly expirationS?: number;
  readonly postOnly?: boolean;
  readonly maker?: Address;
  readonly signatureType?: SignatureType;
  /** The protocol of the exchange for which the order is signed. The default is the protocol of the token. */
  readonly protocol?: Protocol;
  readonly isNegRisk?: boolean;
  readonly builder?: Bytes32;
  /** Members of the body, in addition to the right members or in their place. */
  readonly body?: object;
}

export interface PostedOrder {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>> & { readonly order: Readonly<Record<string, unknown>> };
}

/** Returns the amounts of a limit order; price and shares are in the smallest unit. */
export function amountsOf(side: 'BUY' | 'SELL', price: number, shares: number): readonly [number, number] {
  const dollars = Math.round((price * shares) / 10_000);
  return side === 'BUY' ? [dollars, shares] : [shares, dollars];
}

export class VenueARig {
  readonly timers = new VirtualTimers(START_MS);
  readonly exchange: VenueAExchange;
  readonly access: VenueAAccess;
  readonly faults: Faults;
  #server: VenueAServer | null = null;
  #salt = 0n;

  private constructor({
    events = [eventListing([REGULAR, NEG_RISK, SECOND_PROTOCOL])],
    faults = NO_FAULTS,
    faucet = 0,
  }: RigOptions) {
    this.faults = faults;
    const sports = events.map(event => event.sport);
    this.exchange = new VenueAExchange({ sports, events, timers: this.timers, faults, random: new Random(7) });
    this.access = new VenueAAccess({
      exchange: this.exchange,
      chainId: POLYGON,
      seed: 'rig',
      faucet: faucet as MicroDollars,
    });
  }

  static async start(options: RigOptions = {}): Promise<VenueARig> {
    const rig = new VenueARig(options);
    const { exchange, access, faults, timers } = rig;
    const { mode = 'exact', tier } = options;
    rig.#server = await startVenueAServer({
      exchange,
      access,
      faults,
      timers,
      chainId: POLYGON,
      host: '127.0.0.1',
      port: 0,
      mode,
      ...(tier === undefined ? {} : { tier }),
      sockets: options.sockets?.(rig) ?? [],
    });
    return rig;
  }

  get server(): VenueAServer {
    if (this.#server === null) throw new Error('not started');
    return this.#server;
  }

  get nowS(): number {
    return Math.floor(this.timers.now() / 1_000);
  }

  close(): void {
    this.server.close();
  }

  market(listing: VenueAMarketListing): VenueAMarket {
    const market = this.exchange.markets.get(listing.conditionId);
    if (market === undefined) throw new Error(`no market ${listing.conditionId}`);
    return market;
  }

  /** Returns a wallet with an API key and this many dollars. The same number gives the same keys. */
  wallet(number: number, dollars = 1_000): Wallet {
    const key = privateKeyOf(number.toString(16).padStart(64, '0'));
    const address = addressOf(key);
    const credentials = this.access.createKey(address, 0n);
    if (credentials === null) throw new Error(`wallet ${number} has a key already`);
    if (dollars > 0) this.exchange.deposit(checksumAddress(address), (dollars * 1_000_000) as MicroDollars);
    return { key, address, credentials };
  }

  /** Quotes liquidity of the house in the first token's frame: the price in cents, the size in whole shares. */
  quote(
    listing: VenueAMarketListing,
    side: 0 | 1,
    cents: number,
    shares: number,
    kind: 'rest' | 'take' = 'rest',
  ): void {
    const { desk } = this.exchange;
    const market = desk.markets.find(it => it.address === listing.conditionId)!;
    const [price, size] = [(cents * 100) as Ticks, (shares * 1_000_000) as MicroShares];
    const placed = desk.place(market, side, price, size, kind);
    if (placed === null && kind === 'rest') throw new Error('the house could not quote');
  }

  order(wallet: Wallet, wish: OrderWish): PostedOrder {
    const { token, side, amounts, type = 'GTC', expirationS = 0, postOnly = false, maker = wallet.address } = wish;
    const {
      builder = ZERO_BYTES32,
      signatureType = 0,
      protocol = protocolOf(token),
      isNegRisk = token === NEG_RISK.tokens[0] || token === NEG_RISK.tokens[1],
    } = wish;
    this.#salt += 1n;
    const order: VenueAOrder = {
      salt: this.#salt,
      maker,
      signer: signatureType === POLY_1271 ? maker : wallet.address,
      tokenId: BigInt(token),
      makerAmount: BigInt(amounts[0]),
      takerAmount: BigInt(amounts[1]),
      side: side === 'BUY' ? BUY : SELL,
      signatureType,
      timestamp: BigInt(this.timers.now()),
      metadata: ZERO_BYTES32,
      builder,
    };
    const exchange = exchangeOf(protocol, POLYGON, isNegRisk);
    const wire = {
      ...order,
      salt: Number(order.salt),
      maker: checksumAddress(order.maker),
      signer: checksumAddress(order.signer),
      tokenId: token,
      makerAmount: String(amounts[0]),
      takerAmount: String(amounts[1]),
      side,
      timestamp: String(order.timestamp),
      expiration: String(expirationS),
      signature: writeHex(signOrder(order, wallet.key, exchange)),
    };
    const body = { deferExec: false, postOnly, order: wire, owner: wallet.credentials.apiKey, orderType: type };
    return { id: orderId(orderDigest(order, exchange)), body: { ...body, ...wish.body } };
  }

  /** Signs an order and posts it. */
  async post(wallet: Wallet, wish: OrderWish): Promise<Answer & { readonly id: string }> {
    const { id, body } = this.order(wallet, wish);
    return { id, ...(await this.call(wallet, 'POST', '/order', body)) };
  }

  /** Sends a private request. The query is sent, but not signed. */
  call(wallet: Wallet, method: string, target: string, body?: unknown): Promise<Answer> {
    const text = body === undefined ? '' : JSON.stringify(body);
    return this.send(method, target, text, this.l2Headers(wallet, method, target, text));
  }

  l2Headers(wallet: Wallet, method: string, target: string, text: string): Record<string, string> {
    const { apiKey, secret, passphrase } = wallet.credentials;
    const timestamp = String(this.nowS);
    const request = { timestamp, method, path: target, body: Buffer.from(text) };
    return {
      POLY_ADDRESS: checksumAddress(wallet.address),
      POLY_SIGNATURE: l2Signature({ ...request, secret }),
      POLY_TIMESTAMP: timestamp,
      POLY_API_KEY: apiKey,
      POLY_PASSPHRASE: passphrase,
    };
  }

  l1Headers(key: PrivateKey, nonce: bigint, timestampS = this.nowS): Record<string, string> {
    const { address, signature, timestamp } = signL1(key, POLYGON, timestampS, nonce);
    return {
      POLY_ADDRESS: address,
      POLY_SIGNATURE: signature,
      POLY_TIMESTAMP: timestamp,
      POLY_NONCE: String(nonce),
    };
  }

  get(target: string): Promise<Answer> {
    return this.send('GET', target, '', {});
  }

  async send(method: string, target: string, text: string, headers: Record<string, string>): Promise<Answer> {
    const answer = await fetch(this.server.restUrl + target, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(text === '' ? {} : { body: text }),
    });
    const body = await answer.text();
    return { status: answer.status, body: body === '' ? '' : JSON.parse(body), headers: answer.headers };
  }
}
