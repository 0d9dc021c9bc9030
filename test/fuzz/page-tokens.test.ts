// Page tokens: a changed token is refused, and so is a token of another caller, list or pod. An accepted token equals an issued token byte for byte,
// and names its page.

import fc from 'fast-check';
import { expect } from 'vitest';
import { type Page, type PageScope, pageToken, readPage } from '../../src/core/wire/page-token.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { fuzz } from './fuzz.ts';

const FILTERS = ['ticker', 'status'];
const scope: fc.Arbitrary<PageScope> = fc.record({
  secret: fc.constantFrom(Buffer.alloc(32, 1), Buffer.alloc(32, 2)),
  actorId: fc.constantFrom('pod/ann', 'pod/bob', 'pod/ann\0'),
  path: fc.constantFrom('/v1/venue-a/orders', '/v1/venue-b/orders', '/v1/orders'),
});
const page: fc.Arbitrary<Page> = fc.record({
  rows: fc.integer({ min: 1, max: 100 }),
  filters: fc.dictionary(fc.constantFrom(...FILTERS), fc.string({ minLength: 1, unit: 'binary' })),
  after: fc.option(fc.string(), { nil: null }),
});

fuzz({
  name: 'page tokens',
  inputs: fc.tuple(scope, scope, page, fc.boolean()).chain(([owner, caller, given, isText]) => {
    const token = pageToken(owner, given);
    const bytes = Buffer.from(token, isText ? 'latin1' : 'base64url');
    const changed = damagedBytes(fc.constant(bytes), ['=', '-', '_', 'A'], 2);
    const shown = changed.map(it => (isText ? it.toString('latin1') : it.toString('base64url')));
    return fc.record({ owner: fc.constant(owner), caller: fc.constant(caller), given: fc.constant(given), shown });
  }),
  runs: 300,
  check({ owner, caller, given, shown }) {
    const read = readPage(caller, new Map([['pageToken', shown]]), FILTERS);
    const isOwn =
      JSON.stringify([caller.secret, caller.actorId, caller.path]) ===
      JSON.stringify([owner.secret, owner.actorId, owner.path]);
    if (isOwn && shown === pageToken(owner, given)) expect(read).toEqual({ ok: true, value: given });
    else expect(read).toEqual({ ok: false, error: 'pageToken: was not issued for this list and this caller' });
  },
});
