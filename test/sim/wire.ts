// The wire between a gateway and the simulated exchange, with everything that can go wrong on it. It loses or delays requests and answers,
// and reads lag. Private messages come late, twice, out of order or never, and connections break.

import { DAY_MS } from '../../src/core/domain/durations.ts';
import type { Venue } from '../../src/core/domain/market.ts';
import type { MicroShares } from '../../src/core/domain/numbers.ts';
import type { PrivateEvent } from '../../src/venues/venue.ts';
import { Exchange } from './exchange.ts';
import { Rates } from './rates.ts';
import type { Schedule } from './schedule.ts';
import { TrueWallet } from './true-wallet.ts';

/** Venue B archives ended orders and fills this long after their last change. */
const LIVE_MS = [0, 2_000, 20_000, DAY_MS] as const;
const POSITION_MAX = 8_000_000 as MicroShares;
/** The size that four dollars buy at the lowest price of the grid. */
const POSITION_MAX_BY_DOLLAR = 4_000_000_000 as MicroShares;

/** The receiver of a connection of one gateway process; it hears nothing once the process has ended. */
interface Listener {
  readonly hear: (event: PrivateEvent) => void;
  isUp: boolean;
  hasEnded: boolean;
}

export class Wire {
  readonly exchange: Exchange;
  /** The wallet at venue A. */
  readonly wallet: TrueWallet;
  /** The rates of the actors, over all lives. */
  readonly rates = new Rates();
  /** The number of submissions that left, by order id. */
  readonly sent = new Map<string, number>();
  readonly venue: Venue;
  /** The position limit of bob. With the greater limit, at venue A, he may also buy by the dollar. */
  readonly positionMax: MicroShares;
  readonly liveMs: Readonly<Record<'orders' | 'fills', number>>;
  readonly #schedule: Schedule;
  readonly #listeners = new Set<Listener>();
  #isPerfect = false;

  constructor(venue: Venue, schedule: Schedule) {
    this.venue = venue;
    this.positionMax = venue === 'venue_a' && schedule.random.chance(0.5) ? POSITION_MAX_BY_DOLLAR : POSITION_MAX;
    this.liveMs = { orders: schedule.random.pick(LIVE_MS), fills: schedule.random.pick(LIVE_MS) };
    this.#schedule = schedule;
    this.exchange = new Exchange({ venue, schedule, tell: event => this.#tell(event) });
    this.wallet = new TrueWallet(this.exchange, schedule);
  }

  get schedule(): Schedule {
    return this.#schedule;
  }

  /** From now on nothing goes wrong. */
  becomePerfect(): void {
    this.#isPerfect = true;
    for (const listener of this.#listeners) this.#connect(listener);
  }

  chance(probability: number): boolean {
    return !this.#isPerfect && this.#schedule.random.happens(probability);
  }

  /** Returns the time that a message is under way: normally a moment. */
  delayMs(): number {
    const { random } = this.#schedule;
    return this.chance(0.04) ? random.below(9_000) : 1 + random.below(30);
  }

  lagMs(): number {
    return this.chance(0.3) ? this.#schedule.random.below(800) : 0;
  }

  listen(hear: (event: PrivateEvent) => void): () => void {
    const listener: Listener = { hear, isUp: false, hasEnded: false };
    this.#listeners.add(listener);
    this.#connect(listener);
    return () => {
      listener.hasEnded = true;
      this.#listeners.delete(listener);
    };
  }

  #connect(listener: Listener): void {
    this.#schedule.after(5 + this.#schedule.random.below(50), () => {
      if (listener.hasEnded || listener.isUp) return;
      listener.isUp = true;
      listener.hear({ type: 'up' });
    });
  }

  #tell(event: PrivateEvent): void {
    for (const listener of this.#listeners) {
      if (this.chance(0.02)) this.#disconnect(listener);
      const copies = this.chance(0.05) ? 0 : this.chance(0.1) ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) this.#send(listener, event);
    }
  }

  #send(listener: Listener, event: PrivateEvent): void {
    if (!listener.isUp) return;
    this.#schedule.after(this.delayMs(), () => {
      if (!listener.hasEnded && listener.isUp) listener.hear(event);
    });
  }

  #disconnect(listener: Listener): void {
    if (!listener.isUp) return;
    listener.isUp = false;
    listener.hear({ type: 'down', message: 'connection lost' });
    this.#schedule.after(this.#schedule.random.below(3_000), () => this.#connect(listener));
  }
}
