// Venue B's exchange on virtual time, for the tests of its core. It has two markets and three users with money. Orders and events for observers are
// short texts.

import { ASK, BID, type Side } from '../../../../src/core/domain/market.ts';
import {
  formatMicroShares,
  type MicroDollars,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../../../src/core/domain/numbers.ts';
import { assert, unreachable } from '../../../../src/core/domain/result.ts';
import { Random } from '../../../../src/core/runtime/random.ts';
import type {
  Game,
  PriceGrid,
  VenueBEventListing,
  VenueBMarketListing,
} from '../../../../src/paper/catalog/listings.ts';
import type { Faults } from '../../../../src/paper/faults/faults.ts';
import type { HouseMarket } from '../../../../src/paper/flow/market-maker.ts';
import { VenueBExchange } from '../../../../src/paper/venue-b/exchange.ts';
import type { VenueBMarket } from '../../../../src/paper/venue-b/market.ts';
import type { NewOrder, OrderRecord, Owner, VenueBEvent } from '../../../../src/paper/venue-b/records.ts';
import { NO_FAULTS } from '../../../support/no-faults.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';

export const START = 1_800_000_000_000;
export const OPEN_MS = 60_000;
export const CLOSE_MS = 3_600_000;
/** The terms of an order that may rest, take and open, and that belongs to no group. */
export const PLAIN_TERMS = {
  timeInForce: 'GTC',
  expiresAt: null,
  selfTrade: 'taker_at_cross',
  postOnly: false,
  reduceOnly: false,
  orderGroupId: null,
  isCancelledOnPause: false,
} as const;
const SHARE = 1_000_000;
const CENT = 100;

const linearCent: PriceGrid = { name: 'linear_cent', ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }] };
const tapered: PriceGrid = {
  name: 'tapered_deci_cent',
  ranges: [
    { start: '0.0000', end: '0.1000', step: '0.0010' },
    { start: '0.1000', end: '0.9000', step: '0.0100' },
    { start: '0.9000', end: '1.0000', step: '0.0010' },
  ],
};

const team = { code: 'BOS', name: 'Boston Celtics', place: 'Boston', nickname: 'Celtics' };
const game: Game = {
  id: 'game-1',
  league: 'nba',
  home: team,
  away: { ...team, code: 'NYK' },
  startsAt: (START + OPEN_MS) as UnixMillis,
  lengthMs: CLOSE_MS,
  strength: { home: 110, away: 108, deviation: 12 },
};

function listing(ticker: string, grid: PriceGrid, openAt: number): VenueBMarketListing {
  return {
    ticker,
    marketId: `00000000-0000-4000-8000-00000000000${ticker.length}`,
    eventTicker: 'GAME',
    title: 'Boston wins',
    yesSubTitle: 'Boston',
    noSubTitle: 'Boston',
    grid,
    createdAt: (START - 1) as UnixMillis,
    openAt: openAt as UnixMillis,
    closeAt: (START + CLOSE_MS) as UnixMillis,
    expectedExpirationAt: (START + CLOSE_MS) as UnixMillis,
    strike: { type: 'structured' },
    rulesPrimary: '',
    rulesSecondary: '',
    pricedBy: { question: 'q', isComplement: false },
  };
}

interface Setting {
  readonly faults?: Partial<Faults>;
  /** The multiplier of the fees; `0` makes every fill free. */
  readonly feeMultiplier?: string;
  readonly seed?: number;
  readonly moneyMicros?: MicroDollars;
}

export class Rig {
  readonly timers = new VirtualTimers(START);
  readonly exchange: VenueBExchange;
  readonly ann: Owner = { userId: '11111111-1111-4111-8111-111111111111', subaccount: 0 };
  readonly bob: Owner = { userId: '22222222-2222-4222-8222-222222222222', subaccount: 0 };
  readonly cat: Owner = { userId: '33333333-3333-4333-8333-333333333333', subaccount: 0 };
  /** All events that observers have received. */
  readonly heard: VenueBEvent[] = [];
  #ids = 0;
  #reported = 0;

  constructor({ faults, feeMultiplier = '0', seed = 1, moneyMicros = (1_000 * SHARE) as MicroDollars }: Setting = {}) {
    const series = {
      ticker: 'SERIES',
      title: 'Games',
      category: 'Sports',
      tags: [],
      frequency: 'custom',
      feeType: 'quadratic_with_maker_fees' as const,
      feeMultiplier,
    };
    const event: VenueBEventListing = {
      eventTicker: 'GAME',
      series,
      title: 'Boston at New York',
      subTitle: '',
      isMutuallyExclusive: false,
      game,
      competition: 'Pro Basketball (M)',
      scope: 'Games',
      markets: [
        listing('M', linearCent, START),
        listing('TAPERED', tapered, START),
        listing('LATER', linearCent, START + OPEN_MS),
      ],
    };
    this.exchange = new VenueBExchange({
      series: [series],
      events: [event],
      timers: this.timers,
      faults: { ...NO_FAULTS, ...faults },
      random: new Random(seed),
    });
    for (const owner of [this.ann, this.bob, this.cat]) this.exchange.deposit(owner, moneyMicros);
    this.exchange.observe(event => this.heard.push(event));
  }

  market(ticker = 'M'): VenueBMarket {
    const market = this.exchange.markets.get(ticker);
    assert(market !== undefined, `no market ${ticker}`);
    return market;
  }

  house(ticker = 'M'): HouseMarket {
    const market = this.exchange.desk.markets.find(({ address }) => address === ticker);
    assert(market !== undefined, `no market ${ticker}`);
    return market;
  }

  /** Places an order such as `bid 10 @ 40`, in contracts and cents or fractions of them. The client ids are c1, c2, … */
  place(owner: Owner, text: string, more: Partial<NewOrder> = {}) {
    const { side, size, price } = words(text);
    this.#ids += 1;
    return this.exchange.orders.place(owner, {
      clientOrderId: `c${this.#ids}`,
      market: this.market(),
      side,
      price,
      size,
      ...PLAIN_TERMS,
      ...more,
    });
  }

  /** Places an order as `place` does, and fails if the order is refused. */
  order(owner: Owner, text: string, more: Partial<NewOrder> = {}): OrderRecord {
    const placed = this.place(owner, text, more);
    assert(placed.ok, `${text} was refused`);
    return placed.value.order;
  }

  quote(text: string, ticker = 'M', kind: 'rest' | 'take' = 'rest') {
    const { side, size, price } = words(text);
    return this.exchange.desk.place(this.house(ticker), side, price, size, kind);
  }

  status(owner: Owner, orderId: string): string | undefined {
    return this.exchange.reads(0).order(owner, orderId)?.status;
  }

  name({ userId, subaccount }: Owner): string {
    return `${{ 1: 'ann', 2: 'bob', 3: 'cat' }[userId[0]!] ?? '?'}${subaccount === 0 ? '' : `/${subaccount}`}`;
  }

  /** Returns the messages since the last call. */
  news(): string[] {
    const news = this.heard.slice(this.#reported).map(event => this.#say(event));
    this.#reported = this.heard.length;
    return news;
  }

  book(ticker = 'M'): string {
    const side = (which: Side) =>
      Array.from(this.market(ticker).levels(which), ({ price, size }) => `${size / SHARE}@${price / CENT}`).join(' ');
    return `${side(BID)} | ${side(ASK)}`;
  }

  #say(event: VenueBEvent): string {
    switch (event.type) {
      case 'level': {
        const change = `${event.change > 0 ? '+' : '-'}${count(Math.abs(event.change) as MicroShares)}`;
        const cause = event.order === null ? '' : ` ${event.order.clientOrderId}`;
        return `level ${sideName(event.side)} ${event.price / CENT} ${change}=${count(event.size)}${cause}`;
      }
      case 'trade': {
        const { takerSide, size, price } = event.trade;
        return `trade ${sideName(takerSide)} ${count(size)} @ ${price / CENT}`;
      }
      case 'fill': {
        const { owner, clientOrderId, isTaker, trade, positionAfter } = event.fill;
        const role = isTaker ? 'takes' : 'makes';
        return `fill ${this.name(owner)} ${clientOrderId} ${role} ${count(trade.size)} now ${positionAfter / SHARE}`;
      }
      case 'order': {
        const { order, reason } = event;
        const state = `${order.status} ${count(order.filled)}/${count(order.initial)}`;
        return `order ${order.clientOrderId} ${state}${reason === null ? '' : ` ${reason}`}`;
      }
      case 'position':
        return `position ${this.name(event.position.owner)} ${event.position.position / SHARE}`;
      case 'group':
        return `group ${event.change}`;
      case 'forgotten':
        return `${event.market.ticker} forgotten`;
      case 'lifecycle':
        return `${event.market.ticker} ${event.change}`;
      default:
        return unreachable(event);
    }
  }
}

export function contracts(size: number): MicroShares {
  return Math.round(size * SHARE) as MicroShares;
}

export function cents(price: number): Ticks {
  return Math.round(price * CENT) as Ticks;
}

export function dollars(amount: number): MicroDollars {
  return Math.round(amount * SHARE) as MicroDollars;
}

function words(text: string): { side: Side; size: MicroShares; price: Ticks } {
  const [side, size, , price] = text.split(' ');
  return { side: side === 'bid' ? BID : ASK, size: contracts(Number(size)), price: cents(Number(price)) };
}

function sideName(side: Side): string {
  return side === BID ? 'bid' : 'ask';
}

function count(size: MicroShares): string {
  return formatMicroShares(size);
}
