// Clients that trade on a stage during one row's fault, and the answers that they received.

import type { Venue } from '../../src/core/domain/market.ts';
import type { Random } from '../../src/core/runtime/random.ts';
import type { Actor } from '../soak/gateway-process.ts';
import type { SoakMarket } from '../soak/markets.ts';
import { Progress } from '../soak/progress.ts';
import { Trader } from '../soak/trader.ts';
import { Diary } from './diary.ts';
import { plainOrder } from './orders.ts';
import type { Stage } from './stage.ts';

const LANES_PER_ACTOR = 2;
const ORDERS = 60;
/** A quarter of a second apart, and more: two minutes, and a second. */
const ANSWERS_OF_THE_PATIENT = 400;
const ANSWERS_OF_THE_HASTY = 4;
const HABITS = { twice: 0.1, notAfter: 0, cancel: 0.5 };

interface SceneOptions {
  readonly stage: Stage;
  readonly random: Random;
  readonly orders: number | undefined;
  readonly isHasty: boolean;
}

export class Scene {
  readonly stage: Stage;
  readonly random: Random;
  readonly orders: number;
  readonly traders: Trader[];
  readonly diary = new Diary();
  /** Facts that only the code of the fault knows. */
  readonly notes: string[] = [];
  readonly #progress = new Progress();
  readonly #over = new AbortController();
  readonly #settings: Omit<ConstructorParameters<typeof Trader>[0], 'actor'>;

  constructor({ stage, random, orders = ORDERS, isHasty }: SceneOptions) {
    this.stage = stage;
    this.random = random;
    this.orders = orders;
    const options = {
      ...{ url: stage.gateway.url, random, over: this.#over.signal, habits: HABITS, hear: this.diary.hear },
      answersMax: isHasty ? ANSWERS_OF_THE_HASTY : ANSWERS_OF_THE_PATIENT,
    };
    this.#settings = options;
    this.traders = stage.actors.map(actor => new Trader({ ...options, actor }));
  }

  /** Resolves when this many orders have begun, or no more will begin; rejects if the scene is over. */
  async begun(orders: number): Promise<void> {
    await this.#progress.reached(orders);
    this.#over.signal.throwIfAborted();
  }

  /** Resolves when all orders are decided, as far as their owners can tell. */
  whenOver(): Promise<void> {
    return this.begun(Number.POSITIVE_INFINITY);
  }

  /** Trades at both venues in turn, in some lanes of each actor. Each order runs to its end as its owner sees it. */
  async trade(): Promise<void> {
    const ofVenue = (venue: Venue): readonly SoakMarket[] =>
      this.stage.markets.filter(market => market.venue === venue);
    const markets = [ofVenue('venue_a'), ofVenue('venue_b')] as const;
    let begun = 0;
    const lane = async (trader: Trader): Promise<void> => {
      while (begun < this.orders && !this.#over.signal.aborted) {
        begun += 1;
        this.#progress.step();
        await trader.trade(plainOrder(this.random.pick(markets[begun % 2]!), this.random));
      }
    };
    const traders = this.traders.slice(0, this.stage.actors.length);
    await Promise.all(traders.flatMap(trader => Array.from({ length: LANES_PER_ACTOR }, () => lane(trader))));
    this.#progress.end();
  }

  /** Returns another client of an actor. It sends no order on two connections, cancels nothing, and is audited too. */
  patientTrader(actor: Actor): Trader {
    const trader = new Trader({ ...this.#settings, actor, habits: { twice: 0, notAfter: 0, cancel: 0 } });
    this.traders.push(trader);
    return trader;
  }

  /** Waits until all parts have ended, then rejects with the first error, since the other parts have nothing left to do after it. */
  async untilAllEnd(parts: readonly Promise<unknown>[]): Promise<void> {
    const failures: unknown[] = [];
    const noted = async (error: unknown): Promise<void> => {
      failures.push(error);
      await this.abandon();
    };
    await Promise.all(parts.map(part => part.catch(noted)));
    if (failures.length > 0) throw failures[0];
  }

  /** Ends a row that has failed and is the last row of its stage. The row waits for nothing and strikes no more, and the gateway is gone. */
  async abandon(): Promise<void> {
    this.close();
    await this.stage.gateway.end();
  }

  /** Ends all waits for answers. */
  close(): void {
    this.#over.abort();
    this.#progress.end();
  }
}
