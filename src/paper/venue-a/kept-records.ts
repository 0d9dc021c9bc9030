// Keeps callers' rows at venue A for the next start: wallets, positions, orders, trades, conversions and markets. House orders are not
// kept, because the makers quote again. Thread of the paper exchanges.

import type { MicroDollars } from '../../core/domain/numbers.ts';
import type { Held } from '../engine/accounts.ts';
import type { Engine } from '../engine/engine.ts';
import type { Keeping } from '../kept-rows.ts';
import type { ClientOrder } from './client-order.ts';
import type { VenueAMarket } from './market.ts';
import type { ConversionRecord, OrderRecord, TradeRecord } from './records.ts';
import type { Position, Wallet } from './wallet.ts';

/** A record as it is kept, with the condition id in place of its market. */
type Kept<T> = Omit<T, 'market'> & { readonly market: string };
export interface KeptOrder extends Kept<OrderRecord> {
  readonly postOnly: boolean;
  readonly spends: MicroDollars | null;
  readonly number: number;
  /** The reservation of the order, while the order rests in the book. */
  readonly held: Held | null;
}
export type KeptTrade = Kept<TradeRecord>;
export interface KeptConversion extends Kept<ConversionRecord> {
  readonly address: string;
}
export interface KeptWallet {
  readonly address: string;
  /** The free, reserved and withheld dollars. */
  readonly collateral: MicroDollars;
  readonly brought: MicroDollars;
  /** Files of older releases lack the nonce; it is 0 then. */
  readonly nonce?: number;
}
export interface KeptPosition {
  readonly address: string;
  readonly market: string;
  readonly tokens: readonly [ReturnType<Position['kept']>, ReturnType<Position['kept']>];
}
export type KeptMarket = Pick<VenueAMarket, 'tickSize' | 'resolution'>;

export class VenueAKeeper {
  readonly #keeping: Keeping;
  readonly #engine: Engine;

  constructor(keeping: Keeping, engine: Engine) {
    this.#keeping = keeping;
    this.#engine = engine;
  }

  /** Keeps the order, and the wallet that pays for it. */
  order(order: ClientOrder, isOpen: boolean): void {
    const { orderId, wallet, market } = order;
    const row = (): KeptOrder => this.#order(order);
    this.#keeping.touch('venue_a order', orderId, () => (isOpen ? row() : null));
    if (!isOpen) this.#keeping.touch('venue_a ended', orderId, row);
    this.shares(wallet, market);
  }

  wallet(wallet: Wallet): void {
    const { address, account } = wallet;
    this.#keeping.touch('venue_a wallet', address, (): KeptWallet => {
      const { cash, reserved } = this.#engine.account(account);
      const collateral = (cash + reserved + wallet.withheld) as MicroDollars;
      return { address, collateral, brought: wallet.brought, nonce: wallet.nonce };
    });
  }

  /** Keeps the wallet, and its shares of a market. */
  shares(wallet: Wallet, market: VenueAMarket): void {
    this.wallet(wallet);
    this.#keeping.touchGame(market.event.game.id);
    const { address } = wallet;
    this.#keeping.touch('venue_a position', `${address}/${market.conditionId}`, (): KeptPosition => {
      const [first, second] = [wallet.position(market, 0), wallet.position(market, 1)];
      return { address, market: market.conditionId, tokens: [first.kept(), second.kept()] };
    });
  }

  trade(trade: TradeRecord): void {
    this.#keeping.touch('venue_a trade', trade.tradeId, (): KeptTrade => named(trade));
  }

  conversion(wallet: Wallet, conversion: ConversionRecord): void {
    const { address } = wallet;
    this.shares(wallet, conversion.market);
    const id = `${address}/${conversion.transactionHash}`;
    this.#keeping.touch('venue_a conversion', id, (): KeptConversion => ({ ...named(conversion), address }));
  }

  market(market: VenueAMarket): void {
    const { conditionId } = market;
    this.#keeping.touch('venue_a market', conditionId, (): KeptMarket => {
      const { tickSize, resolution } = market;
      return { tickSize, resolution };
    });
  }

  forget({ conditionId }: VenueAMarket): void {
    this.#keeping.touch('venue_a market', conditionId, () => null);
  }

  commit(): void {
    this.#keeping.commit();
  }

  #order({ record, postOnly, spends, number, engineId }: ClientOrder): KeptOrder {
    const view = engineId === null ? undefined : this.#engine.order(engineId);
    const held = view === undefined ? null : { closing: view.closing, reserved: view.reserved };
    return { ...named(record), postOnly, spends, number, held };
  }
}

function named<T extends { readonly market: VenueAMarket }>(record: T): Kept<T> {
  return { ...record, market: record.market.conditionId };
}
