// Redeem, split and merge of a wallet of venue A through its relayer: each kind of wallet, both protocols, and every failure.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { NEG_RISK, REGULAR, SECOND_PROTOCOL } from '../../../paper/venue-a/venue-a-rig.ts';
import { FUNDER, readingOf, shares, WalletRig } from './wallet-rig.ts';

const [WON] = REGULAR.tokens;
const [WON_V2, LOST_V2] = SECOND_PROTOCOL.tokens;
const KINDS = [
  [3, 'deposit wallet'],
  [2, 'Safe'],
  [1, 'proxy'],
] as const;
const CONFIRMED = { type: 'confirmed', transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) };

let rig: WalletRig;

async function start(...parts: Parameters<typeof WalletRig.start>): Promise<void> {
  rig = await WalletRig.start(...parts);
}

describe.each(KINDS)('a wallet of type %s (%s)', type => {
  it.each([
    ['a market of protocol V1', REGULAR],
    ['a neg-risk market of protocol V1', NEG_RISK],
    ['a market of protocol V2', SECOND_PROTOCOL],
  ])('splits, merges and redeems in %s', async (_what, listing) => {
    await start(type);
    const [first] = listing.tokens;
    expect(await rig.ended(await rig.send('SPLIT', first, 10))).toEqual(CONFIRMED);
    expect([rig.held(listing), rig.cash]).toEqual([[10, 10], 990]);
    expect(await rig.ended(await rig.send('MERGE', first, 4))).toEqual(CONFIRMED);
    expect([rig.held(listing), rig.cash]).toEqual([[6, 6], 994]);
    rig.resolve(0, listing);
    expect(await rig.ended(await rig.send('REDEEM', first, 6))).toEqual(CONFIRMED);
    // Protocol V1 burns both outcomes, and protocol V2 only the named outcome.
    expect([rig.held(listing), rig.cash]).toEqual([listing === SECOND_PROTOCOL ? [0, 6] : [0, 0], 1_000]);
    expect(await rig.wallet.balanceOf(first)).toEqual({ ok: true, value: 0 });
    expect(await rig.wallet.nonce()).toEqual({ ok: true, value: 3n });
    expect(rig.venue.exchange.audit()).toMatchObject({ owed: 0, escrow: 0 });
  });
});

describe('a redemption', () => {
  it('of a part at protocol V2 leaves the rest, and half a dollar a share is paid to the micro-dollar below', async () => {
    await start(3);
    rig.give(3, SECOND_PROTOCOL);
    rig.resolve(null, SECOND_PROTOCOL);
    await rig.ended(await rig.send('REDEEM', LOST_V2, 1.000_001));
    expect([rig.held(SECOND_PROTOCOL), rig.cash]).toEqual([[3, 1.999_999], 997.5]);
    await rig.ended(await rig.send('REDEEM', LOST_V2, 1.999_999));
    await rig.ended(await rig.send('REDEEM', WON_V2, 3));
    expect([rig.held(SECOND_PROTOCOL), rig.cash]).toEqual([[0, 0], 999.999_999]);
    expect(rig.venue.exchange.audit()).toMatchObject({ owed: 0, escrow: 0 });
  });

  it.each([
    ['of shares that are not there', () => rig.resolve(0, SECOND_PROTOCOL)],
    ['in a market without a result', () => {}],
  ])('%s fails on the chain, and uses up no nonce', async (_what, before) => {
    await start(3);
    rig.give(1, SECOND_PROTOCOL);
    before();
    const state = await rig.ended(await rig.send('REDEEM', WON_V2, 2));
    expect(state).toEqual({ type: 'failed', message: 'execution reverted' });
    expect([rig.held(SECOND_PROTOCOL), await rig.wallet.nonce()]).toEqual([[1, 1], { ok: true, value: 0n }]);
  });
});

describe('a call that reverts', () => {
  it.each([
    [3, 0n],
    [2, 0n],
    [1, 1n],
  ] as const)(
    'of a wallet of type %s, for want of an approval that nobody lists, leaves the nonce at %s',
    async (type, nonce) => {
      await start(type);
      rig.venue.exchange.approve(FUNDER, 'CtfAdapterIsApprovedForAll', false);
      rig.give(1);
      expect(await rig.ended(await rig.send('MERGE', WON, 1))).toMatchObject({ type: 'failed' });
      expect([rig.held(), await rig.wallet.nonce()]).toEqual([[1, 1], { ok: true, value: nonce }]);
    },
  );
});

describe('a token', () => {
  it('has a complement, and a payout once its market is resolved', async () => {
    await start(3);
    const [first, second] = REGULAR.tokens;
    const before = { tokenId: second, complementId: first, redeemsAnAmount: false, payout: null };
    expect(readingOf(await rig.wallet.token(second))).toEqual(before);
    rig.resolve(1);
    expect(readingOf(await rig.wallet.token(second)).payout).toBe(1_000_000);
    expect(readingOf(await rig.wallet.token(first)).payout).toBe(0);
    rig.resolve(null, SECOND_PROTOCOL);
    const half = { tokenId: LOST_V2, complementId: WON_V2, redeemsAnAmount: true, payout: 500_000 };
    expect(readingOf(await rig.wallet.token(LOST_V2))).toEqual(half);
  });

  it('of no market is unknown', async () => {
    await start(3);
    for (const tokenId of ['77', '077', `0${WON_V2}`, 'token'])
      expect(await rig.wallet.token(tokenId)).toMatchObject({ ok: false, error: { isUnknown: true } });
  });
});

describe('the same request', () => {
  it.each(KINDS)(
    'of a wallet of type %s (%s) has the same bytes again, and a deadline if the wallet has one',
    async type => {
      await start(type);
      const first = await rig.prepared('SPLIT', WON, 1);
      expect(await rig.prepared('SPLIT', WON, 1)).toEqual(first);
      expect(first.deadline).toBe(type === 3 ? rig.venue.timers.now() + 600_000 : null);
    },
  );
});

describe('a lost answer', () => {
  it.each([
    ['lost', { kind: 'lost', isApplied: true }],
    ['a 502', { kind: 'status', status: 502, isApplied: true }],
  ] as const)(
    '(%s) of a request that was carried out is unknown; then the bytes are busy, and then used up',
    async (_what, fault) => {
      await start(3);
      const intent = await rig.prepared('SPLIT', WON, 10);
      rig.strike('POST /submit', fault);
      expect(await rig.submit(intent)).toMatchObject({ type: 'unknown' });
      const message = expect.stringMatching(/wallet busy/);
      expect(await rig.submit(intent)).toMatchObject({ type: 'not-now', message });
      rig.settle();
      expect(await rig.submit(intent)).toMatchObject({ type: 'nonce-used' });
      expect([rig.held(), rig.cash]).toEqual([[10, 10], 990]);
    },
  );

  it('of a request that was not carried out leaves the bytes to be sent again, once', async () => {
    await start(2);
    const intent = await rig.prepared('SPLIT', WON, 10);
    rig.strike('POST /submit', { kind: 'lost', isApplied: false });
    expect(await rig.submit(intent)).toMatchObject({ type: 'unknown' });
    expect(await rig.submit(intent)).toMatchObject({ type: 'accepted' });
    rig.settle();
    expect(rig.held()).toEqual([10, 10]);
  });
});

describe('the relayer', () => {
  it('wants the bytes later if a wallet is busy, or if it is asked too often', async () => {
    await start(3);
    const intent = await rig.prepared('SPLIT', WON, 1);
    rig.strike('POST /submit', { kind: 'rate-limited' });
    expect(await rig.submit(intent)).toMatchObject({ type: 'not-now', retryAfterS: 1 });
    rig.strike('POST /submit', { kind: 'status', status: 400, isApplied: false });
    expect(await rig.submit(intent)).toMatchObject({ type: 'not-now' });
    expect(await rig.submit(intent)).toMatchObject({ type: 'accepted' });
  });

  it('may undo a transaction that the chain has taken: nothing has changed then, the nonce neither', async () => {
    await start(3);
    rig.strike(null, { kind: 'transaction-fails', usesNonce: false });
    const transactionId = await rig.send('SPLIT', WON, 1);
    rig.venue.timers.advance(2_000);
    expect(readingOf(await rig.wallet.transaction(transactionId))).toMatchObject({ type: 'under-way' });
    // The nonce looks used until the chain undoes the transaction.
    expect(await rig.wallet.nonce()).toEqual({ ok: true, value: 1n });
    expect(await rig.ended(transactionId)).toMatchObject({ type: 'failed' });
    expect([rig.held(), await rig.wallet.nonce()]).toEqual([[0, 0], { ok: true, value: 0n }]);
  });

  it('may take a transaction that the chain undoes, and that has used its nonce', async () => {
    await start(1);
    rig.strike(null, { kind: 'transaction-fails', usesNonce: true });
    expect(await rig.ended(await rig.send('SPLIT', WON, 1))).toMatchObject({ type: 'failed' });
    expect([rig.held(), await rig.wallet.nonce()]).toEqual([[0, 0], { ok: true, value: 1n }]);
  });

  it('may state a nonce that is behind the chain: its words say so, nothing happens, and the next nonce is right', async () => {
    await start(3);
    await rig.ended(await rig.send('SPLIT', WON, 1));
    const stale = { kind: 'rows', where: { nonce: '1' }, set: { nonce: '0' }, isMore: false } as const;
    for (let times = 0; times < 2; times += 1) rig.strike('GET /v1/account/transactions/params', stale);
    const outcome = await rig.submit(await rig.prepared('SPLIT', WON, 1));
    expect(outcome).toMatchObject({ type: 'nonce-used', onChain: 1n });
    expect(await rig.wallet.nonce()).toEqual({ ok: true, value: 1n });
    rig.strike('GET /v1/account/transactions/params', stale);
    rig.venue.timers.advance(60_000);
    expect(await rig.wallet.nonce()).toEqual({ ok: true, value: 0n });
    rig.settle();
    expect(rig.held()).toEqual([1, 1]);
  });

  it('refuses bytes of a nonce beyond the chain, and of a deadline that has passed', async () => {
    await start(3);
    const request = { kind: 'SPLIT', tokenId: WON, shares: shares(1) } as const;
    const early = readingOf(await rig.wallet.prepare(request, 5n, rig.venue.timers.now()));
    expect(await rig.submit(early)).toMatchObject({ type: 'refused' });
    const late = readingOf(await rig.wallet.prepare(request, 0n, (rig.venue.timers.now() - 700_000) as UnixMillis));
    expect(await rig.submit(late)).toMatchObject({ type: 'refused' });
  });

  it('sends no transaction to the chain after its deadline', async () => {
    await start(3);
    rig.plan.setSettlementDelayMs('venue_a', 1_000_000_000);
    const transactionId = await rig.send('SPLIT', WON, 1);
    rig.venue.timers.advance(1_000_000_000);
    const state = readingOf(await rig.wallet.transaction(transactionId));
    expect(state).toEqual({ type: 'failed', message: 'deadline passed' });
    expect(rig.held()).toEqual([0, 0]);
  });

  it('takes the credentials of a builder, and no key that it does not know', async () => {
    await start(3, 'builder');
    expect(await rig.submit(await rig.prepared('SPLIT', WON, 1))).toMatchObject({ type: 'accepted' });
    await start(3, 'stranger');
    expect(await rig.submit(await rig.prepared('SPLIT', WON, 1))).toMatchObject({ type: 'refused' });
  });

  it('knows no other transaction than its own', async () => {
    await start(3);
    expect(await rig.wallet.transaction('none')).toEqual({ ok: true, value: { type: 'absent' } });
  });

  it('is asked 25 times a minute, and the last five are for nonces and transactions', async () => {
    await start(3);
    for (let asked = 0; asked < 20; asked += 1) readingOf(await rig.wallet.transaction('none'));
    expect(await rig.wallet.transaction('none')).toMatchObject({ ok: false });
    const intent = await rig.prepared('SPLIT', WON, 1);
    expect(await rig.submit(intent)).toMatchObject({ type: 'accepted' });
    for (let asked = 0; asked < 2; asked += 1) readingOf(await rig.wallet.nonce());
    expect(await rig.wallet.nonce()).toMatchObject({ ok: false });
    expect(await rig.submit(intent)).toMatchObject({ type: 'not-now', retryAfterS: 3 });
    rig.venue.timers.advance(60_000);
    readingOf(await rig.wallet.transaction('none'));
  });
});

describe('no action is possible', () => {
  it.each([
    ['from the signer’s own account', 0, 'key', /signatureType 0/],
    ['without access to the relayer', 3, null, /pods file/],
  ] as const)('%s, which is said', async (_what, type, access, words) => {
    await start(type, access);
    expect(rig.wallet.problem).toMatch(words);
    expect(await rig.wallet.nonce()).toEqual({ ok: false, error: rig.wallet.problem });
  });

  it('before the deposit wallet is on the chain, and while the relayer does not say so', async () => {
    const request = { kind: 'SPLIT', tokenId: WON, shares: shares(1) } as const;
    const prepared = () => rig.wallet.prepare(request, 0n, rig.venue.timers.now());
    await start(3, 'key', false);
    expect(await prepared()).toMatchObject({ ok: false, error: expect.stringMatching(/not on the chain/) });
    await start(3);
    rig.strike('GET /deployed', { kind: 'status', status: 503, isApplied: false });
    expect(await prepared()).toMatchObject({ ok: false });
    expect(await prepared()).toMatchObject({ ok: true });
  });

  it.each([
    ['SPLIT', 'PusdV2Router'],
    ['MERGE', 'V2PositionManagerRouterIsApprovedForAll'],
    ['REDEEM', 'V2PositionManagerRouterIsApprovedForAll'],
  ] as const)('by the router without its approval: %s needs %s', async (kind, approval) => {
    await start(3);
    rig.give(1, SECOND_PROTOCOL);
    rig.venue.exchange.approve(FUNDER, approval, false);
    const request = { kind, tokenId: WON_V2, shares: shares(1) } as const;
    const prepared = await rig.wallet.prepare(request, 0n, rig.venue.timers.now());
    expect(prepared).toEqual({ ok: false, error: expect.stringContaining(approval) });
  });
});
