// Random lives of the engine's ledger beside a naive twin. They have steps that succeed and that throw, a disk that refuses, a history that
// follows now and then, evictions and restarts. The state is the fold of its journal, wherever its parts are. The history lists what the
// twin lists.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nodeFiles } from '../../../../src/core/store/files.ts';
import { checkOrders } from '../../../../src/core/store/orders/check.ts';
import { OrderReader } from '../../../../src/core/store/orders/order-reader.ts';
import { StoreError } from '../../../../src/core/store/store-error.ts';
import { limits } from '../../../../src/limits.ts';
import { apply, liveQuestions, outcomeOf, questions, work } from '../../../core/store/orders/lives.ts';
import { NaiveOrderLedger } from '../../../support/naive-order-ledger.ts';
import { EngineRig } from '../engine-rig.ts';

/** A time at which all orders have ended within the day before. */
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
  const files = { ...nodeFiles };
  const twin = new NaiveOrderLedger();
  const rig = new EngineRig(NOW, files);
  try {
    for (const it of happenings) {
      if (it.type === 'step') {
        const done = outcomeOf(() => rig.store.change(step => apply(step, it.work, liveQuestions)));
        expect(done).toEqual(outcomeOf(() => twin.change(to => apply(to, it.work, liveQuestions))));
      } else if (it.type === 'refused') {
        const refusal = new StoreError('full');
        files.append = () => {
          throw refusal;
        };
        const before = rig.journal.sequence;
        outcomeOf(() => rig.store.change(step => apply(step, it.work, liveQuestions)));
        files.append = nodeFiles.append;
        // The journal has no new record. Only a step without an event succeeds, because it needs no record.
        expect(rig.journal.sequence).toBe(before);
        await rig.journal.repaired();
      } else if (it.type === 'evict') {
        // Time passes, so that orders that have waited for their eviction are looked at, too.
        rig.now = (rig.now + limits.evictionPauseMs) as typeof rig.now;
        rig.evict(it.looksMax);
      } else if (it.type === 'follow') {
        rig.follow();
        expect(questions(new OrderReader(rig.tables))).toEqual(questions(twin));
        expect(checkOrders(rig.tables).faults).toEqual([]);
      } else {
        await rig.restart();
      }
      expect(liveQuestions(rig.store)).toEqual(liveQuestions(twin));
      expect(liveQuestions(rig.found())).toEqual(liveQuestions(twin));
    }
  } finally {
    await rig.close();
  }
}
