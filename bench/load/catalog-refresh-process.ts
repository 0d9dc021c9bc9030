// Refreshes a catalog of 10 000 games with 100 000 markets on request. One event in a hundred is new each time. The catalog is written as the
// catalog thread writes it, at that thread's priority. This process, like that thread, shares only the machine with the gateway. It ends with its
// parent.

import { constants, setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { CatalogBuilder } from '../../src/catalog/build-catalog.ts';
import { RowBuilder } from '../../src/catalog/catalog-rows.ts';
import { EventIds } from '../../src/catalog/matching/event-ids.ts';
import { SnapshotWriter } from '../../src/catalog/snapshot-writer.ts';
import { listedGames } from '../catalog-workload.ts';

export type RefreshQuestion = { readonly op: 'make'; readonly games: number } | { readonly op: 'begin' | 'end' };

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const CHANGED_EVERY = 100;
const [builder, maker, writer] = [new CatalogBuilder(new EventIds()), new RowBuilder(), new SnapshotWriter()];
let listed = listedGames(0);
let refreshes = 0;
let isRefreshing = false;

process.on('message', (question: RefreshQuestion) => {
  switch (question.op) {
    case 'make':
      listed = listedGames(question.games);
      refresh();
      // The second build already knows the paired games.
      refresh();
      process.send?.(null);
      return;
    case 'begin':
      isRefreshing = true;
      void refreshOn();
      process.send?.(null);
      return;
    case 'end':
      isRefreshing = false;
      process.send?.(refreshes);
      return;
    default:
      throw new Error('unknown question');
  }
});
process.once('disconnect', () => process.exit(0));

async function refreshOn(): Promise<void> {
  while (isRefreshing) {
    refresh();
    await setImmediate();
  }
}

function refresh(): void {
  listed = listed.map((event, index) => (index % CHANGED_EVERY === refreshes % CHANGED_EVERY ? { ...event } : event));
  writer.write(maker.of(builder.build(listed)));
  refreshes += 1;
}
