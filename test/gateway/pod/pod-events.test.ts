// The tail of a pod's order events against a plain list.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ActorEventRecord } from '../../../src/core/store/order-records.ts';
import { PodEvents } from '../../../src/gateway/pod/pod-handlers.ts';
import type { OrderNews } from '../../../src/orders/engine/engine-messages.ts';

const KEPT_MAX = 5;
const STARTED_AT = 1_795_237_201_250;
const PODS = ['one', 'other', 'nobody'];

it('has the latest events of each pod, in their order, after any number, as far as the history has them', async () => {
  const owner = fc.constantFrom('one/a', 'one/b', 'other/a');
  const batches = fc.array(fc.array(owner, { maxLength: 7 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(batches, fc.nat(40), fc.boolean(), async (actors, after, isPruned) => {
      const cursors = new Map<string, number>();
      const all: { readonly number: number; readonly podId: string; readonly place: string }[] = [];
      const read = async (actorId: string, from: number, rowsMax: number) => {
        if (isPruned && actorId === 'one/b') return null;
        const last = Math.min(from + rowsMax, cursors.get(actorId) ?? 0);
        return Array.from({ length: last - from }, (_, at) => ({ actorId, cursor: from + at + 1 }) as ActorEventRecord);
      };
      const events = new PodEvents(STARTED_AT, read, KEPT_MAX);
      for (const batch of actors) {
        const news = batch.map(actorId => {
          const [podId, cursor] = [actorId.split('/')[0]!, (cursors.get(actorId) ?? 0) + 1];
          cursors.set(actorId, cursor);
          all.push({ podId, number: STARTED_AT * 1_000 + all.length + 1, place: `${actorId} ${cursor}` });
          return { actorId, podId, cursor, record: null } as unknown as OrderNews;
        });
        events.addNews(news);
      }
      for (const podId of PODS) {
        const latest = all.filter(it => it.podId === podId).slice(-KEPT_MAX);
        const wanted = latest
          .filter(
            ({ number, place }) => number > STARTED_AT * 1_000 + after && !(isPruned && place.startsWith('one/b')),
          )
          .map(({ number, place }) => ({ number, place }));
        const found = await events.after(podId, STARTED_AT * 1_000 + after);
        expect(found.map(it => ({ number: it.number, place: `${it.record.actorId} ${it.record.cursor}` }))).toEqual(
          wanted,
        );
      }
    }),
  );
});
