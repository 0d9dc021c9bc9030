// A process goes on with actions that an earlier process has left, or that a restored backup has.

import { expect, it } from 'vitest';
import type { OrderError } from '../../../src/core/domain/order.ts';
import { walletLimits } from '../../../src/orders/life/wallet-limits.ts';
import { WalletRig } from './wallet-rig.ts';

/** One action at a relayer that is busy, and one that waits for it. */
async function leftBehind(): Promise<WalletRig> {
  const rig = new WalletRig();
  await rig.act('SPLIT', { amountUsd: '1' }, { idempotencyKey: 'a' });
  await rig.act('SPLIT', { amountUsd: '2' }, { idempotencyKey: 'b' });
  expect(rig.actions.map(it => it.status).toSorted()).toEqual(['PENDING', 'SUBMITTED']);
  await rig.wallets.stop();
  return rig;
}

it.each([
  ['is done, if that is not long ago', walletLimits.walletPendingMsMax - 60_000, 'SUBMITTED', null],
  [
    'fails, and nothing of it is sent, if that is long ago',
    walletLimits.walletPendingMsMax + 60_000,
    'FAILED',
    'NOT_FEASIBLE',
  ],
] as const)('an action that waited when the process before ended %s', async (_what, agoMs, status, code) => {
  const before = await leftBehind();
  const after = new WalletRig(before.store, before.timers.now() + agoMs);
  // The chain has executed the first action meanwhile.
  for (const token of ['1001', '1002']) after.chain.move(token, 1);
  after.chain.nonce = 1n;
  await after.pass(60_000);
  const second = after.actions.find(it => it.shares === 2_000_000);
  expect([second?.status, (second?.error as OrderError | null)?.code ?? null]).toEqual([status, code]);
  expect(after.chain.sent.length).toBe(status === 'FAILED' ? 0 : 1);
});
