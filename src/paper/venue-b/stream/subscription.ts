// One subscription of a stream: its channel, its markets, and its count of numbered frames (venue-b.md §10.3). Thread of the
// paper exchanges.

import type { VenueBMarket } from '../market.ts';
import { type Channel, traitsOf } from './channels.ts';

interface SubscriptionTerms {
  readonly sid: number;
  readonly channel: Channel;
  readonly usesYesPrice: boolean;
  readonly skipsTickerAck: boolean;
}

export class Subscription {
  readonly sid: number;
  readonly channel: Channel;
  readonly usesYesPrice: boolean;
  readonly skipsTickerAck: boolean;
  readonly #isNumbered: boolean;
  /** Null means every market. */
  readonly #markets: Set<VenueBMarket> | null;
  #seq = 0;

  /** A subscription without markets carries all of them. */
  constructor(terms: SubscriptionTerms, markets: readonly VenueBMarket[]) {
    this.sid = terms.sid;
    this.channel = terms.channel;
    this.usesYesPrice = terms.usesYesPrice;
    this.skipsTickerAck = terms.skipsTickerAck;
    const { isNumbered, filter } = traitsOf(terms.channel);
    this.#isNumbered = isNumbered;
    this.#markets = filter === 'ignored' || markets.length === 0 ? null : new Set(markets);
  }

  /** Number of markets that the client asked for; 0 for all. */
  get marketCount(): number {
    return this.#markets?.size ?? 0;
  }

  get tickers(): readonly string[] {
    return [...(this.#markets ?? [])].map(({ ticker }) => ticker).sort();
  }

  carries(market: VenueBMarket | null): boolean {
    return market === null || this.#markets === null || this.#markets.has(market);
  }

  /** Markets that are new. A subscription to all of them has none. */
  add(markets: readonly VenueBMarket[]): readonly VenueBMarket[] {
    const added = markets.filter(market => !this.carries(market));
    for (const market of added) this.#markets?.add(market);
    return added;
  }

  /** A subscription without its last market carries nothing. */
  delete(markets: readonly VenueBMarket[]): void {
    for (const market of markets) this.#markets?.delete(market);
  }

  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  /** The head of a message, with a number if its kind has one. */
  frame(type: string, text: string): string {
    const seq = this.#isNumbered ? `,"seq":${this.nextSeq()}` : '';
    return `{"type":"${type}","sid":${this.sid}${seq},"msg":${text}}`;
  }
}
