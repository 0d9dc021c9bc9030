// The parts of a schedule: the venue, the machine, the gateway's lives, and what has become of them so far.

import { isDeepStrictEqual } from 'node:util';
import type { Durability } from '../../src/config.ts';
import { actorTag } from '../../src/core/domain/actor-tag.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { createOrder, type OrderId } from '../../src/core/domain/order.ts';
import { HmacKey } from '../../src/core/runtime/hmac.ts';
import type { ActorEventRecord, LedgerStore } from '../../src/core/store/order-records.ts';
import { StoreError } from '../../src/core/store/store-error.ts';
import { readEvents } from '../../src/orders/ledger/events.ts';
import { deriveOrderId } from '../../src/orders/life/order-ids.ts';
import { MemoryLedger, MemoryLog } from '../support/memory-ledger.ts';
import { POD, SECRET } from './calls.ts';
import { ACTORS, Gateway } from './gateway.ts';
import type { Happenings } from './happenings.ts';
import { historyFaults } from './history-faults.ts';
import type { Ended } from './invariants.ts';
import { Life } from './life.ts';
import { Machine } from './machine.ts';
import { planOutside } from './outside.ts';
import { pictureOf } from './picture.ts';
import { UNSENT_KEY } from './prices.ts';
import { nameOf } from './protections.ts';
import { Schedule } from './schedule.ts';
import type { Answers, Market } from './traders.ts';
import { transitionsIn } from './transitions.ts';
import { SHARE } from './true-order.ts';
import { Wire } from './wire.ts';

/** The share of schedules in which the history is checked. Making all rows anew takes as long as half of a schedule. */
const HISTORY_CHECKED = 0.1;
/** The share of starts at which everything is compared. Compared orders are recalled, and stay in memory for a while. */
const COMPARED = 0.1;
const RESTART_MS = 2_500;
/** The time until somebody has noticed that nothing is recorded any more. */
const SEEN_MS = 5_000;

export class Rig {
  readonly schedule: Schedule;
  readonly wire: Wire;
  readonly answers: Answers = new Map();
  readonly #unnoted = new Set<string>();
  readonly faults: string[] = [];
  readonly count: (what: string) => void;
  readonly #durability: Durability;
  readonly #wanted = new Map<OrderId, UnixMillis>();
  readonly #cancelled = new Map<OrderId, UnixMillis>();
  #machine: Machine;
  #gateway: Gateway | null = null;
  #life: Life | null = null;
  #reported: ActorEventRecord[] = [];
  /** Orders that lost a record and may have been answered. */
  #regressed = new Set<OrderId>();
  #losses = 0;
  /** Whether a record of a wallet's action was lost. */
  #haveActionsLost = false;
  /** The number of times that everything was lost. */
  #wipes = 0;
  #unsent: 'planned' | 'none';
  /** The names of protections that a group has triggered. */
  readonly #tripped = new Set<string>();
  #fold: { readonly last: Machine['records'][number] | undefined; readonly ledger: MemoryLedger } | null = null;

  constructor(random: Happenings, count: (what: string) => void) {
    this.count = count;
    this.schedule = new Schedule(random);
    this.wire = new Wire(random.chance(0.5) ? 'venue_a' : 'venue_b', this.schedule);
    this.#durability = random.chance(0.5) ? 'power-safe' : 'process-safe';
    this.#unsent = random.happens(0.1) ? 'planned' : 'none';
    this.#machine = this.#newMachine();
  }

  market(): Market {
    return {
      schedule: this.schedule,
      venue: this.wire.venue,
      answers: this.answers,
      unnoted: this.#unnoted,
      wanted: this.#wanted,
      cancelled: this.#cancelled,
      gateway: () => this.#gateway,
      losses: () => this.#losses,
      fault: fault => this.faults.push(fault),
      count: this.count,
      // The step after an answer may be the last step.
      answered: () => {
        if (this.schedule.random.happens(0.01)) this.#machine.light(1 + this.schedule.random.below(3));
      },
    };
  }

  /** Plans faults and their times. */
  plan(withinMs: number): void {
    const { schedule } = this;
    const { random } = schedule;
    planOutside(this.wire, withinMs, this.count);
    for (let left = random.below(4); left > 0; left -= 1)
      schedule.after(random.below(withinMs), () => {
        if (!random.happens(1)) return;
        if (random.chance(0.6)) this.#machine.light(1 + random.below(12));
        else this.#dieBetween();
      });
    for (let left = random.below(3); left > 0; left -= 1)
      schedule.after(random.below(withinMs), () => {
        if (random.happens(1)) this.count(`spell: ${this.#machine.begin(random.below(4_000))}`);
      });
    for (let left = random.below(3); left > 0; left -= 1)
      schedule.after(random.below(withinMs), () => {
        if (random.happens(1)) this.#gateway?.crashHistory();
      });
    for (let left = random.below(8); left > 0; left -= 1) schedule.after(random.below(withinMs), () => this.#ask());
  }

  hasOpenActions(): boolean {
    return this.#gateway !== null && this.#gateway.store.openActions(POD).length > 0;
  }

  becomePerfect(): void {
    this.#machine.becomePerfect();
    if (this.#gateway?.hasFailed === true) this.#die('process');
  }

  start(): void {
    const { wire, schedule } = this;
    if (schedule.random.happens(0.1)) this.#machine.light(1 + schedule.random.below(8));
    const machine = this.#machine;
    const life = new Life(schedule);
    this.#life = life;
    const { failures } = machine;
    const opening = Gateway.open({
      ...{ wire, machine, life, durability: this.#durability, ofStream: null },
      opened: store => this.#opened(store),
      reported: event => this.#reported.push(event),
      diverged: this.count,
      answeredEarly: () => this.count('answered before the venue'),
      answeredLate: waitedMs => this.faults.push(`a caller waited ${waitedMs} ms for an answer`),
      storeFailed: () => this.count('not recorded'),
      protection: event => this.count(`protection ${event}`),
      tripped: scope => {
        this.count('group triggered');
        this.#tripped.add(nameOf(scope));
      },
      lossLimit: event => this.count(`loss limit ${event}`),
      forbidden: orderId => this.faults.push(`${orderId} was sent, and was forbidden`),
      fired: orderIds => {
        this.count('cancels wanted');
        for (const orderId of orderIds) this.#wanted.set(orderId, schedule.now());
      },
    });
    const failed = (error: unknown): void => {
      if (!(error instanceof StoreError)) throw error;
      if (!life.isAlive) return;
      life.end();
      if (machine.failures === failures) this.faults.push(`does not start: ${error.message}`);
      this.count('start failed');
      schedule.after(RESTART_MS, () => this.start());
    };
    void opening.then(gateway => {
      if (life.isAlive) this.#gateway = gateway;
    }, failed);
  }

  end(): void {
    const gateway = this.#gateway;
    if (gateway === null) {
      this.faults.push('the gateway does not run');
      return;
    }
    gateway.followToEnd();
    this.#compare(gateway.store, 'at the end');
    if (this.schedule.random.chance(HISTORY_CHECKED))
      this.faults.push(...historyFaults(this.#machine, this.schedule.now()));
    gateway.crash();
    transitionsIn(this.#folded().log.events()).forEach(this.count);
  }

  ended(): Ended {
    return {
      account: this.#account,
      store: this.#folded(),
      exchange: this.wire.exchange,
      answers: this.answers,
      unnoted: this.#unnoted,
      positionMax: this.wire.positionMax,
      reported: this.#reported,
      wanted: this.#wanted,
      cancelled: this.#cancelled,
      sent: this.wire.sent,
      regressed: this.#regressed,
      wipes: this.#wipes,
      wallet: this.wire.wallet,
      rates: this.wire.rates,
      haveActionsLost: this.#haveActionsLost,
      tripped: this.#tripped,
    };
  }

  get #account() {
    return { podId: POD, venue: this.wire.venue } as const;
  }

  /** Returns the ledger that all records make. The records are not changed. */
  #folded(): MemoryLedger {
    const { records } = this.#machine;
    const last = records.at(-1);
    if (this.#fold === null || this.#fold.last !== last) {
      const log = new MemoryLog();
      for (const { payload } of records) log.records.push(payload);
      this.#fold = { last, ledger: new MemoryLedger(log) };
    }
    return this.#fold.ledger;
  }

  #newMachine(): Machine {
    return new Machine({
      schedule: this.schedule,
      died: () => this.#die(this.schedule.random.chance(0.5) ? 'power' : 'process'),
      syncFailed: life => {
        this.count('sync failed');
        this.schedule.after(this.schedule.random.below(SEEN_MS), () => {
          if (life.isAlive && this.#gateway?.hasFailed === true) this.#die('process');
        });
      },
    });
  }

  #dieBetween(): void {
    const { random } = this.schedule;
    if (this.#gateway !== null && random.chance(0.5)) this.#compare(this.#gateway.store, 'at a crash');
    if (random.happens(0.06)) this.#wipe();
    else this.#die(random.chance(0.5) ? 'power' : 'process');
  }

  #die(how: 'power' | 'process'): void {
    if (!this.#stop()) return;
    this.count(how === 'power' ? 'power cut' : 'kill');
    if (how === 'power') this.#losePower();
    else {
      const { sequence, faults } = this.#machine.found();
      this.faults.push(...faults);
      const appended = this.#machine.records.length;
      if (sequence !== appended) this.faults.push(`${sequence} records are left of ${appended} after a kill`);
    }
    this.schedule.after(this.schedule.random.below(RESTART_MS), () => this.start());
  }

  /** Stops the gateway. Returns false if nothing runs. */
  #stop(): boolean {
    if (this.#life?.isAlive !== true) return false;
    this.#life.end();
    this.#gateway?.crash();
    this.#gateway = null;
    return true;
  }

  #losePower(): void {
    const { lost, faults } = this.#machine.losePower();
    this.faults.push(...faults);
    if (lost.length === 0) return;
    this.count('records lost');
    if (this.#durability === 'power-safe') return;
    this.#losses += 1;
    for (const event of lost.flatMap(it => readEvents(it))) {
      const orderId =
        event.type === 'order-made'
          ? event.stored.order.orderId
          : event.type === 'key-kept'
            ? event.entry.orderId
            : 'orderId' in event
              ? event.orderId
              : null;
      if (orderId === null) continue;
      this.#regressed.add(orderId);
      this.wire.sent.delete(orderId);
    }
  }

  /** Loses the disk and puts another disk in its place. */
  #wipe(): void {
    if (!this.#stop()) return;
    this.count('disk lost');
    transitionsIn(this.#folded().log.events()).forEach(this.count);
    this.#machine = this.#newMachine();
    this.wire.sent.clear();
    this.#reported = [];
    this.#losses += 1;
    this.#wipes += 1;
    this.#haveActionsLost = true;
    this.schedule.after(this.schedule.random.below(RESTART_MS), () => this.start());
  }

  #opened(store: LedgerStore): void {
    if (this.#unsent === 'planned') this.#putUnsent(store);
    if (this.schedule.random.chance(COMPARED)) this.#compare(store, 'at a start');
  }

  /** Checks that the state follows from its records, wherever the parts of the state are. */
  #compare(store: LedgerStore, when: string): void {
    const folded = this.#folded();
    const events = folded.log.events();
    const [expected, found] = [folded, store].map(it => pictureOf(it, this.#account, events));
    if (!isDeepStrictEqual(found, expected)) this.faults.push(`${when} the state is not that of its records`);
  }

  /** Records an order that is never sent, as another version may have left it. Its owner may cancel it before it is found. */
  #putUnsent(store: LedgerStore): void {
    this.#unsent = 'none';
    const { venue } = this.wire;
    const actorId = ACTORS[0];
    const orderId = deriveOrderId(new HmacKey(SECRET), actorId, venue, UNSENT_KEY);
    const terms = { size: SHARE as MicroShares, price: 5_000 as Ticks, timeInForce: 'GTC' } as const;
    const request =
      venue === 'venue_b'
        ? ({ venue, ticker: 'KXGAME-1', side: 'YES', action: 'BUY', ...terms } as const)
        : ({ venue, tokenId: '1001', type: 'LIMIT', side: 'BUY', postOnly: false, ...terms } as const);
    const names = { orderId, podId: POD, actorId, keyId: 'key', idempotencyKey: UNSENT_KEY };
    const order = createOrder({ ...names, request, at: this.schedule.now() });
    const intent = {
      payload: new Uint8Array([1]),
      venueOrderId: null,
      clientOrderId: `${orderId}.${actorTag(actorId)}`,
    };
    store.change(step => step.putOrder({ order, intent, refusedAs: null }));
    this.schedule.after(this.schedule.random.below(8), () => void this.#gateway?.cancel(orderId));
  }

  /** Checks that the history answers with everything that was recorded before the question. */
  #ask(): void {
    const gateway = this.#gateway;
    if (gateway === null) return;
    const cursors = ACTORS.map(actorId => [actorId, gateway.store.lastCursor(actorId)] as const);
    const open = Array.from(gateway.store.openOrders(this.#account), ({ order }) => order);
    const { failures } = this.#machine;
    const isAsked = gateway.ask(
      reads => {
        this.count('history answered');
        for (const [actorId, cursor] of cursors)
          if (reads.lastCursor(actorId) < cursor) this.faults.push(`the history lacks events of ${actorId}`);
        for (const { orderId, updatedAt } of open) {
          const found = reads.order(orderId)?.order ?? null;
          if (found === null || found.updatedAt < updatedAt) this.faults.push(`the history lacks ${orderId}`);
        }
      },
      () => {
        if (this.#machine.failures === failures) this.faults.push('the history does not answer');
      },
    );
    if (!isAsked) this.count('history away');
  }
}
