// Random lives of the engine's ledger beside a naive twin: steps that succeed and that throw, a disk that refuses, a history that
// follows now and then, restarts. The state is the fold of its journal; what the history lists is what the twin lists.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VENUES } from '../../../src/domain/market.ts';
import { readEvents } from '../../../src/engine/events.ts';
import { EngineLedger } from '../../../src/engine/state/engine-ledger.ts';
import { LedgerState } from '../../../src/engine/state/state.ts';
import { HistoryArchive } from '../../../src/history/archive.ts';
import { type FollowedStep, follow } from '../../../src/history/projection.ts';
import { HistoryTables } from '../../../src/history/tables.ts';
import { Journal } from '../../../src/journal/journal.ts';
import { readJournal } from '../../../src/journal/segments.ts';
import { wallTimers } from '../../../src/runtime/timers.ts';
import { nodeFiles } from '../../../src/store/durable/files.ts';
import { checkOrders } from '../../../src/store/orders/check.ts';
import { OrderReader } from '../../../src/store/orders/order-reader.ts';
import { StoreError } from '../../../src/store/store-error.ts';
import { removeFolder, temporaryFolder } from '../../store/durable/store-rig.ts';
import { apply, liveQuestions, outcomeOf, PODS, questions, RETENTION, work } from '../../store/orders/lives.ts';
import { NaiveOrderStore } from '../../support/naive-order-store.ts';

const ACCOUNTS = PODS.flatMap(podId => VENUES.map(venue => ({ podId, venue })));
const KEPT_MAX = RETENTION.orderEventsKeptMax;

const happening = fc.oneof(
  { weight: 10, arbitrary: fc.record({ type: fc.constant('step' as const), work }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('refused' as const), work }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('follow' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart' as const) }) },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

it('does what its twin does', async () => {
  await fc.assert(fc.asyncProperty(fc.array(happening, { maxLength: 14 }), live), {
    numRuns: Number(process.env.RUNS ?? 80),
  });
});

async function live(happenings: readonly Happening[]): Promise<void> {
  const folder = temporaryFolder();
  const files = { ...nodeFiles };
  const twin = new NaiveOrderStore({ eventsKeptMax: KEPT_MAX });
  const tables = HistoryTables.open(`${folder}/history`);
  const start = () => openEngine(`${folder}/journal`, tables, files);
  let engine = start();
  try {
    for (const it of happenings) {
      if (it.type === 'step') {
        const done = outcomeOf(() => engine.ledger.change(step => apply(step, it.work, liveQuestions)));
        expect(done).toEqual(outcomeOf(() => twin.change(to => apply(to, it.work, liveQuestions))));
      } else if (it.type === 'refused') {
        const refusal = new StoreError('full');
        files.append = () => {
          throw refusal;
        };
        const before = engine.journal.sequence;
        outcomeOf(() => engine.ledger.change(step => apply(step, it.work, liveQuestions)));
        files.append = nodeFiles.append;
        // Only a step without an event needs no record.
        expect(engine.journal.sequence).toBe(before);
        await engine.journal.mended();
      } else {
        followJournal(`${folder}/journal`, tables);
        const reader = new OrderReader(tables);
        expect(questions(reader)).toEqual(questions(twin));
        expect(checkOrders(tables).faults).toEqual([]);
      }
      if (it.type === 'restart') {
        await engine.journal.close();
        engine = start();
      }
      expect(liveQuestions(engine.ledger.state)).toEqual(liveQuestions(twin));
      expect(liveQuestions(openState(`${folder}/journal`, tables))).toEqual(liveQuestions(twin));
    }
  } finally {
    await engine.journal.close();
    await tables.close();
    removeFolder(folder);
  }
}

function openEngine(folder: string, tables: HistoryTables, files: typeof nodeFiles) {
  tables.refresh();
  const state = loaded(tables);
  const options = { folder, files, timers: wallTimers, segmentBytes: 2_000, syncDelayMs: 5 };
  const journal = Journal.open(options, tables.followed() + 1, (sequence, payload) => {
    for (const event of readEvents(payload)) state.apply(event, sequence);
  });
  return { journal, ledger: new EngineLedger(state, journal) };
}

/** The state as another start would find it now. */
function openState(folder: string, tables: HistoryTables): LedgerState {
  const state = loaded(tables);
  readJournal(nodeFiles, folder, tables.followed() + 1, (sequence, payload) => {
    for (const event of readEvents(payload)) state.apply(event, sequence);
  });
  return state;
}

function loaded(tables: HistoryTables): LedgerState {
  const archive = new HistoryArchive(tables);
  const state = new LedgerState(archive);
  state.load(archive.live(ACCOUNTS));
  return state;
}

function followJournal(folder: string, tables: HistoryTables): void {
  const steps: FollowedStep[] = [];
  readJournal(nodeFiles, folder, tables.followed() + 1, (sequence, payload) => {
    steps.push({ sequence, events: readEvents(payload) });
  });
  follow(tables, steps, KEPT_MAX);
  tables.refresh();
}
