// What the list of markets refuses before it looks at any: searches with more words, or longer, than the catalog is searched for.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { listMarkets } from '../../src/threads/market-lists.ts';

const caller = { keyId: 'key', actorId: 'alice', podId: 'pod' };
const path = '/v1/markets';
const scope = { secret: Buffer.alloc(32, 7), actorId: caller.actorId, path };

function listed(q: string) {
  const query = new Map([['q', q]]);
  return listMarkets(scope, { name: 'markets', caller, path, query, catalog: null, tradable: [] }, 0);
}

it.each([
  ['more than searchWordsMax words', Array(limits.searchWordsMax).fill('win').join(' '), ' x'],
  ['more than searchCharactersMax characters', 'w'.repeat(limits.searchCharactersMax), 'w'],
])('%s are refused, one less is not', (_what, most, more) => {
  expect([listed(most).status, listed(most + more).status]).toEqual([200, 400]);
  expect(listed(most + more).body).toContain('(searchCharactersMax)');
});
