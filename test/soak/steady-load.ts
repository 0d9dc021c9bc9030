// A load that stays the same for as long as it is wanted. It has orders at either venue, their cancels, reads of every kind, and
// subscribers of books and orders who come and go. Nothing fails on purpose; what is refused is counted.

import { setTimeout as pause } from 'node:timers/promises';
import type { MarketKey, Venue } from '../../src/core/domain/market.ts';
import type { Result } from '../../src/core/domain/result.ts';
import type { Random } from '../../src/core/runtime/random.ts';
import { jsonCodec } from '../../src/core/wire/json.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import type { ApiFailure } from '../../src/tools/client/api-failure.ts';
import type { CrossbookClient } from '../../src/tools/client/crossbook-client.ts';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import type { Actor } from './gateway-process.ts';
import type { SoakMarket } from './markets.ts';
import { randomOrder } from './orders.ts';

interface SteadyLoadOptions {
  readonly url: string;
  readonly actors: readonly Actor[];
  readonly markets: readonly SoakMarket[];
  readonly random: Random;
  /** The orders a second of all actors together. Each order comes with its cancel and a read. */
  readonly ordersPerS: number;
  /** The number of subscribers that are connected at a time. */
  readonly subscribers: number;
  readonly over: AbortSignal;
}

/** The least stay of a subscriber; the longest stay is twice as long. */
const STAY_MS = 5_000;
const READS = 6;

export class SteadyLoad {
  /** The count of each answer, by operation and status. */
  readonly counts = new Map<string, number>();
  readonly #options: SteadyLoadOptions;

  constructor(options: SteadyLoadOptions) {
    this.#options = options;
  }

  /** Runs until the load is over. */
  async run(): Promise<void> {
    const { actors, subscribers } = this.#options;
    await Promise.all([
      ...actors.map(actor => this.#trade(actor)),
      ...Array.from({ length: subscribers }, (_, number) => this.#subscribe(actors[number % actors.length]!)),
    ]);
  }

  /** Each beat begins when it is due, or when the previous beat has ended, if that is later: a slow gateway gets less load. */
  async #trade(actor: Actor): Promise<void> {
    const { url, actors, ordersPerS, over } = this.#options;
    const client = createNodeClient({ url, signer: nodeSigner(actor.key) });
    const beatMs = (1_000 * actors.length) / ordersPerS;
    for (let due = performance.now(); !over.aborted; due = Math.max(due + beatMs, performance.now())) {
      await pause(Math.max(0, due - performance.now()));
      await this.#beat(client);
    }
  }

  async #beat(client: CrossbookClient): Promise<void> {
    const { random, markets } = this.#options;
    const { venue, body } = randomOrder(markets, random);
    const made = this.#counted(
      'submit',
      await (venue === 'venue_a'
        ? client.call('submitVenueAOrder', { body })
        : client.call('submitVenueBOrder', { body })),
    );
    if (made?.status === 'OPEN') await this.#cancel(client, venue, made.orderId);
    await this.#read(client, venue);
  }

  async #cancel(client: CrossbookClient, venue: Venue, orderId: string): Promise<void> {
    const request = { path: { orderId } };
    const isOfA = venue === 'venue_a';
    this.#counted<unknown>(
      'cancel',
      await (isOfA ? client.call('cancelVenueAOrder', request) : client.call('cancelVenueBOrder', request)),
    );
  }

  async #read(client: CrossbookClient, venue: Venue): Promise<void> {
    const isOfA = venue === 'venue_a';
    switch (this.#options.random.below(READS)) {
      case 0:
        return void this.#counted('orders', await client.call(isOfA ? 'listVenueAOrders' : 'listVenueBOrders'));
      case 1:
        return void this.#counted('positions', await client.call(isOfA ? 'getVenueAPositions' : 'getVenueBPositions'));
      case 2:
        return void this.#counted('balance', await client.call(isOfA ? 'getVenueABalance' : 'getVenueBBalance'));
      case 3:
        return void this.#counted('markets', await client.call('listMarkets', { query: { q: 'win' } }));
      case 4:
        return void this.#counted('events', await client.call('listEvents'));
      default:
        return void this.#counted('whoami', await client.call('getWhoami'));
    }
  }

  /** Runs subscriptions one after the other, over either codec. */
  async #subscribe(actor: Actor): Promise<void> {
    const { url, markets, random, over } = this.#options;
    const keys = markets.map(keyOf);
    while (!over.aborted) {
      const codec = random.chance(0.5) ? jsonCodec : protobufCodec;
      const stream = createNodeStream({
        url: `${url.replace('http', 'ws')}/v1/orderbook`,
        signer: nodeSigner(actor.key),
        codec,
      });
      stream.on('connection', isUp => this.#count(isUp ? 'stream up' : 'stream down'));
      stream.on('refused', ({ code }) => this.#count(`stream ${code}`));
      stream.on('gap', (_book, cause) => this.#count(`stream ${cause}`));
      stream.subscribe('book', keys);
      stream.subscribe('trade', keys);
      stream.subscribeOrders();
      stream.start();
      await pause(STAY_MS + random.below(STAY_MS), undefined, { signal: over }).catch(() => {});
      stream.close();
    }
  }

  /** Counts the answer. Returns its value if the request succeeded. */
  #counted<T>(what: string, answer: Result<{ readonly value: T }, ApiFailure>): T | null {
    if (answer.ok) this.#count(`${what} done`);
    else this.#count(`${what} ${'status' in answer.error ? answer.error.status : ''} ${answer.error.kind}`);
    return answer.ok ? answer.value.value : null;
  }

  #count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

function keyOf(market: SoakMarket): MarketKey {
  return market.venue === 'venue_a'
    ? { venue: 'venue_a', tokenId: market.tokenId }
    : { venue: 'venue_b', ticker: market.ticker };
}
