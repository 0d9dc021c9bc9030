// Venue A's exchange without its wire, with orders as short texts. It has two markets of one game, callers with money, and a house that quotes. Time
// stands still, tests can set faults, and the events for observers are recorded as texts.

import { ASK, BID, type Side } from '../../../../src/core/domain/market.ts';
import {
  formatMicroShares,
  formatTicks,
  type MicroDollars,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../../../src/core/domain/numbers.ts';
import { Random } from '../../../../src/core/runtime/random.ts';
import { tokenOf } from '../../../../src/paper/catalog/identity.ts';
import type { VenueAEventListing, VenueAMarketListing } from '../../../../src/paper/catalog/listings.ts';
import { VenueAExchange } from '../../../../src/paper/venue-a/exchange.ts';
import type { VenueAMarket } from '../../../../src/paper/venue-a/market.ts';
import type { NewOrder, OrderRecord, VenueAEvent } from '../../../../src/paper/venue-a/records.ts';
import { ZERO_BYTES32 } from '../../../../src/venues/venue-a/abi-words.ts';
import { NO_FAULTS } from '../../../support/no-faults.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';

/** Returns the two token ids of the market with this name. */
export const tokensOf = (name: string) => [tokenOf(name, 'first'), tokenOf(name, 'second')] as const;

export const START = 1_790_000_000_000 as UnixMillis;
export const HOUR_MS = 3_600_000;

export const dollars = (amount: number) => Math.round(amount * 1e6) as MicroDollars;
export const shares = (count: number) => Math.round(count * 1e6) as MicroShares;
const cents = (price: number) => Math.round(price * 100) as Ticks;

interface RigOptions {
  readonly first?: Partial<VenueAMarketListing>;
  readonly second?: Partial<VenueAMarketListing>;
  readonly seed?: number;
  /** The dollars that ann, bob and cat begin with. */
  readonly cash?: number;
}

type Wish = Partial<Pick<NewOrder, 'type' | 'postOnly' | 'expirationS' | 'spends' | 'orderId' | 'market'>>;

export class CoreRig {
  readonly timers = new VirtualTimers(START);
  readonly faults = { fate: null as 'fails' | 'retries' | null, delayMs: null as number | null };
  readonly exchange: VenueAExchange;
  readonly market: VenueAMarket;
  readonly other: VenueAMarket;
  readonly events: VenueAEvent[] = [];
  #orders = 0;

  constructor({ first = {}, second = {}, seed = 7, cash = 1_000 }: RigOptions = {}) {
    const faults = {
      ...NO_FAULTS,
      ofSettlement: () => this.faults.fate,
      settlementDelayMs: () => this.faults.delayMs,
    };
    const events = [gameWith([listing('a', first), listing('b', second)])];
    const { timers } = this;
    this.exchange = new VenueAExchange({ sports: [], events, timers, faults, random: new Random(seed) });
    const [market, other] = [...this.exchange.markets.values()];
    this.market = market!;
    this.other = other!;
    for (const name of ['ann', 'bob', 'cat']) this.exchange.deposit(walletOf(name), dollars(cash));
    this.exchange.observe(event => this.events.push(event));
  }

  /** Parses an order such as `"buy yes 10 @ 40"`, in whole shares and cents or fractions of them; `no` is the second token. */
  request(name: string, text: string, wish: Wish = {}): NewOrder {
    const [verb, token, size, , price] = text.split(' ');
    this.#orders += 1;
    return {
      orderId: `0x${this.#orders.toString(16).padStart(64, '0')}`,
      owner: keyOf(name),
      wallet: walletOf(name),
      market: this.market,
      token: token === 'yes' ? 0 : 1,
      isBuy: verb === 'buy',
      price: cents(Number(price)),
      size: shares(Number(size)),
      spends: null,
      type: 'GTC',
      expirationS: 0,
      builderCode: ZERO_BYTES32,
      postOnly: false,
      ...wish,
    };
  }

  place(name: string, text: string, wish: Wish = {}) {
    return this.exchange.place(this.request(name, text, wish));
  }

  /** Places an order, and fails if it is refused. */
  placed(name: string, text: string, wish: Wish = {}) {
    const result = this.place(name, text, wish);
    if (!result.ok) throw new Error(`${name}: ${text}: ${result.error}`);
    return result.value;
  }

  refusal(name: string, text: string, wish: Wish = {}): string {
    const result = this.place(name, text, wish);
    return result.ok ? 'taken' : result.error;
  }

  /** Places a resting order of the house. A bid buys YES, an ask buys NO. */
  quote(side: Side, size: number, price: number) {
    const [market] = this.exchange.desk.markets;
    return this.exchange.desk.place(market!, side, cents(price), shares(size), 'rest');
  }

  cancel(name: string, ...orders: { readonly order: OrderRecord }[]) {
    return this.exchange.cancels.cancel(
      keyOf(name),
      orders.map(it => it.order.orderId),
    );
  }

  /** Returns the dollars of the caller. */
  cash(name: string): number {
    return this.exchange.collateral(walletOf(name)) / 1e6;
  }

  /** Returns the whole shares of both tokens. */
  held(name: string, market = this.market): [number, number] {
    return [0, 1].map(token => this.exchange.shares(walletOf(name), market, token as 0 | 1) / 1e6) as [number, number];
  }

  order(name: string, { order }: { readonly order: OrderRecord }, staleMs = 0): OrderRecord | null {
    return this.exchange.order(keyOf(name), order.orderId, staleMs);
  }

  open(name: string, staleMs = 0): OrderRecord[] {
    return [...this.exchange.openOrders(keyOf(name), staleMs)];
  }

  trades(name: string, staleMs = 0) {
    return [...this.exchange.trades(keyOf(name), staleMs)];
  }

  position(name: string, token: 0 | 1 = 0, market = this.market) {
    return [...this.exchange.positions(walletOf(name))].find(it => it.market === market && it.token === token);
  }

  /** Returns the bids, such as `["0.4 × 10"]`, then the asks, each best first. */
  book(market = this.market): [string[], string[]] {
    const side = (of: Side) =>
      [...market.levels(of)].map(it => `${formatTicks(it.price)} × ${formatMicroShares(it.size)}`);
    return [side(BID), side(ASK)];
  }

  /** Returns the events since the last call. */
  reported(): string[] {
    return this.events.splice(0).map(lineOf);
  }
}

export function walletOf(name: string): string {
  return `0x${Buffer.from(name.padEnd(20, '_')).toString('hex')}`;
}

export function keyOf(name: string): string {
  return `key-${name}`;
}

function lineOf(event: VenueAEvent): string {
  switch (event.type) {
    case 'level': {
      const side = event.side === BID ? 'bid' : 'ask';
      const size = formatMicroShares(event.size);
      return `level ${side} ${formatTicks(event.price)} × ${size} by ${event.isSecond ? 'no' : 'yes'}`;
    }
    case 'trade':
    case 'trade-status': {
      const { status, isBuy, token, size, price } = event.trade;
      const what = `${isBuy ? 'buy' : 'sell'} ${token === 0 ? 'yes' : 'no'}`;
      return `${event.type} ${status} ${what} ${formatMicroShares(size)} @ ${formatTicks(price)}`;
    }
    case 'order': {
      const { owner, status, matched, size, reason } = event.order;
      const fill = `${formatMicroShares(matched)}/${formatMicroShares(size)}`;
      return `${event.change} ${owner.slice(4)} ${status} ${fill}${reason === '' ? '' : ` ${reason}`}`;
    }
    case 'tick-size':
      return `tick-size ${event.before} to ${event.market.tickSize}`;
    case 'created':
    case 'forgotten':
    case 'resolved':
      return event.type;
    default:
      return event satisfies never;
  }
}

/** A winner market of a game, without fees. */
export const PLAIN_MARKET = {
  question: 'Who wins?',
  sportsMarketType: 'moneyline',
  line: null,
  groupItemTitle: '',
  tickSize: '0.01',
  minOrderSize: '5',
  isNegRisk: false,
  takerDelayS: 0,
  clearsBookOnStart: false,
  fees: { rate: '0', exponent: 1 },
} as const;

export function listing(letter: string, change: Partial<VenueAMarketListing>): VenueAMarketListing {
  return {
    id: letter,
    slug: `market-${letter}`,
    conditionId: `0x${letter.repeat(64)}`,
    questionId: `0x${'0'.repeat(64)}`,
    outcomes: ['Home', 'Away'],
    tokens: tokensOf(letter),
    ...PLAIN_MARKET,
    createdAt: (START - HOUR_MS) as UnixMillis,
    endAt: (START + 9 * HOUR_MS) as UnixMillis,
    pricedBy: { question: 'home wins', isComplement: false },
    ...change,
  };
}

export function gameWith(markets: readonly VenueAMarketListing[]): VenueAEventListing {
  const team = (code: string) => ({ code, name: code, place: code, nickname: code });
  return {
    id: '1',
    slug: 'away-home',
    title: 'Away at Home',
    sport: {
      id: 1,
      sport: 'nba',
      name: 'NBA',
      series: '1',
      ordering: 'away',
      tags: ['1'],
      primaryTagId: '1',
      resolution: '',
    },
    tags: [],
    game: {
      id: 'game',
      league: 'nba',
      home: team('HOM'),
      away: team('AWY'),
      startsAt: (START + 6 * HOUR_MS) as UnixMillis,
      lengthMs: 2 * HOUR_MS,
      strength: { home: 100, away: 100, deviation: 10 },
    },
    gameId: 1,
    negRiskMarketId: null,
    markets,
  };
}
