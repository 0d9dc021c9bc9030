// The number of accounts that cannot be read or have no private stream, after any reports in any number.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { PodAccounts } from '../../../src/core/domain/pod-accounts.ts';
import { AccountStandings } from '../../../src/gateway/trading/engine-news.ts';
import type { AccountNews } from '../../../src/orders/life/account-parts.ts';

const account = {} as NonNullable<PodAccounts['venueB']>;
const pod: PodAccounts = { podId: 'one', secretHex: '', venueA: null, venueB: account };
const other: PodAccounts = { podId: 'other', secretHex: '', venueA: null, venueB: account };

it('counts the accounts of all pods, each once', () => {
  const standings = new AccountStandings([pod, other]);
  const after = (name: string, news: AccountNews) => {
    standings.handleNews(name, news);
    return [standings.unread, standings.disconnected];
  };
  expect([standings.unread, standings.disconnected]).toEqual([2, 2]);
  expect(after('one', { type: 'read' })).toEqual([1, 2]);
  expect(after('one', { type: 'read' })).toEqual([1, 2]);
  expect(after('one', { type: 'stream-up' })).toEqual([1, 1]);
  expect(after('other', { type: 'unread', message: 'no' })).toEqual([1, 1]);
  expect(after('other', { type: 'read' })).toEqual([0, 1]);
  expect(after('one', { type: 'stream-down', message: 'gone' })).toEqual([0, 2]);
  expect(after('one', { type: 'unread', message: 'no' })).toEqual([1, 2]);
  expect(after('one', { type: 'stream-up' })).toEqual([1, 1]);
});

it('4006: counts the accounts whose location is attested for days only', () => {
  const standings = new AccountStandings([pod, other]);
  const after = (endsAt: number | null) => {
    standings.handleNews('one', { type: 'attestation', endsAt: endsAt as UnixMillis | null });
    return standings.endingAttestations;
  };
  expect([standings.endingAttestations, after(1), after(2), after(null)]).toEqual([0, 1, 1, 0]);
});

it('knows how many actions of wallets are open, and how old the oldest is', () => {
  const standings = new AccountStandings([pod, other]);
  const shown = () => [standings.openActions, standings.actionAgeS(10_000)];
  const after = (name: string, open: number, since: number | null) => {
    standings.handleNews(name, { type: 'actions', open, since: since as UnixMillis | null });
    return shown();
  };
  expect(shown()).toEqual([0, 0]);
  expect(after('one', 2, 4_000)).toEqual([2, 6]);
  expect(after('other', 1, 1_000)).toEqual([3, 9]);
  expect(after('other', 0, null)).toEqual([2, 6]);
  expect(after('one', 1, 20_000)).toEqual([1, 0]);
});
