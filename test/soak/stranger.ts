// A trader who uses a pod's accounts without the gateway: the position belongs to the pod, and to no actor.

import { randomUUID } from 'node:crypto';
import { OrderType, Side } from '@polymarket/clob-client-v2';
import { VenueBTrader, venueAClient } from '../support/paper-traders.ts';
import type { SoakMarket } from './markets.ts';
import type { PaperProcess, PodAccount } from './paper-process.ts';

export class Stranger {
  /** The order ids: at venue B the client order ids that it gave, at venue A the ids that it received. */
  readonly orderIds = new Set<string>();
  readonly #venueA: ReturnType<typeof venueAClient>;
  readonly #venueB: VenueBTrader;

  constructor({ accounts }: PodAccount, urls: PaperProcess['urls']) {
    this.#venueA = venueAClient(urls['venue_a rest'], accounts);
    this.#venueB = new VenueBTrader(urls['venue_b rest'], accounts);
  }

  /** Buys all offers of a market, at almost any price. Use it only without faults, since it would not know the order id after a lost answer. */
  async buy(market: SoakMarket): Promise<void> {
    if (market.venue === 'venue_b') return this.#buyAtB(market.ticker);
    const order = { tokenID: market.tokenId, price: 0.9, amount: 5, side: Side.BUY };
    const type = OrderType.FAK;
    const { orderID } = await this.#venueA.createAndPostMarketOrder({ ...order, orderType: type }, undefined, type);
    this.orderIds.add(String(orderID).toLowerCase());
  }

  async #buyAtB(ticker: string): Promise<void> {
    const clientOrderId = randomUUID();
    this.orderIds.add(clientOrderId);
    const { status, body } = await this.#venueB.call('POST', '/portfolio/events/orders', {
      ...{ ticker, side: 'bid', count: '3.00', price: '0.9000', client_order_id: clientOrderId },
      time_in_force: 'immediate_or_cancel',
      self_trade_prevention_type: 'taker_at_cross',
    });
    if (status !== 201) throw new Error(`venue B refuses: ${JSON.stringify(body)}`);
  }
}
