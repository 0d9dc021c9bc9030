// Redeems that nobody has requested: for which wallets, of which shares, how often, and up to which amounts. They run in virtual time, on a
// chain that the test moves.

import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/core/domain/durations.ts';
import { MICROS_PER_DOLLAR, type MicroDollars, type Ticks, type UnixMillis } from '../../../src/core/domain/numbers.ts';
import { isAutomatic } from '../../../src/core/domain/wallet-action.ts';
import { limits } from '../../../src/limits.ts';
import { unattributedOf } from '../../../src/orders/life/bookings.ts';
import { walletLimits } from '../../../src/orders/life/wallet-limits.ts';
import type { VenueFill } from '../../../src/venues/venue.ts';
import { storedOrder } from '../../core/store/orders/order-rig.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';
import { TOKEN_SELL } from './orders-rig.ts';
import { ACCOUNT, NO, ScriptedChain, shares, WalletRig, YES } from './wallet-rig.ts';

const dollars = (count: number): MicroDollars => (count * MICROS_PER_DOLLAR) as MicroDollars;
const { autoRedeemPauseMs: PAUSE_MS, walletLookPauseMs: LOOK_MS } = walletLimits;
/** The second markets. */
const [OTHER, THIRD] = ['2001', '3001'] as const;
const POD = unattributedOf('pod');

function chainOf(changes: Partial<ScriptedChain> = {}): ScriptedChain {
  const ofTests = { payout: dollars(1), autoRedeem: { action: dollars(500), day: dollars(2_000) } };
  return Object.assign(new ScriptedChain(), ofTests, changes);
}

const rigOf = (changes: Partial<ScriptedChain> = {}, startMs?: number) =>
  new WalletRig(new MemoryLedger(), startMs, chainOf(changes));

/** Winners that the wallet has, too. */
function win(rig: WalletRig, actorId: string, count: number, address: string = YES): void {
  rig.hold(actorId, address, count);
  rig.chain.move(address, count);
  rig.settle(address, 100);
}

const made = (rig: WalletRig) => rig.actions.map(it => [it.actorId, it.shares / shares(1), it.status]);

/** Looks several times. The chain executes the transactions that are sent. */
async function redeemed(rig: WalletRig, looks = 2): Promise<void> {
  const { chain } = rig;
  for (let passedMs = 0; passedMs < looks * PAUSE_MS; passedMs += LOOK_MS) {
    await rig.pass(LOOK_MS);
    if (chain.answer.type === 'accepted' && chain.sent.at(-1)?.nonce === chain.nonce) chain.execute();
  }
}

describe('at protocol V1', () => {
  it('one action of nobody covers what all actors and nobody hold', async () => {
    const rig = rigOf();
    for (const [owner, count] of [
      ['alice', 10],
      ['bob', 5],
      [POD, 2],
    ] as const) {
      rig.hold(owner, YES, count);
      rig.chain.move(YES, count);
    }
    rig.settle(YES, 100);
    await redeemed(rig);
    expect(rig.actions).toMatchObject([{ actorId: POD, isOfWallet: true, amount: dollars(17), status: 'CONFIRMED' }]);
    expect(['alice', 'bob', POD].map(owner => rig.size(owner, YES))).toEqual([0, 0, 0]);
    expect(rig.said).toEqual(['made 17', 'confirmed 17']);
  });

  it('a half payout is paid for both outcomes at once, and their keys are one', async () => {
    const rig = rigOf({ payout: (dollars(1) / 2) as MicroDollars });
    for (const address of [YES, NO]) {
      rig.hold('alice', address, 8);
      rig.chain.move(address, 8);
    }
    rig.settle(YES, 50);
    rig.chain.answer = { type: 'refused', message: 'no' };
    await redeemed(rig);
    await redeemed(rig);
    expect(rig.actions).toMatchObject([{ amount: dollars(8), status: 'FAILED' }]);
  });

  it('a STOP of an actor that holds shares holds it, and one of another does not', async () => {
    const rig = rigOf();
    win(rig, 'alice', 10);
    rig.stopped.add('alice');
    await rig.pass(3 * PAUSE_MS);
    expect(rig.actions).toEqual([]);
    rig.stopped.clear();
    rig.stopped.add('bob');
    await redeemed(rig);
    expect(made(rig)).toEqual([[POD, 10, 'CONFIRMED']]);
  });

  /** The relayer answers the look, but not the request to sign. */
  async function recorded(): Promise<WalletRig> {
    const rig = rigOf();
    win(rig, 'alice', 10);
    let asked = 0;
    Object.defineProperty(rig.chain, 'hasRelayer', { get: () => asked++ === 0, configurable: true });
    await rig.pass(PAUSE_MS);
    expect([made(rig), rig.chain.sent]).toEqual([[[POD, 10, 'PENDING']], []]);
    Object.defineProperty(rig.chain, 'hasRelayer', { value: true });
    return rig;
  }

  it('a STOP of a holder between record and sending is obeyed', async () => {
    const rig = await recorded();
    rig.stopped.add('alice');
    await rig.pass(PAUSE_MS);
    expect([made(rig), rig.chain.sent]).toEqual([[[POD, 10, 'FAILED']], []]);
  });

  it('a wallet that has come to hold more than the ledger says is not redeemed beyond the recorded amount', async () => {
    const rig = await recorded();
    rig.chain.move(YES, 200);
    await rig.pass(walletLimits.walletUnsignedMs + 2 * PAUSE_MS);
    expect([made(rig), rig.chain.sent, rig.said.at(-1)]).toEqual([[[POD, 10, 'FAILED']], [], 'failed 10']);
  });

  it('a wallet that holds more than the ledger says waits until both agree; a hundredth of a share is dust', async () => {
    const rig = rigOf();
    win(rig, 'alice', 10);
    rig.chain.move(YES, 1);
    await rig.pass(3 * PAUSE_MS);
    expect(rig.actions).toEqual([]);
    rig.chain.move(YES, -0.99);
    await redeemed(rig);
    expect(made(rig)).toEqual([[POD, 10, 'CONFIRMED']]);
  });
});

describe('at protocol V2', () => {
  it('each owner with shares gets an action of its own, one after the other', async () => {
    const rig = rigOf({ isV2: true });
    for (const [owner, count] of [
      ['alice', 10],
      ['bob', 5],
      [POD, 2],
    ] as const) {
      rig.hold(owner, YES, count);
      rig.chain.move(YES, count);
    }
    rig.settle(YES, 100);
    await redeemed(rig, 6);
    expect(made(rig)).toEqual([
      ['alice', 10, 'CONFIRMED'],
      ['bob', 5, 'CONFIRMED'],
      [POD, 2, 'CONFIRMED'],
    ]);
    expect(rig.chain.sent.map(it => it.shares)).toEqual([shares(10), shares(5), shares(2)]);
  });

  it('a STOP of one owner leaves the others', async () => {
    const rig = rigOf({ isV2: true });
    win(rig, 'alice', 10);
    win(rig, 'bob', 5);
    rig.stopped.add('alice');
    await redeemed(rig, 4);
    expect(made(rig)).toEqual([['bob', 5, 'CONFIRMED']]);
  });

  it('a half payout pays each outcome by itself', async () => {
    const rig = rigOf({ isV2: true, payout: (dollars(1) / 2) as MicroDollars });
    for (const address of [YES, NO]) {
      rig.hold('alice', address, 8);
      rig.chain.move(address, 8);
    }
    rig.settle(YES, 50);
    await redeemed(rig, 4);
    expect(rig.actions.map(it => [it.tokenId, it.amount, it.status]).toSorted()).toEqual([
      [YES, dollars(4), 'CONFIRMED'],
      [NO, dollars(4), 'CONFIRMED'],
    ]);
  });
});

describe.each([false, true])('nothing is redeemed (protocol V2: %s)', isV2 => {
  async function expectNothing(rig: WalletRig): Promise<void> {
    await rig.pass(4 * PAUSE_MS);
    expect([rig.actions.filter(isAutomatic), rig.chain.sent]).toEqual([[], []]);
  }

  async function expectLater(rig: WalletRig): Promise<void> {
    await redeemed(rig, 4);
    expect(new Set(rig.actions.filter(isAutomatic).map(it => it.status))).toEqual(new Set(['CONFIRMED']));
    expect(rig.size('alice', YES)).toBe(0);
  }

  it('without bounds of the account', async () => {
    const rig = rigOf({ isV2, autoRedeem: null });
    win(rig, 'alice', 10);
    await expectNothing(rig);
  });

  it('by the ledger alone, before the venue has a resolved row', async () => {
    const rig = rigOf({ isV2, payout: null });
    win(rig, 'alice', 10);
    await expectNothing(rig);
    rig.chain.payout = dollars(1);
    await expectLater(rig);
  });

  it('of a token that pays nothing by the venue’s word', async () => {
    const rig = rigOf({ isV2, payout: dollars(0) });
    win(rig, 'alice', 10);
    await expectNothing(rig);
  });

  it('of shares that were redeemed elsewhere', async () => {
    const rig = rigOf({ isV2 });
    win(rig, 'alice', 10);
    rig.chain.move(YES, -10);
    await expectNothing(rig);
  });

  it('of a token that the ledger does not show as redeemable', async () => {
    const rig = rigOf({ isV2 });
    rig.hold('alice', YES, 10);
    rig.chain.move(YES, 10);
    await expectNothing(rig);
  });

  it('while shares are in a resting sale of the owner', async () => {
    const rig = rigOf({ isV2 });
    win(rig, 'alice', 10);
    const stored = storedOrder(
      { number: 1, venue: 'venue_a', createdAt: rig.timers.now() },
      { request: TOKEN_SELL, status: 'OPEN' },
    );
    rig.ledger.change(entry => entry.putOrder(stored));
    await expectNothing(rig);
    rig.ledger.change(entry => entry.putOrder({ ...stored, order: { ...stored.order, status: 'CANCELLED' } }));
    await expectLater(rig);
  });

  it('while a trade is not settled', async () => {
    const rig = rigOf({ isV2 });
    win(rig, 'alice', 10);
    const fill: VenueFill = {
      ...{ fillId: 'f', venueTradeId: 't', venueOrderId: 'o', clientOrderId: null, address: YES },
      ...{ size: shares(1), positionChange: shares(1), price: 5_000 as Ticks, addressPrice: 5_000 as Ticks },
      ...{ fee: dollars(0), liquidity: null, settlement: 'MATCHED', executedAt: rig.timers.now() },
    };
    rig.ledger.change(entry => entry.applyFill(ACCOUNT, fill, null));
    rig.chain.move(YES, 1);
    await expectNothing(rig);
    rig.ledger.change(entry => void entry.applySettlement(ACCOUNT, { ...fill, settlement: 'CONFIRMED' }));
    await expectLater(rig);
  });

  it.each<[string, (rig: WalletRig, isOn: boolean) => void]>([
    ['while all is stopped', (rig, isOn) => Object.assign(rig, { stop: isOn ? 'stopped' : null })],
    ['before every order is known', (rig, isOn) => Object.assign(rig, { isTradable: !isOn })],
    [
      'while too much waits for the history',
      (rig, isOn) => Object.assign(rig.store.log, { backlog: isOn ? 'much' : null }),
    ],
    ['while the relayer does not answer', (rig, isOn) => Object.assign(rig.chain, { hasRelayer: !isOn })],
  ])('%s', async (_when, hold) => {
    const rig = rigOf({ isV2 });
    win(rig, 'alice', 10);
    hold(rig, true);
    await expectNothing(rig);
    hold(rig, false);
    await expectLater(rig);
  });

  it('while an action of a caller is open', async () => {
    const rig = rigOf({ isV2 });
    win(rig, 'alice', 10);
    await rig.act('REDEEM', {});
    await rig.pass(4 * PAUSE_MS);
    expect(rig.actions.map(isAutomatic)).toEqual([false]);
  });
});

describe('a key is used once', () => {
  it('an action that failed is not made again', async () => {
    const rig = rigOf();
    rig.chain.answer = { type: 'refused', message: 'no' };
    win(rig, 'alice', 10);
    await rig.pass(5 * PAUSE_MS);
    expect([made(rig), rig.chain.sent.length]).toEqual([[[POD, 10, 'FAILED']], 1]);
    expect(rig.said).toEqual(['made 10', 'failed 10']);
  });

  it('another process finds the action of the one before, which has sent it', async () => {
    const rig = rigOf();
    win(rig, 'alice', 10);
    await rig.pass(PAUSE_MS);
    expect(rig.chain.sent.length).toBe(1);
    await rig.wallets.stop();
    rig.chain.execute();
    const after = new WalletRig(new MemoryLedger(rig.store.log), rig.timers.now(), rig.chain);
    await after.pass(3 * PAUSE_MS);
    expect([made(after), after.size('alice', YES), rig.chain.sent.length]).toEqual([[[POD, 10, 'CONFIRMED']], 0, 1]);
    expect(after.said).toEqual(['confirmed 10']);
  });
});

describe('bounds', () => {
  const bounds = { action: dollars(100), day: dollars(150) };

  it('an action beyond its bound is said once, and is left to a request', async () => {
    const rig = rigOf({ autoRedeem: bounds });
    win(rig, 'alice', 101);
    await rig.pass(5 * PAUSE_MS);
    expect([rig.actions, rig.said]).toEqual([[], ['over-action 101']]);
    win(rig, 'alice', 100, OTHER);
    await redeemed(rig);
    expect(made(rig)).toEqual([[POD, 100, 'CONFIRMED']]);
  });

  /** A time just before midnight. */
  const LATE = (20_600 * DAY_MS - 20 * PAUSE_MS) as UnixMillis;

  it('a day takes its sum, over a restart, and the next day another one', async () => {
    const before = rigOf({ autoRedeem: bounds }, LATE);
    win(before, 'alice', 100);
    await redeemed(before);
    expect(made(before)).toEqual([[POD, 100, 'CONFIRMED']]);
    await before.wallets.stop();
    const rig = new WalletRig(new MemoryLedger(before.store.log), before.timers.now(), before.chain);
    win(rig, 'alice', 51, OTHER);
    win(rig, 'alice', 50, THIRD);
    await redeemed(rig);
    await rig.pass(5 * PAUSE_MS);
    expect(rig.actions.map(it => it.tokenId)).toEqual([YES, THIRD]);
    expect(rig.said.toSorted()).toEqual(['confirmed 50', 'made 50', 'over-day 51']);
    await rig.pass(20 * PAUSE_MS);
    expect(rig.actions.map(it => it.tokenId)).toEqual([YES, THIRD, OTHER]);
  });

  it('a failed action gives its amount back', async () => {
    const rig = rigOf({ autoRedeem: bounds });
    rig.chain.answer = { type: 'refused', message: 'no' };
    win(rig, 'alice', 100);
    await rig.pass(2 * PAUSE_MS);
    expect(made(rig)).toEqual([[POD, 100, 'FAILED']]);
    rig.chain.answer = { type: 'accepted', transactionId: 'tx', transactionHash: null };
    win(rig, 'alice', 99, OTHER);
    await redeemed(rig);
    expect(made(rig).at(-1)).toEqual([POD, 99, 'CONFIRMED']);
  });

  it('a failed action whose nonce was used does not: it may have paid', async () => {
    const rig = rigOf({ autoRedeem: bounds });
    win(rig, 'alice', 100);
    await rig.pass(PAUSE_MS);
    rig.chain.nonce = 1n;
    await rig.pass(walletLimits.walletNonceLagMs + 3 * PAUSE_MS);
    expect(made(rig)).toEqual([[POD, 100, 'FAILED']]);
    win(rig, 'alice', 99, OTHER);
    await redeemed(rig);
    expect([rig.actions.length, rig.said.at(-1)]).toEqual([1, 'over-day 99']);
  });

  it('a clock that is set back over midnight opens no new day', async () => {
    const rig = rigOf({ autoRedeem: bounds }, LATE);
    win(rig, 'alice', 100);
    await redeemed(rig);
    rig.timers.setClock(DAY_MS);
    win(rig, 'alice', 100, OTHER);
    await redeemed(rig);
    rig.timers.setClock(-DAY_MS);
    win(rig, 'alice', 60, THIRD);
    await rig.pass(5 * PAUSE_MS);
    expect(rig.actions.map(it => it.tokenId)).toEqual([YES, OTHER]);
    expect(rig.said.at(-1)).toBe('over-day 60');
  });
});

it('tokens take turns: one that cannot be redeemed keeps no other from it', async () => {
  const rig = rigOf({ autoRedeem: { action: dollars(9), day: dollars(2_000) } });
  for (let market = 1; market <= 3 * walletLimits.autoRedeemTokensPerLook; market += 1)
    win(rig, 'alice', 10, `${market}0001`);
  win(rig, 'alice', 5, OTHER);
  await redeemed(rig, 5);
  expect(made(rig)).toEqual([[POD, 5, 'CONFIRMED']]);
});

it('the end of the process ends a look at the token that it asks about', async () => {
  const rig = rigOf({ isHanging: true });
  for (const address of [YES, OTHER, THIRD]) win(rig, 'alice', 10, address);
  await rig.pass(PAUSE_MS + 1_000);
  let hasEnded = false;
  void rig.wallets.stop().then(() => {
    hasEnded = true;
  });
  await rig.pass(limits.venueAnswerTimeoutMs + 1_000);
  expect([hasEnded, rig.actions]).toEqual([true, []]);
});
