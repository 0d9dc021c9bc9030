// The tail of a pod's order events against a plain list.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OrderEventRecord } from '../../../src/core/store/order-records.ts';
import { PodEvents } from '../../../src/gateway/pod/pod-handlers.ts';

const KEPT_MAX = 5;
const STARTED_AT = 1_795_237_201_250;

const record = (podId: string, cursor: number) => ({ cursor, order: { podId } }) as OrderEventRecord;

it('has the latest events of each pod, in their order, after any number', () => {
  const batches = fc.array(fc.array(fc.constantFrom('one', 'other'), { maxLength: 7 }), { maxLength: 12 });
  fc.assert(
    fc.property(batches, fc.nat(40), (pods, after) => {
      const events = new PodEvents(STARTED_AT, KEPT_MAX);
      const all: { readonly number: number; readonly podId: string }[] = [];
      for (const batch of pods) {
        events.hear(batch.map((podId, index) => record(podId, index)));
        for (const podId of batch) all.push({ podId, number: STARTED_AT * 1_000 + all.length + 1 });
      }
      for (const podId of ['one', 'other', 'nobody']) {
        const numbers = all.filter(it => it.podId === podId).map(({ number }) => number);
        const wanted = numbers.slice(-KEPT_MAX).filter(it => it > STARTED_AT * 1_000 + after);
        expect(events.after(podId, STARTED_AT * 1_000 + after).map(({ number }) => number)).toEqual(wanted);
      }
    }),
  );
});
