// Actions of one pod's wallet in virtual time, on the engine's ledger. The test says what the relayer and the chain show.

import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import {
  complementTicks,
  MICROS_PER_DOLLAR,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../../src/core/domain/numbers.ts';
import type { OperationReply, WalletOperation } from '../../../src/core/domain/operation.ts';
import { fail, ok } from '../../../src/core/domain/result.ts';
import type { RedeemBounds, WalletAction } from '../../../src/core/domain/wallet-action.ts';
import type { Account } from '../../../src/core/store/order-records.ts';
import { bookFill, bookSettlement } from '../../../src/orders/life/bookings.ts';
import { Ledger } from '../../../src/orders/life/ledger.ts';
import { OrderIds } from '../../../src/orders/life/order-ids.ts';
import { Wallets } from '../../../src/orders/life/wallets.ts';
import type { VenueTrading } from '../../../src/venues/venue.ts';
import type { VenueWallet, WalletRequest, WalletSubmitOutcome } from '../../../src/venues/wallet-port.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const SHARE = 1_000_000;
const DEADLINE_MS = 600_000;
export const [YES, NO] = ['1001', '1002'] as const;
export const ACCOUNT: Account = { podId: 'pod', venue: 'venue_a' };

export const shares = (count: number): MicroShares => (count * SHARE) as MicroShares;

const NOTHING_COMMITTED = {
  committed: 0 as MicroDollars,
  committedTo: [],
  claimable: 0 as MicroDollars,
  unconverted: 0 as MicroDollars,
};

/** Returns the market's other token: the two tokens of a market end with 1 and 2. */
export function complementOf(tokenId: string): string {
  return tokenId.slice(0, -1) + (tokenId.endsWith('1') ? '2' : '1');
}

type Sent = WalletRequest & { readonly nonce: bigint };

/** The relayer and the chain, with scripted answers. */
export class ScriptedChain {
  readonly balances = new Map<string, MicroShares>();
  readonly sent: Sent[] = [];
  nonce = 0n;
  available = shares(1_000) as number as MicroDollars;
  /** The payout per share of YES, and per share of the first token of each market. Null means that the markets have not resolved. */
  payout: MicroDollars | null = null;
  autoRedeem: RedeemBounds | null = null;
  /** Whether the relayer states the nonce. */
  hasRelayer = true;
  isV2 = false;
  hasDeadline = true;
  /** Whether reads of a token wait for `describe`. */
  isHanging = false;
  readonly #described = Promise.withResolvers<void>();
  answer: WalletSubmitOutcome = { type: 'accepted', transactionId: 'tx', transactionHash: null };
  state: Awaited<ReturnType<VenueWallet['transaction']>> = ok({ type: 'under-way', transactionHash: null });

  move(tokenId: string, count: number): void {
    this.balances.set(tokenId, ((this.balances.get(tokenId) ?? 0) + shares(count)) as MicroShares);
  }

  /** Executes the last sent transaction. */
  execute(): void {
    const { tokenId, shares: count, nonce } = this.sent.at(-1)!;
    const burnt = this.isV2 ? [tokenId] : [tokenId, complementOf(tokenId)];
    for (const address of burnt)
      this.balances.set(address, this.isV2 ? (((this.balances.get(address) ?? 0) - count) as MicroShares) : shares(0));
    this.nonce = nonce + 1n;
  }

  describe(): void {
    this.#described.resolve();
  }

  wallet(): VenueWallet {
    return {
      problem: null,
      autoRedeem: this.autoRedeem,
      token: async tokenId => {
        if (this.isHanging) await this.#described.promise;
        const [complementId, isFirst] = [complementOf(tokenId), tokenId.endsWith('1')];
        const payout = this.payout === null || isFirst ? this.payout : MICROS_PER_DOLLAR - this.payout;
        return ok({ tokenId, complementId, redeemsAnAmount: this.isV2, payout: payout as MicroDollars | null });
      },
      nonce: async () => (this.hasRelayer ? ok(this.nonce) : fail('no answer')),
      prepare: async (request, nonce, now) => {
        const payload = Buffer.from(JSON.stringify({ ...request, nonce: Number(nonce) }));
        return ok({ payload, nonce, deadline: this.hasDeadline ? ((now + DEADLINE_MS) as UnixMillis) : null });
      },
      submit: async ({ payload, nonce }) => {
        this.sent.push({ ...(JSON.parse(Buffer.from(payload).toString()) as WalletRequest), nonce });
        return this.answer;
      },
      transaction: async () => this.state,
      balanceOf: async tokenId => ok(this.balances.get(tokenId) ?? shares(0)),
    };
  }
}

export class WalletRig {
  readonly timers: VirtualTimers;
  readonly store: MemoryLedger;
  readonly chain: ScriptedChain;
  readonly ledger: Ledger;
  readonly wallets: Wallets;
  stop: string | null = null;
  /** The actors for which a stop holds. */
  readonly stopped = new Set<string>();
  isTradable = true;
  /** The reported redeems without a request, with their dollars. */
  readonly said: string[] = [];

  /** `store` is the ledger that an earlier process has left. */
  constructor(store = new MemoryLedger(), startMs?: number, chain = new ScriptedChain()) {
    this.chain = chain;
    this.timers = new VirtualTimers(startMs);
    this.store = store;
    this.ledger = new Ledger({ store, now: () => this.timers.now(), publish: () => {}, diverged: () => {} });
    const trading = {
      wallet: this.chain.wallet(),
      balance: async () => ok({ ...NOTHING_COMMITTED, available: this.chain.available }),
    } satisfies Partial<VenueTrading> as Partial<VenueTrading> as VenueTrading;
    this.wallets = new Wallets({
      ledger: this.ledger,
      timers: this.timers,
      accounts: [{ podId: 'pod', venue: 'venue_a', trading }],
      orderIds: new OrderIds([{ podId: 'pod', secretHex: '11'.repeat(32) }]),
      actorsOf: () => ['alice', 'bob'],
      stopProblem: ({ actorId }) => this.stop ?? (this.stopped.has(actorId) ? `${actorId} is stopped` : null),
      isTradable: () => this.isTradable,
      redeemed: (result, { amount }) => this.said.push(`${result} ${amount / MICROS_PER_DOLLAR}`),
      storeFailed: error => {
        throw error;
      },
    });
    this.wallets.start();
  }

  /** Books a purchase that is settled. */
  hold(actorId: string, address: string, count: number): void {
    const movement = { address, positionChange: shares(count), addressPrice: 5_000 as Ticks, fee: 0 as MicroDollars };
    this.ledger.change(({ transaction, at }) =>
      bookFill(transaction, { account: ACCOUNT, actorId, at }, movement, null),
    );
  }

  /**
   * Settles the market at `cents` per share of the token. The venue closes the losing holdings here, and shows the winners as redeemable.
   */
  settle(address: string, cents: number): void {
    const value = ((cents * TICKS_PER_DOLLAR) / 100) as Ticks;
    const values = [
      [address, value],
      [complementOf(address), complementTicks(value)],
    ] as const;
    this.ledger.change(({ transaction, at }) => {
      for (const [token, pays] of values)
        bookSettlement(transaction, ACCOUNT, ['alice', 'bob'], { address: token, value: pays, at });
    });
  }

  size(actorId: string, address: string): number {
    return (this.store.position(actorId, 'venue_a', address)?.size ?? 0) / SHARE;
  }

  /** Returns the answer to a request, after some seconds at most. */
  async act(...request: Parameters<WalletRig['ask']>): Promise<OperationReply> {
    const answer: { reply: OperationReply | null } = { reply: null };
    void this.ask(...request).then(reply => {
      answer.reply = reply;
    });
    for (let turns = 0; turns < 1_000 && answer.reply === null; turns += 1) await this.timers.settle(50);
    if (answer.reply === null) throw new Error('no answer');
    return answer.reply;
  }

  /** Makes a request as `act` does, while time stands still. */
  ask(
    kind: WalletAction['kind'],
    body: object,
    { actorId = 'alice', idempotencyKey = 'k', ...changes }: Partial<WalletOperation> & { actorId?: string } = {},
  ): Promise<OperationReply> {
    const operation: WalletOperation = {
      name: 'wallet-action',
      caller: { podId: 'pod', actorId, keyId: 'key' },
      venue: 'venue_a',
      body: ok(body as never),
      bodySha256Hex: Buffer.from(kind + JSON.stringify(body))
        .toString('hex')
        .padEnd(64, '0')
        .slice(0, 64),
      idempotencyKey,
      isTradable: true,
      limits: NO_LIMITS,
      notAfter: null,
      names: { idempotencyKey: 'Idempotency-Key', notAfter: 'notAfter' },
      kind,
      tokenId: YES,
      ...changes,
    } as WalletOperation;
    return this.wallets.perform(operation);
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1_000) {
      await this.timers.settle(1_000);
      for (let turns = 0; turns < 3; turns += 1) await this.timers.settle();
    }
  }

  get actions(): readonly WalletAction[] {
    return this.store.allActions();
  }
}
