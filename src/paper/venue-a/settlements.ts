// Settlement of a trade after the match: MATCHED, MINED, CONFIRMED, perhaps with RETRYING in between; or FAILED, which reverts
// it (venue-a.md §6.3). Driven by timers.
//
// The match decides whether a trade will fail; then the proceeds of both sides go into escrow at once. Both sides see them as theirs, but
// cannot pass them on: at the real venue, too, nobody can spend the result of an open transaction. So all of it is still there when the
// trade fails, and goes back. For two buyers the pairs are merged into their dollars, for two sellers the dollars are split into their
// pairs. The engine keeps the fees; the treasury refunds them.

import type { MicroDollars } from '../../core/domain/numbers.ts';
import { assert, type Result } from '../../core/domain/result.ts';
import type { Random } from '../../core/runtime/random.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { AccountId } from '../engine/engine-types.ts';
import type { Faults } from '../faults/faults.ts';
import { hash32 } from '../ids.ts';
import type { HouseAccounts } from './house-accounts.ts';
import type { VenueAKeeper } from './kept-records.ts';
import { sideOf, type VenueAMarket } from './market.ts';
import type { Match, Part } from './match.ts';
import type { Observers, Trade, TradeRecord, TradeStatus } from './records.ts';
import { moveCash } from './wallet.ts';

interface SettlementParts {
  readonly engine: Engine;
  readonly house: HouseAccounts;
  readonly timers: Timers;
  readonly faults: Faults;
  readonly random: Random;
  readonly observers: Observers;
  readonly keeper: VenueAKeeper;
}

/** A status, and its delay after the one before. */
type Step = readonly [status: TradeStatus, afterMs: number];

export class Settlements {
  readonly #parts: SettlementParts;
  /** Trades that will fail, and the way back for each. */
  readonly #failing = new Map<Trade, () => void>();
  readonly #stops = new Set<() => void>();

  constructor(parts: SettlementParts) {
    this.#parts = parts;
  }

  begin(trade: Trade, matches: readonly Match[]): void {
    const { faults } = this.#parts;
    const fate = faults.ofSettlement('venue_a');
    const confirmedMs = faults.settlementDelayMs('venue_a') ?? limits.paperVenueAConfirmedMs;
    const minedMs = Math.floor((confirmedMs * limits.paperVenueAMinedMs) / limits.paperVenueAConfirmedMs);
    const restMs = confirmedMs - minedMs;
    const settle = settled(minedMs, restMs);
    const retry: readonly Step[] = [
      ['RETRYING', minedMs],
      ['MATCHED', minedMs],
    ];
    if (fate === 'fails') this.#beginToFail(trade, matches, confirmedMs);
    else this.#follow(trade, fate === 'retries' ? [...retry, ...settle] : settle);
  }

  /** A trade of an earlier run settles, even if it was to fail. */
  takeUp(trade: Trade): void {
    const { status } = trade.record;
    if (status === 'CONFIRMED' || status === 'FAILED') return;
    const { paperVenueAMinedMs: minedMs, paperVenueAConfirmedMs: confirmedMs } = limits;
    const steps = settled(minedMs, confirmedMs - minedMs);
    this.#follow(trade, status === 'MINED' ? steps.slice(1) : steps);
  }

  /** Trades that will fail in a market fail now, before the market pays out. */
  failNow(market: VenueAMarket): void {
    for (const [trade, fail] of this.#failing) if (trade.record.market === market) fail();
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#stops.clear();
  }

  #follow(trade: Trade, [step, ...rest]: readonly Step[]): void {
    if (step === undefined) return;
    const [status, afterMs] = step;
    this.#after(afterMs, () => {
      const isSentAgain = status === 'MATCHED';
      this.#changeAndNotify(trade, isSentAgain ? { status, transactionHash: hash32(this.#parts.random) } : { status });
      this.#follow(trade, rest);
    });
  }

  #beginToFail(trade: Trade, matches: readonly Match[], afterMs: number): void {
    for (const match of matches) this.#withhold(match);
    const stop = this.#after(afterMs, () => fail());
    const fail = () => {
      stop();
      this.#failing.delete(trade);
      for (const match of matches) this.#undo(match);
      this.#changeAndNotify(trade, { status: 'FAILED' });
    };
    this.#failing.set(trade, fail);
  }

  #changeAndNotify(trade: Trade, change: Partial<Pick<TradeRecord, 'status' | 'transactionHash'>>): void {
    const { timers, observers, keeper } = this.#parts;
    const record = trade.change(timers.now(), change);
    keeper.trade(record);
    keeper.commit();
    observers.emit({ type: 'trade-status', trade: record });
  }

  #withhold({ taker, maker }: Match): void {
    const { engine, house } = this.#parts;
    for (const part of [taker, maker]) {
      const { party, fee, dollars } = part;
      if (party.isBuy) this.#handShares(part, party.account, house.escrow);
      else moveCash(engine, party.account, house.escrow, (dollars - fee) as MicroDollars);
      if (!party.isBuy) addWithheld(part, dollars - fee);
    }
  }

  #undo({ taker, maker }: Match): void {
    const { engine, house } = this.#parts;
    const { size } = taker;
    moveCash(engine, house.treasury, house.escrow, (taker.fee + maker.fee) as MicroDollars);
    const isAllBuy = taker.party.isBuy && maker.party.isBuy;
    const isAllSell = !taker.party.isBuy && !maker.party.isBuy;
    if (isAllBuy) mustBeDone(engine.redeemPair(house.escrow, taker.party.market.id, size));
    if (isAllSell) mustBeDone(engine.mintPair(house.escrow, taker.party.market.id, size));
    for (const part of [taker, maker]) {
      const { party, fee, dollars, costSold } = part;
      const position = party.wallet?.position(party.market, party.token);
      if (party.isBuy) {
        moveCash(engine, house.escrow, party.account, (dollars + fee) as MicroDollars);
        position?.undoBuy(size, dollars);
      } else {
        this.#handShares(part, house.escrow, party.account);
        position?.undoSell(size, dollars, costSold);
        addWithheld(part, fee - dollars);
      }
      if (party.wallet !== null) this.#parts.keeper.shares(party.wallet, party.market);
    }
  }

  #handShares({ party, size }: Part, from: AccountId, to: AccountId): void {
    const { market, token } = party;
    mustBeDone(this.#parts.engine.giveShares(from, to, market.id, sideOf(token, true), size));
  }

  #after(delayMs: number, task: () => void): () => void {
    const cancel = this.#parts.timers.after(delayMs, () => {
      this.#stops.delete(stop);
      task();
    });
    const stop = () => {
      this.#stops.delete(stop);
      cancel();
    };
    this.#stops.add(stop);
    return stop;
  }
}

function settled(minedMs: number, restMs: number): readonly Step[] {
  return [
    ['MINED', minedMs],
    ['CONFIRMED', restMs],
  ];
}

function addWithheld({ party: { wallet } }: Part, more: number): void {
  if (wallet !== null) wallet.withheld = (wallet.withheld + more) as MicroDollars;
}

function mustBeDone(result: Result<void, string>): void {
  assert(result.ok, `what is in escrow cannot be moved: ${result.ok ? '' : result.error}`);
}
