// Random lives of an order store beside a naive twin: transactions that succeed and that throw, groups of them, pruning, reopening,
// crashes. At every step both answer every question alike, and the store's own check finds nothing wrong.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OpenedOrderStore } from '../../../src/store/order-store.ts';
import { checkOrders } from '../../../src/store/orders/check.ts';
import { NaiveOrderStore } from '../../support/naive-order-store.ts';
import { crashCopy, removeFolder, temporaryFolder } from '../durable/store-rig.ts';
import { apply, clock, KEPT_MS, outcomeOf, questions, RETENTION, work } from './lives.ts';
import { at, openOrders } from './order-rig.ts';

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('change' as const), works: fc.tuple(work) }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('commit' as const), works: fc.array(work, { maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('prune' as const), now: clock.map(it => at(it + 10)) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('reopen' as const, 'kill' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

it('does what its twin does', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 12 }), live), { numRuns: 60 });
});

async function live(steps: readonly Step[]): Promise<void> {
  const folders = [temporaryFolder()];
  const twin = new NaiveOrderStore({ eventsKeptMax: RETENTION.orderEventsKeptMax });
  const open = (): Promise<OpenedOrderStore> => openOrders(folders.at(-1)!, { retention: RETENTION });
  let store = await open();

  async function act(it: Step): Promise<void> {
    switch (it.type) {
      case 'change':
        for (const each of it.works) {
          expect(outcomeOf(() => store.change(to => apply(to, each, questions)))).toEqual(
            outcomeOf(() => twin.change(to => apply(to, each, questions))),
          );
        }
        return;
      case 'commit': {
        const results = await Promise.allSettled(it.works.map(each => store.commit(to => apply(to, each, questions))));
        it.works.forEach((each, index) => {
          const result = results[index]!;
          expect(result.status === 'fulfilled' ? result.value : result.reason).toEqual(
            outcomeOf(() => twin.change(to => apply(to, each, questions))),
          );
        });
        return;
      }
      case 'prune':
        for (let slices = 0; store.prune(it.now); slices++) expect(slices).toBeLessThan(200);
        return twin.prune(at(it.now - KEPT_MS));
      default:
        if (it.type === 'kill') folders.push(crashCopy(folders.at(-1)!));
        await store.close();
        store = await open();
    }
  }

  try {
    for (const it of steps) {
      await act(it);
      expect(questions(store)).toEqual(questions(twin));
      expect(store.inspect(checkOrders).faults).toEqual([]);
    }
  } finally {
    await store.close();
    folders.forEach(removeFolder);
  }
}
