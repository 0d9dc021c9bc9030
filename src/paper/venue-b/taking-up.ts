// Takes up venue B's rows that were kept from its last run: money, holdings, positions, orders, fills, results and groups. Thread of the
// paper exchanges.

import type { MicroDollars, UnixMillis } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import { type Engine, giveKeptShares } from '../engine/engine.ts';
import type { KeptRows } from '../kept-rows.ts';
import type { Bookkeeping, PositionBook } from './bookkeeping.ts';
import type { Journal, Kept, KeptAccount, KeptFill, KeptHolding, KeptMarket, KeptOrder } from './journal.ts';
import type { VenueBMarket } from './market.ts';
import type { MarketLife } from './market-life.ts';
import { engineOrder } from './order-entry.ts';
import type { OrderGroups, OrderLedger } from './order-ledger.ts';
import type { NewOrder, OrderGroupRecord, Owner, PositionRecord, SettlementRecord } from './records.ts';
import { type OwnerAccount, type Owners, VenueBOrder } from './venue-b-order.ts';

/** The cash of the account that gives kept shares: $500 million. With it the sum of all money stays exact. */
const GIVER_CASH = 500_000_000_000_000 as MicroDollars;

export interface TakenUpParts {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly bookkeeping: Bookkeeping;
  readonly ledger: OrderLedger;
  readonly owners: Owners;
  readonly groups: OrderGroups;
  readonly positions: PositionBook;
  readonly life: MarketLife;
  /** The markets by ticker. */
  readonly markets: ReadonlyMap<string, VenueBMarket>;
}

/** Call this once, after the exchange has listed its markets and opened its accounts, and before anybody trades. */
export function takeUp(parts: TakenUpParts, rows: KeptRows, now: UnixMillis): void {
  new TakingUp(parts, rows, now).run();
}

class TakingUp {
  readonly #parts: TakenUpParts;
  readonly #rows: KeptRows;
  readonly #now: UnixMillis;

  constructor(parts: TakenUpParts, rows: KeptRows, now: UnixMillis) {
    this.#parts = parts;
    this.#rows = rows;
    this.#now = now;
  }

  run(): void {
    const { journal, engine } = this.#parts;
    journal.begin(this.#now);
    for (const [, row] of this.#rows.rows('venue_b account')) this.#account(row as KeptAccount);
    for (const [, row] of this.#rows.rows('venue_b group')) this.#parts.groups.takeUp(row as OrderGroupRecord);
    const giver = engine.addAccount(GIVER_CASH);
    this.#each<KeptHolding>('venue_b holding', (row, market) => {
      const { id } = this.#parts.owners.fund(this.#accountOf(row.owner), market.shard, this.#now);
      giveKeptShares(engine, [giver, id], market.id, row);
    });
    this.#each<Kept<PositionRecord>>('venue_b position', (row, market) => this.#position(row, market));
    const orders: [KeptOrder, VenueBMarket][] = [];
    for (const kind of ['venue_b ended', 'venue_b order'] as const) {
      this.#each<KeptOrder>(kind, (row, market) => orders.push([row, market]));
    }
    orders.sort(([a], [b]) => a.number - b.number);
    for (const [row, market] of orders) this.#order(row, market);
    for (const [id, row] of this.#rows.rows('venue_b fill')) this.#fill(id, row as KeptFill);
    this.#each<Kept<SettlementRecord>>('venue_b settlement', (row, market) => {
      this.#accountOf(row.owner).settlements.push({ ...row, market });
    });
    for (const [ticker, row] of this.#rows.rows('venue_b market')) {
      const market = this.#parts.markets.get(ticker);
      const { outcome, grid } = row as KeptMarket;
      if (market === undefined) this.#rows.drop('venue_b market', ticker);
      else {
        if (grid !== undefined) market.grid = grid;
        if (outcome !== null) this.#parts.life.takeUp(market, outcome);
      }
    }
  }

  /** Calls `take` for each row of a kind. Rows of markets that are no longer listed are dropped. */
  #each<T extends { readonly market: string }>(
    kind: 'venue_b holding' | 'venue_b position' | 'venue_b order' | 'venue_b ended' | 'venue_b settlement',
    take: (row: T, market: VenueBMarket) => void,
  ): void {
    for (const [id, row] of [...this.#rows.rows(kind)]) {
      const market = this.#parts.markets.get((row as T).market);
      if (market === undefined) this.#rows.drop(kind, id);
      else take(row as T, market);
    }
  }

  #account({ owner, shard, cash }: KeptAccount): void {
    const { engine, journal, owners } = this.#parts;
    const account = this.#accountOf(owner);
    const { id } = owners.fund(account, shard, this.#now);
    const isSet = engine.deposit(id, (cash - engine.account(id).cash) as MicroDollars);
    assert(isSet, `owner ${owner.userId} cannot have ${cash}`);
    journal.touchAccount(account);
    journal.commit(null);
  }

  #position({ owner, ...row }: Kept<PositionRecord>, market: VenueBMarket): void {
    const { journal, positions } = this.#parts;
    const account = this.#accountOf(owner);
    const position = positions.of(account, market);
    position.takeUp(row);
    journal.begin(row.updatedAt);
    journal.touchPosition(account, position);
    journal.commit(null);
  }

  #order(row: KeptOrder, market: VenueBMarket): void {
    const { bookkeeping, engine, journal, ledger } = this.#parts;
    const account = this.#accountOf(row.owner);
    const group = row.orderGroupId === null ? null : (account.groups.get(row.orderGroupId) ?? null);
    const request = requestOf(row, market);
    const order = new VenueBOrder(row.orderId, account, request, group, row.createdAt);
    order.takeUp(row);
    account.user.clientOrderIds.add(row.clientOrderId);
    journal.begin(row.updatedAt);
    const { held } = row;
    if (held === null) ledger.addEnded(order);
    else
      bookkeeping.expecting(order, () => engine.resume(engineOrder(order, { ...request, size: row.remaining }), held));
    journal.touchOrder(order);
    journal.commit(null);
  }

  #fill(id: string, { trade, ...fill }: KeptFill): void {
    const market = this.#parts.markets.get(trade.market);
    if (market === undefined) this.#rows.drop('venue_b fill', id);
    else this.#accountOf(fill.owner).fills.push({ ...fill, trade: { ...trade, market } });
  }

  #accountOf(owner: Owner): OwnerAccount {
    const account = this.#parts.owners.open(owner, this.#now);
    assert(account !== null, `owner ${owner.userId} has no room`);
    return account;
  }
}

function requestOf(row: KeptOrder, market: VenueBMarket): NewOrder {
  const { clientOrderId, side, price, expiresAt, selfTrade, postOnly, orderGroupId, isCancelledOnPause } = row;
  const size = row.initial;
  const terms = { clientOrderId, market, side, price, size, expiresAt, selfTrade, postOnly, orderGroupId };
  return { ...terms, isCancelledOnPause, timeInForce: 'GTC', reduceOnly: false };
}
