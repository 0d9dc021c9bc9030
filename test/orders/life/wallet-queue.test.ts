// When the bytes of an action leave the process, and what its nonce proves once it is used.

import { describe, expect, it } from 'vitest';
import { MICROS_PER_DOLLAR, type MicroDollars, type Ticks, type UnixMillis } from '../../../src/core/domain/numbers.ts';
import { ok } from '../../../src/core/domain/result.ts';
import { limits } from '../../../src/limits.ts';
import { walletLimits } from '../../../src/orders/life/wallet-limits.ts';
import type { VenueFill } from '../../../src/venues/venue.ts';
import { HangingLog, MemoryLedger } from '../../support/memory-ledger.ts';
import { ACCOUNT, complementOf, NO, shares, WalletRig, YES } from './wallet-rig.ts';

const statusesOf = (rig: WalletRig) => rig.actions.map(it => it.status);

it.each(['process-safe', 'power-safe'] as const)(
  'in the mode %s nothing is sent while the disk does not answer, and everything once it does',
  async mode => {
    const log = new HangingLog();
    const rig = new WalletRig(new MemoryLedger(log, mode));
    await rig.act('SPLIT', { amountUsd: '5' }, { idempotencyKey: 'before' });
    for (const token of [YES, NO]) rig.chain.move(token, 5);
    rig.chain.nonce = 1n;
    await rig.pass(60_000);
    expect(statusesOf(rig)).toEqual(['CONFIRMED']);

    log.isHanging = true;
    void rig.act('SPLIT', { amountUsd: '7' }, { idempotencyKey: 'while' });
    // The time goes beyond the deadline of the first signature.
    await rig.pass(limits.venueAnswerTimeoutMs + walletLimits.walletUnsignedMs + 300_000);
    expect(rig.chain.sent.length).toBe(1);
    log.comeBack();
    await rig.pass(walletLimits.walletLookPauseMsMax * 2);
    expect([statusesOf(rig)[1], rig.chain.sent.map(it => it.nonce)]).toEqual(['SUBMITTED', [0n, 1n]]);
  },
);

it('the answer while the disk hangs is that the action is PENDING', async () => {
  const log = new HangingLog();
  const rig = new WalletRig(new MemoryLedger(log));
  log.isHanging = true;
  const { status, body } = await rig.act('SPLIT', { amountUsd: '5' });
  expect([status, JSON.parse(String(body))]).toMatchObject([201, { status: 'PENDING', error: null }]);
  expect(rig.chain.sent).toEqual([]);
});

describe('6202: beside strange shares, an action waits for the trades of its shares', () => {
  const FILL: VenueFill = {
    ...{ fillId: 'f', venueTradeId: 't', venueOrderId: 'o', clientOrderId: null, address: YES },
    ...{ size: shares(2), positionChange: shares(2), price: 5_000 as Ticks, addressPrice: 5_000 as Ticks },
    ...{ fee: 0 as MicroDollars, liquidity: null, settlement: 'MATCHED', executedAt: 0 as UnixMillis },
  };

  async function waiting(): Promise<WalletRig> {
    const rig = new WalletRig();
    rig.hold('alice', YES, 2);
    Object.assign(rig.chain, { isV2: true, payout: MICROS_PER_DOLLAR });
    rig.ledger.change(entry => entry.applyFill(ACCOUNT, FILL, null));
    // The chain has the shares that alice holds and strange shares. It does not have those of the purchase yet.
    rig.chain.move(YES, 2 + 5);
    await rig.act('REDEEM', { shares: '2' });
    await rig.pass(60_000);
    expect([statusesOf(rig), rig.chain.sent]).toEqual([['PENDING'], []]);
    return rig;
  }

  it('that settle', async () => {
    const rig = await waiting();
    rig.chain.move(YES, 2);
    rig.ledger.change(entry => void entry.applySettlement(ACCOUNT, { ...FILL, settlement: 'CONFIRMED' }));
    await rig.pass(60_000);
    expect([statusesOf(rig), rig.chain.sent.length]).toEqual([['SUBMITTED'], 1]);
  });

  it('that fail: the shares that are gone then prove it', async () => {
    const rig = await waiting();
    rig.ledger.change(entry => void entry.applySettlement(ACCOUNT, { ...FILL, settlement: 'FAILED' }));
    await rig.pass(60_000);
    expect([statusesOf(rig), rig.chain.sent.length]).toEqual([['SUBMITTED'], 1]);
    rig.chain.move(YES, -2);
    rig.chain.nonce = 1n;
    await rig.pass(60_000);
    expect([statusesOf(rig), rig.size('alice', YES)]).toEqual([['CONFIRMED'], 0]);
  });
});

describe('an action whose nonce is used', () => {
  async function used(): Promise<WalletRig> {
    const rig = new WalletRig();
    await rig.act('SPLIT', { amountUsd: '5' });
    rig.chain.nonce = 1n;
    return rig;
  }

  it('is not CONFIRMED before the balances of both tokens show it', async () => {
    const rig = await used();
    await rig.pass(60_000);
    expect(statusesOf(rig)).toEqual(['SUBMITTED']);
    for (const token of [YES, NO]) rig.chain.move(token, 5);
    await rig.pass(60_000);
    expect([statusesOf(rig), rig.size('alice', YES), rig.size('alice', NO)]).toEqual([['CONFIRMED'], 5, 5]);
  });

  it('is FAILED once they have shown nothing for 15 minutes, and was sent once', async () => {
    const rig = await used();
    await rig.pass(walletLimits.walletNonceLagMs);
    expect(statusesOf(rig)).toEqual(['SUBMITTED']);
    await rig.pass(walletLimits.walletLookPauseMsMax * 2);
    expect(rig.actions).toMatchObject([{ status: 'FAILED', error: { code: 'UNKNOWN' } }]);
    expect([rig.size('alice', YES), rig.chain.sent.length]).toEqual([0, 1]);
  });

  describe('that the relayer confirms, while the balances do not show it for 15 minutes', () => {
    const CONFIRMED = ok({ type: 'confirmed', transactionHash: `0x${'1'.repeat(64)}` } as const);
    async function confirmed(isV2: boolean, balance: number): Promise<WalletRig> {
      const rig = new WalletRig();
      Object.assign(rig.chain, { isV2, payout: MICROS_PER_DOLLAR });
      rig.hold('alice', YES, 2);
      rig.chain.move(YES, 2);
      await rig.act('REDEEM', {});
      await rig.pass(20_000);
      rig.chain.balances.set(YES, shares(balance));
      Object.assign(rig.chain, { nonce: 1n, state: CONFIRMED });
      await rig.pass(walletLimits.walletNonceLagMs + walletLimits.walletLookPauseMsMax * 2);
      return rig;
    }

    it.each([false, true])('is CONFIRMED if other shares have come to the wallet since (V2: %s)', async isV2 => {
      const rig = await confirmed(isV2, 4);
      expect([statusesOf(rig), rig.size('alice', YES)]).toEqual([['CONFIRMED'], 0]);
    });

    it.each([false, true])('is FAILED if the wallet holds what it held before (V2: %s)', async isV2 => {
      const rig = await confirmed(isV2, 2);
      expect([statusesOf(rig), rig.size('alice', YES)]).toEqual([['FAILED'], 2]);
    });
  });

  it('is sent again with the same nonce if the chain takes that back', async () => {
    const rig = await used();
    await rig.pass(20_000);
    rig.chain.nonce = 0n;
    rig.chain.state = ok({ type: 'absent' });
    await rig.pass(120_000);
    expect(rig.chain.sent.length).toBeGreaterThan(1);
    expect(new Set(rig.chain.sent.map(it => it.nonce))).toEqual(new Set([0n]));
  });
});

describe('6203: an action whose nonce the chain does not reach', () => {
  async function behind(hasDeadline: boolean): Promise<WalletRig> {
    const rig = new WalletRig();
    rig.chain.hasDeadline = hasDeadline;
    await rig.act('SPLIT', { amountUsd: '5' }, { idempotencyKey: 'first' });
    rig.chain.nonce = 1n;
    await rig.pass(20_000);
    await rig.act('SPLIT', { amountUsd: '9' }, { idempotencyKey: 'second', tokenId: '2001' });
    expect(rig.chain.sent.map(it => it.nonce)).toEqual([0n, 1n]);
    // The chain takes the first transaction back, and nobody executes it again.
    Object.assign(rig.chain, {
      nonce: 0n,
      answer: { type: 'refused', message: 'invalid' },
      state: ok({ type: 'absent' }),
    });
    await rig.pass(DEADLINE_PASSED_MS);
    return rig;
  }

  const DEADLINE_PASSED_MS = 600_000 + walletLimits.walletDeadlineMarginMs + walletLimits.walletLookPauseMsMax * 3;

  it('is given up after its deadline, so that the wallet goes on', async () => {
    const rig = await behind(true);
    expect(statusesOf(rig)).toEqual(['FAILED', 'FAILED']);
    rig.chain.answer = { type: 'accepted', transactionId: 'tx', transactionHash: null };
    await rig.act('SPLIT', { amountUsd: '7' }, { idempotencyKey: 'third' });
    expect(rig.chain.sent.at(-1)).toMatchObject({ nonce: 0n });
  });

  it('waits without a deadline, since the chain may still execute it', async () => {
    expect(statusesOf(await behind(false))).toEqual(['SUBMITTED', 'SUBMITTED']);
  });
});

it('an action that has overtaken another keeps its nonce for itself', async () => {
  const rig = new WalletRig();
  const OTHER = '2001';
  await rig.act('SPLIT', { amountUsd: '5' }, { idempotencyKey: 'first' });
  rig.chain.nonce = 1n;
  await rig.pass(20_000);
  // The second action waits for the proof of the first action, which has the same token. The third action is in another market.
  await rig.act('SPLIT', { amountUsd: '7' }, { idempotencyKey: 'second' });
  await rig.act('SPLIT', { amountUsd: '9' }, { idempotencyKey: 'third', tokenId: OTHER });
  for (const token of [YES, NO]) rig.chain.move(token, 5);
  await rig.pass(180_000);
  expect(statusesOf(rig)).toEqual(['CONFIRMED', 'PENDING', 'SUBMITTED']);
  expect(rig.chain.sent.filter(it => it.nonce === 1n).every(it => it.tokenId === OTHER)).toBe(true);
  for (const token of [OTHER, complementOf(OTHER)]) rig.chain.move(token, 9);
  rig.chain.nonce = 2n;
  await rig.pass(180_000);
  expect(statusesOf(rig)).toEqual(['CONFIRMED', 'SUBMITTED', 'CONFIRMED']);
  expect(rig.chain.sent.at(-1)).toMatchObject({ tokenId: YES, nonce: 2n });
});

it('a lost answer makes no second nonce, and a refusal after it ends nothing', async () => {
  const rig = new WalletRig();
  rig.chain.hasDeadline = false;
  rig.chain.answer = { type: 'unknown', message: 'no answer' };
  await rig.act('SPLIT', { amountUsd: '5' });
  rig.chain.answer = { type: 'refused', message: 'invalid signature' };
  await rig.pass(walletLimits.walletNonceLagMs * 2);
  expect(statusesOf(rig)).toEqual(['SUBMITTED']);
  expect(new Set(rig.chain.sent.map(it => it.nonce))).toEqual(new Set([0n]));
});

describe('while the disk is waited for before the sending', () => {
  async function waiting() {
    const log = new HangingLog();
    const rig = new WalletRig(new MemoryLedger(log));
    log.isHanging = true;
    void rig.ask('SPLIT', { amountUsd: '5' });
    await stand(rig);
    expect(statusesOf(rig)).toEqual(['SUBMITTED']);
    return { log, rig };
  }

  /** Runs the tasks that are due, without letting time pass. */
  async function stand(rig: WalletRig) {
    for (let turns = 0; turns < 20; turns += 1) await rig.timers.settle();
  }

  it('a STOP is obeyed: nothing is sent, and the action is FAILED', async () => {
    const { log, rig } = await waiting();
    rig.stop = 'the operator has stopped all pods';
    log.comeBack();
    await stand(rig);
    await rig.pass(walletLimits.walletLookPauseMsMax * 2);
    expect(rig.actions).toMatchObject([{ status: 'FAILED', error: { code: 'NOT_FEASIBLE' } }]);
    expect(rig.chain.sent).toEqual([]);
  });

  it('the end of the process is obeyed: nothing is sent', async () => {
    const { log, rig } = await waiting();
    const ended = rig.wallets.stop();
    log.comeBack();
    await stand(rig);
    await ended;
    expect([statusesOf(rig), rig.chain.sent]).toEqual([['SUBMITTED'], []]);
  });
});
