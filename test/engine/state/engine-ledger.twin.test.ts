// Random lives of the engine's ledger beside a naive twin: steps that succeed and that throw, a disk that refuses, a history that
// follows now and then, restarts. The state is the fold of its journal; what the history lists is what the twin lists.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VENUES } from '../../../src/domain/market.ts';
import type { UnixMillis } from '../../../src/domain/numbers.ts';
import { readEvents } from '../../../src/engine/events.ts';
import { EngineLedger, replay } from '../../../src/engine/state/engine-ledger.ts';
import { LedgerState } from '../../../src/engine/state/state.ts';
import { HistoryArchive } from '../../../src/history/archive.ts';
import { type FollowedStep, follow } from '../../../src/history/projection.ts';
import { HistoryTables } from '../../../src/history/tables.ts';
import { Journal } from '../../../src/journal/journal.ts';
import { readJournal } from '../../../src/journal/segments.ts';
import { limits } from '../../../src/limits.ts';
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
/** All orders have ended within the day before. */
const NOW = 1_000;

const happening = fc.oneof(
  { weight: 10, arbitrary: fc.record({ type: fc.constant('step' as const), work }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('refused' as const), work }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('follow' as const) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('evict' as const), looksMax: fc.constantFrom(1, 2, 100) }) },
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
  let now = NOW;
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
      } else if (it.type === 'evict') {
        // So that what has waited is looked at, too.
        now += limits.evictionPauseMs;
        engine.ledger.state.evict(tables.followed(), now as UnixMillis, it.looksMax);
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
  const { state, followed } = loaded(tables);
  const options = { folder, files, timers: wallTimers, segmentBytes: 2_000, syncDelayMs: 5 };
  const journal = Journal.open(options, followed + 1, (sequence, record) => replay(state, sequence, record));
  return { journal, ledger: new EngineLedger(state, journal) };
}

/** The state as another start would find it now. */
function openState(folder: string, tables: HistoryTables): LedgerState {
  const { state, followed } = loaded(tables);
  readJournal(nodeFiles, folder, followed + 1, (sequence, record) => replay(state, sequence, record));
  return state;
}

function loaded(tables: HistoryTables) {
  const archive = new HistoryArchive(tables, () => tables.followed());
  const state = new LedgerState(archive);
  const live = archive.live(ACCOUNTS, NOW as UnixMillis);
  state.load(live);
  return { state, followed: live.followed };
}

function followJournal(folder: string, tables: HistoryTables): void {
  const steps: FollowedStep[] = [];
  readJournal(nodeFiles, folder, tables.followed() + 1, (sequence, payload) => {
    steps.push({ sequence, events: readEvents(payload) });
  });
  follow(tables, steps, KEPT_MAX);
}
