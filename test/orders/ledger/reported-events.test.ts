// Events that clients received, through losses of power at random steps. A cursor never stands for two events. A client that resumes from
// one hears everything since, or that it has expired. The history is synced. The journal alone may lose its end, also if the history has
// that end.

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Random } from '../../../src/core/runtime/random.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { nodeFiles } from '../../../src/core/store/files.ts';
import { OrderReader } from '../../../src/core/store/orders/order-reader.ts';
import { HistoryArchive } from '../../../src/orders/history/archive.ts';
import { Projection } from '../../../src/orders/history/projection.ts';
import { HistoryTables } from '../../../src/orders/history/tables.ts';
import { Journal } from '../../../src/orders/journal/journal.ts';
import { readJournal } from '../../../src/orders/journal/segments.ts';
import { EngineStore } from '../../../src/orders/ledger/engine-store.ts';
import { readEvents } from '../../../src/orders/ledger/events.ts';
import { replay } from '../../../src/orders/ledger/state/engine-ledger.ts';
import { at, orderIdOf, storedOrder } from '../../core/store/orders/order-rig.ts';
import { LosingDisk } from '../../support/losing-disk.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const LIVES = 60;
const STEPS_MAX = 30;
const ACTORS = ['alice', 'bob'];
const ACCOUNTS = [{ podId: 'pod', venue: 'venue_b' }] as const;

interface Reported {
  readonly actorId: string;
  readonly cursor: number;
  /** The number of the event in the order of reports, over all lives. It is also the event's time. */
  readonly number: number;
}

/** A life from a start to a loss of power, or to a clean end. */
class Life {
  readonly disk: LosingDisk;
  readonly journal: Journal;
  readonly store: EngineStore;
  /** The history's view of its files, and the engine's view. */
  readonly #tables: HistoryTables;
  readonly #read: HistoryTables;
  readonly #folder: string;

  constructor(root: string, history: string) {
    this.disk = new LosingDisk(root);
    this.#folder = join(root, 'journal');
    this.#tables = HistoryTables.open(history);
    this.#read = HistoryTables.open(history);
    const archive = new HistoryArchive(this.#read);
    this.store = new EngineStore(archive, 'process-safe');
    this.store.load(archive.live(ACCOUNTS, at(0)));
    const options = { folder: this.#folder, files: this.disk, timers: wallTimers, segmentBytes: 2_000 };
    this.journal = Journal.open({ ...options, syncDelayMs: 5 }, this.#tables.followed() + 1, (sequence, record) =>
      replay(this.store, sequence, record),
    );
    this.store.appendTo(this.journal);
  }

  follow(): void {
    const projection = new Projection(this.#tables);
    readJournal(nodeFiles, this.#folder, this.#tables.followed() + 1, (sequence, payload) => {
      projection.take(sequence, readEvents(payload));
    });
    projection.follow();
  }

  reader(): OrderReader {
    this.#tables.refresh();
    return new OrderReader(this.#tables);
  }

  async close(): Promise<void> {
    await this.journal.close();
    await this.#read.close();
    await this.#tables.close();
  }
}

it('a client resumes from any cursor without loss, or learns that it has expired', async () => {
  const random = new Random(20_261_122);
  const reported: Reported[] = [];
  const history = temporaryFolder();
  let root = temporaryFolder();
  let lost = 0;
  for (let number = 0; number < LIVES; number++) {
    const life = new Life(root, history);
    await life.store.openAfter(`boot-${number}`);
    life.follow();
    expectHonest(life.reader(), reported);
    lost += reported.filter(({ actorId, cursor }) => life.reader().events(actorId, cursor, 1) === null).length;
    await live(life, random, reported);
    if (random.chance(0.5)) {
      life.follow();
      expectHonest(life.reader(), reported);
    }
    if (random.chance(0.2)) await life.store.closeClean();
    const step = life.disk.steps;
    await life.close();
    const next = temporaryFolder();
    life.disk.rebuild(step, next, random);
    removeFolder(root);
    root = next;
  }
  removeFolder(root);
  removeFolder(history);
  expect(lost).toBeGreaterThan(LIVES);
});

async function live(life: Life, random: Random, reported: Reported[]): Promise<void> {
  for (let steps = random.below(STEPS_MAX); steps >= 0; steps--) {
    const actorId = random.pick(ACTORS);
    const number = reported.length;
    const { cursor } = life.store.change(step => {
      const orderId = orderIdOf(ACTORS.indexOf(actorId));
      if (step.order(orderId) === null) step.putOrder(storedOrder({ number: ACTORS.indexOf(actorId), actorId }));
      const { order } = step.order(orderId)!;
      return step.appendEvent({ actorId, event: 'STATUS', order, fill: null, at: at(number) });
    });
    reported.push({ actorId, cursor, number });
    if (random.chance(0.1)) await life.journal.durable();
    if (random.chance(0.05)) life.follow();
  }
}

/** Checks every cursor that was ever reported. */
function expectHonest(reader: OrderReader, reported: readonly Reported[]): void {
  for (const actorId of ACTORS) {
    const ofActor = reported.filter(it => it.actorId === actorId);
    expect(new Set(ofActor.map(({ cursor }) => cursor)).size).toBe(ofActor.length);
    for (const [index, { cursor }] of ofActor.entries()) {
      const since = reader.events(actorId, cursor, 10_000);
      if (since === null) continue;
      const found = since.map(it => ({ actorId, cursor: it.cursor, number: Number(it.at) }));
      expect(found).toEqual(ofActor.slice(index + 1));
    }
  }
}
