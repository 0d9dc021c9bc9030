// News of the open actions of wallets: only what has changed, and never anything of venue B.

import { expect, it } from 'vitest';
import type { WalletAction } from '../../../src/core/domain/wallet-action.ts';
import { WalletNews } from '../../../src/orders/life/wallet-news.ts';

it('is the number of open actions of each pod, and the time of the oldest, when it has changed', () => {
  const open = new Map<string, number[]>();
  const said: string[] = [];
  const watch = new WalletNews({
    accounts: ['one', 'two'].flatMap(podId => (['venue_a', 'venue_b'] as const).map(venue => ({ podId, venue }))),
    openActions: podId => (open.get(podId) ?? []).map(createdAt => ({ createdAt }) as unknown as WalletAction),
    announce: ({ podId, venue }, news) =>
      void said.push(news.type === 'actions' ? `${podId} ${venue} ${news.open} since ${news.since}` : news.type),
  });
  const after = (podId: string, times: number[]) => {
    open.set(podId, times);
    watch.announceChanges();
    return said.splice(0);
  };
  expect(after('one', [])).toEqual([]);
  expect(after('one', [5, 9])).toEqual(['one venue_a 2 since 5']);
  expect(after('one', [5, 9])).toEqual([]);
  expect(after('one', [9, 12])).toEqual(['one venue_a 2 since 9']);
  expect(after('two', [3])).toEqual(['two venue_a 1 since 3']);
  expect(after('one', [])).toEqual(['one venue_a 0 since null']);
});
