// A pod that changes hands. Processes are stopped at any happening, killed, or run on unaware, with one simulated stream and one simulated
// venue, from one seed. No process sends an order whose intent is not in the stream. In the end the stream and the venue agree.

import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { Order, OrderId } from '../../src/core/domain/order.ts';
import type { ActorEventRecord } from '../../src/core/store/order-records.ts';
import { StoreError } from '../../src/core/store/store-error.ts';
import { limits } from '../../src/limits.ts';
import type { PodStream } from '../../src/orders/engine/replica.ts';
import { readEvents } from '../../src/orders/ledger/events.ts';
import { ownershipRecord } from '../../src/orders/ledger/pod-owner.ts';
import { MemoryLedger, MemoryLog } from '../support/memory-ledger.ts';
import { POD } from './calls.ts';
import { ACTORS, Gateway } from './gateway.ts';
import { Happenings } from './happenings.ts';
import { faultsOf } from './invariants.ts';
import { Life } from './life.ts';
import { Machine } from './machine.ts';
import { PausedSchedule } from './paused-schedule.ts';
import { nameOf } from './protections.ts';
import { Schedule } from './schedule.ts';
import type { Coverage } from './simulation.ts';
import { SimulatedStream } from './stream.ts';
import { type Answers, trade } from './traders.ts';
import { Wire } from './wire.ts';

const RESTART_MS = 500;
const TRADING_MS = 40_000;
const REST_MS = 120_000;
const HEARD_MS = 15_000;
const STOPPED_MS = [50, 1_500, 20_000] as const;
/** The number of happenings of one process in a schedule. */
const HAPPENINGS = 1_500;

/** One process of a gateway. */
interface Process {
  readonly own: PausedSchedule;
  readonly life: Life;
  readonly machine: Machine;
  gateway: Gateway | null;
  connection: PodStream | null;
  /** The cursors of the last events that the process's clients have, by actor. */
  readonly cursors: Map<string, number>;
}

/** With `stopAt`, the first owner is stopped before its happening with that number. Null means that the seed decides. */
export async function simulateTakeOver(seed: number, coverage: Coverage, stopAt: number | null = null) {
  const rig = new TakeOverRig(new Happenings(seed), what => coverage.set(what, (coverage.get(what) ?? 0) + 1));
  return rig.run(stopAt);
}

class TakeOverRig {
  readonly #schedule: Schedule;
  readonly #wire: Wire;
  readonly #stream: SimulatedStream;
  readonly #count: (what: string) => void;
  readonly #answers: Answers = new Map();
  readonly #unnoted = new Set<string>();
  readonly #wanted = new Map<OrderId, UnixMillis>();
  readonly #cancelled = new Map<OrderId, UnixMillis>();
  readonly #faults: string[] = [];
  readonly #reported: ActorEventRecord[] = [];
  readonly #tripped = new Set<string>();
  /** The orders whose intents are in the stream. */
  readonly #intents = new Set<string>();
  #owner: Process;
  #gateways = 0;
  /** Whether a take-over is under way. Take-overs come one after the other, because of two at once either may get the pod. */
  #isChanging = true;

  constructor(random: Happenings, count: (what: string) => void) {
    this.#count = count;
    this.#schedule = new Schedule(random);
    this.#wire = new Wire(random.chance(0.5) ? 'venue_a' : 'venue_b', this.#schedule);
    this.#owner = this.#newProcess();
    this.#stream = new SimulatedStream(this.#schedule, ({ payload }) => {
      for (const event of readEvents(payload))
        if (event.type === 'order-made') this.#intents.add(event.stored.order.orderId);
    });
  }

  async run(stopAt: number | null): Promise<{ readonly faults: readonly string[]; readonly orders: number }> {
    const schedule = this.#schedule;
    const { random } = schedule;
    this.#begin(this.#owner);
    await schedule.run(2_000);
    this.#plan(stopAt);
    for (const actorId of ACTORS) void trade(this.#market(), actorId, 6);
    await schedule.run(TRADING_MS);
    if (random.chance(0.5)) this.#handOver('none');
    this.#wire.exchange.quiet();
    this.#wire.becomePerfect();
    await schedule.run(REST_MS);
    while (schedule.now() - this.#wire.exchange.changedAt < HEARD_MS) await schedule.run(HEARD_MS);
    const { gateway } = this.#owner;
    if (gateway === null) this.#faults.push('nobody owns the pod');
    gateway?.followToEnd();
    gateway?.crash();
    return { faults: [...this.#faults, ...this.#copied(), ...this.#ended()], orders: this.#wire.exchange.orders.size };
  }

  #plan(stopAt: number | null): void {
    const schedule = this.#schedule;
    const { random } = schedule;
    if (stopAt !== null) this.#stopOwnerAt(stopAt);
    for (let left = stopAt === null ? 1 + random.below(3) : random.below(2); left > 0; left -= 1)
      schedule.after(random.below(TRADING_MS), () => {
        if (random.chance(0.5)) this.#stopOwnerAt(1 + random.below(HAPPENINGS / 10));
        else this.#handOver(random.chance(0.5) ? 'killed' : 'none');
      });
    for (let left = random.below(4); left > 0; left -= 1)
      schedule.after(random.below(TRADING_MS), () => this.#stream.breakOne(random.below(3_000)));
  }

  #stopOwnerAt(happening: number): void {
    const owner = this.#owner;
    owner.own.stopAt(happening, () => {
      this.#schedule.after(this.#schedule.random.pick(STOPPED_MS), () => owner.own.goOn());
      if (this.#owner === owner) this.#handOver('stopped');
    });
  }

  /** Hands the pod over. `how` says what becomes of the former owner. */
  #handOver(how: 'stopped' | 'killed' | 'none'): void {
    if (this.#isChanging) return;
    this.#isChanging = true;
    const former = this.#owner;
    this.#count(`taken over: ${how}`);
    if (how === 'killed') this.#end(former);
    const next = this.#newProcess();
    this.#owner = next;
    this.#take(next);
  }

  /** Takes the pod as `crossbook pods take` does, then starts the gateway. */
  #take(next: Process): void {
    const record = ownershipRecord(this.#ownerOf(next));
    const { stream, link } = this.#stream.connect(this.#schedule);
    const attempt = async (): Promise<void> => {
      for (;;) {
        const stored = await stream.end().then(
          ({ last }) => stream.append(record, last),
          () => null,
        );
        if (stored?.type === 'stored') break;
        this.#count('take-over refused');
      }
      await link.close();
      this.#begin(next);
    };
    attempt().catch(() => this.#schedule.after(100, () => this.#take(next)));
  }

  #ownerOf({ machine }: Process) {
    return { gatewayId: this.#idOf(machine), url: 'http://next' };
  }

  readonly #ids = new Map<Machine, string>();
  #idOf(machine: Machine): string {
    const known = this.#ids.get(machine);
    if (known !== undefined) return known;
    const id = `gateway-${this.#gateways++}`;
    this.#ids.set(machine, id);
    return id;
  }

  /** Makes a process on a machine of its own, or on a machine where another process has ended. */
  #newProcess(machine = new Machine({ schedule: this.#schedule, died: () => {}, syncFailed: () => {} })): Process {
    const own = new PausedSchedule(this.#schedule);
    return { own, life: new Life(own), machine, gateway: null, connection: null, cursors: new Map() };
  }

  #end(process: Process): void {
    process.life.end();
    void process.connection?.link.close();
    process.gateway?.crash();
    process.gateway = null;
  }

  #begin(process: Process): void {
    const { own, life, machine } = process;
    const opening = Gateway.open({
      ...{ wire: this.#wire, machine, life, durability: 'replicated' },
      ofStream: {
        gatewayId: this.#idOf(machine),
        connect: async () => {
          process.connection = this.#stream.connect(own);
          return process.connection;
        },
        schedule: own,
        lost: () => {
          if (!life.isAlive) return;
          this.#count('ownership ended');
          this.#end(process);
          if (this.#owner === process) this.#faults.push('the owner lost its pod to nobody');
        },
        sending: order => this.#sending(process, order),
      },
      opened: () => {},
      reported: event => this.#report(process, event),
      diverged: this.#count,
      // A process that is stopped for a while answers late.
      answeredLate: () => {},
      answeredEarly: () => this.#count('answered before the venue'),
      storeFailed: () => this.#count('not recorded'),
      protection: event => this.#count(`protection ${event}`),
      tripped: scope => this.#tripped.add(nameOf(scope)),
      lossLimit: event => this.#count(`loss limit ${event}`),
      forbidden: orderId => this.#faults.push(`${orderId} was sent, and was forbidden`),
      fired: orderIds => {
        for (const orderId of orderIds) this.#wanted.set(orderId, this.#schedule.now());
      },
    });
    const failed = (error: unknown): void => {
      if (!(error instanceof StoreError)) throw error;
      this.#count('start failed');
      if (!life.isAlive) return;
      this.#end(process);
      if (this.#owner !== process) return;
      this.#owner = this.#newProcess(machine);
      const again = this.#owner;
      this.#schedule.after(RESTART_MS, () => this.#begin(again));
    };
    void opening.then(gateway => {
      if (!life.isAlive) return;
      process.gateway = gateway;
      if (this.#owner === process) this.#isChanging = false;
    }, failed);
  }

  #report({ cursors }: Process, event: ActorEventRecord): void {
    const { actorId, cursor } = event;
    if (cursor <= (cursors.get(actorId) ?? 0)) this.#faults.push(`event ${cursor} of ${actorId} is out of order`);
    cursors.set(actorId, cursor);
    this.#reported.push(event);
  }

  /** Checks an order that is sent. For a replace in place, the order is the old order. */
  #sending(process: Process, { orderId, createdAt, sentAt, status }: Order): void {
    if (process !== this.#owner) this.#count('sent by a former owner');
    if (!this.#intents.has(orderId)) this.#faults.push(`${orderId} was sent, and its intent is not in the stream`);
    const ageMs = this.#schedule.now() - (sentAt ?? createdAt);
    if (status === 'SUBMITTED' && ageMs > limits.venueAnswerTimeoutMs)
      this.#faults.push(`${orderId} was sent ${ageMs} ms after its record`);
  }

  #market() {
    return {
      schedule: this.#schedule,
      venue: this.#wire.venue,
      answers: this.#answers,
      unnoted: this.#unnoted,
      wanted: this.#wanted,
      cancelled: this.#cancelled,
      gateway: () => this.#owner.gateway ?? null,
      losses: () => 0,
      fault: (fault: string) => this.#faults.push(fault),
      count: this.#count,
      answered: () => {},
    };
  }

  /** Checks that the owner's journal is the beginning of the stream. */
  #copied(): readonly string[] {
    const { machine } = this.#owner;
    const differs = machine.records.findIndex(
      ({ payload }, index) => Buffer.compare(payload, this.#stream.records[index]?.payload ?? new Uint8Array()) !== 0,
    );
    return differs === -1 ? [] : [`record ${differs + 1} of the journal is not that of the stream`];
  }

  #ended(): readonly string[] {
    const log = new MemoryLog();
    for (const { payload } of this.#stream.records) log.records.push(payload);
    return faultsOf({
      account: { podId: POD, venue: this.#wire.venue },
      store: new MemoryLedger(log),
      exchange: this.#wire.exchange,
      answers: this.#answers,
      unnoted: this.#unnoted,
      positionMax: this.#wire.positionMax,
      // Each event goes to the clients of one process: the order of the events was checked there.
      reported: this.#reported.toSorted((one, other) => one.cursor - other.cursor),
      wanted: this.#wanted,
      cancelled: this.#cancelled,
      sent: this.#wire.sent,
      regressed: new Set(),
      wipes: 0,
      wallet: this.#wire.wallet,
      rates: this.#wire.rates,
      haveActionsLost: false,
      tripped: this.#tripped,
    });
  }
}
