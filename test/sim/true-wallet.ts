// The chain and the relayer of a simulated wallet at venue A: what each signed transaction has truly done, once at most by its nonce. Beside it,
// what one gateway process hears of that: requests and answers are lost, the nonce lags, transactions fail after they were mined.

import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { TICKS_PER_DOLLAR } from '../../src/core/domain/numbers.ts';
import { fail, ok, type Result } from '../../src/core/domain/result.ts';
import type { RedeemBounds, WalletIntent } from '../../src/core/domain/wallet-action.ts';
import type {
  VenueWallet,
  WalletRequest,
  WalletSubmitOutcome,
  WalletToken,
  WalletTransactionState,
} from '../../src/venues/wallet-port.ts';
import { complementOf, type Exchange } from './exchange.ts';
import type { Schedule } from './schedule.ts';
import type { Wire } from './wire.ts';

const MICROS_PER_TICK = 100;
const VALID_MS = 20_000;
const BOUNDS: RedeemBounds = { action: 3_000_000 as MicroDollars, day: 5_000_000 as MicroDollars };

interface Signed extends WalletRequest {
  readonly nonce: number;
  readonly deadline: number | null;
}

export class TrueWallet {
  /** Transactions that the chain has executed, by their bytes. */
  readonly executed: string[] = [];
  /** The money that was paid out, less the money that was paid in. */
  cash = 0;
  /** The payout of each transaction, by its bytes. */
  readonly paid = new Map<string, number>();
  /** The bounds of automatic redeems. */
  readonly bounds: RedeemBounds | null;
  /** Whether the wallet is a Safe, whose transactions have no deadline. */
  readonly isSafe: boolean;
  readonly #exchange: Exchange;
  readonly #schedule: Schedule;
  readonly #states = new Map<string, WalletTransactionState>();
  #nonces: { readonly at: number; readonly nonce: number }[] = [{ at: 0, nonce: 0 }];
  #isBusy = false;

  constructor(exchange: Exchange, schedule: Schedule) {
    this.#exchange = exchange;
    this.#schedule = schedule;
    this.isSafe = schedule.random.chance(0.3);
    this.bounds = schedule.random.chance(0.6) ? BOUNDS : null;
  }

  /** Returns the nonce at the time `asOf`. */
  nonce(asOf = Number.POSITIVE_INFINITY): number {
    return this.#nonces.findLast(({ at }) => at <= asOf)!.nonce;
  }

  state(id: string): WalletTransactionState {
    return this.#states.get(id) ?? { type: 'absent' };
  }

  /** Returns the micro-dollars per share, once the value is final and no trade is under way. */
  payout(tokenId: string): MicroDollars | null {
    const value = this.#value(tokenId);
    const isUnsettled = [tokenId, complementOf(tokenId)].some(it => this.#exchange.isUnsettled(it));
    return value === null || isUnsettled ? null : ((value * MICROS_PER_TICK) as MicroDollars);
  }

  arrive(payload: Uint8Array): WalletSubmitOutcome {
    const text = Buffer.from(payload).toString();
    const signed = JSON.parse(text) as Signed;
    if (this.#isBusy) return { type: 'not-now', message: 'wallet busy', retryAfterS: 2 };
    const onChain = this.nonce();
    if (signed.nonce < onChain) {
      return { type: 'nonce-used', message: `on-chain nonce ${onChain}`, onChain: BigInt(onChain) };
    }
    if (signed.nonce > onChain) return { type: 'refused', message: 'nonce too high' };
    if (isLate(signed, this.#schedule.now())) return { type: 'refused', message: 'deadline passed' };
    this.#isBusy = true;
    const transactionId = `tx-${this.#states.size}`;
    this.#states.set(transactionId, { type: 'under-way', transactionHash: null });
    this.#mineLater(transactionId, text, signed);
    return { type: 'accepted', transactionId, transactionHash: null };
  }

  #mineLater(id: string, text: string, signed: Signed): void {
    const { random } = this.#schedule;
    this.#schedule.after(200 + random.below(4_000), () => {
      const tokens = [signed.tokenId, complementOf(signed.tokenId)];
      if (tokens.some(it => this.#exchange.isUnsettled(it))) this.#mineLater(id, text, signed);
      else this.#mine(id, text, signed);
    });
  }

  #mine(id: string, text: string, signed: Signed): void {
    this.#isBusy = false;
    const [now, before] = [this.#schedule.now(), this.cash];
    const isUndone = isLate(signed, now) || this.#schedule.random.happens(0.15) || !this.#execute(signed);
    if (isUndone) {
      this.#states.set(id, { type: 'failed', message: 'execution reverted' });
      return;
    }
    this.executed.push(text);
    this.paid.set(text, this.cash - before);
    this.#nonces.push({ at: now, nonce: signed.nonce + 1 });
    this.#states.set(id, { type: 'confirmed', transactionHash: `0x${String(this.executed.length).padStart(64, '0')}` });
  }

  /** Executes an action as a whole, or not at all. */
  #execute({ kind, tokenId, shares }: Signed): boolean {
    const exchange = this.#exchange;
    const other = complementOf(tokenId);
    const held = (address: string): number => Math.max(0, exchange.position(address));
    if (kind === 'SPLIT') {
      for (const address of [tokenId, other]) exchange.move(address, shares);
      this.cash -= shares;
      return true;
    }
    if (kind === 'MERGE') {
      if (held(tokenId) < shares || held(other) < shares) return false;
      for (const address of [tokenId, other]) exchange.move(address, -shares);
      this.cash += shares;
      return true;
    }
    const value = this.#value(tokenId);
    if (value === null || (isOfAmount(tokenId) && held(tokenId) < shares)) return false;
    const burnt: readonly (readonly [string, number, number])[] = isOfAmount(tokenId)
      ? [[tokenId, shares, value]]
      : [
          [tokenId, held(tokenId), value],
          [other, held(other), TICKS_PER_DOLLAR - value],
        ];
    for (const [address, size, pays] of burnt) {
      exchange.move(address, -size);
      this.cash += Math.floor((size * pays) / TICKS_PER_DOLLAR);
    }
    return true;
  }

  #value(tokenId: string): Ticks | null {
    const payouts = this.#exchange.markets.payouts();
    const own = payouts.get(tokenId)?.value;
    const other = payouts.get(complementOf(tokenId))?.value;
    const value = own ?? (other === undefined ? null : ((TICKS_PER_DOLLAR - other) as Ticks));
    const mayChange = [tokenId, complementOf(tokenId)].some(it => this.#exchange.markets.mayChange.has(it));
    return mayChange ? null : value;
  }
}

function isLate({ deadline }: Signed, now: number): boolean {
  return deadline !== null && now > deadline;
}

/** Whether the token is of a market of Protocol V2. */
function isOfAmount(tokenId: string): boolean {
  return tokenId.endsWith('1001');
}

/** The wallet as one gateway process has it. */
export function walletPort(wire: Wire, schedule: Schedule, isAlive: () => boolean): VenueWallet {
  const { wallet, exchange } = wire;
  const asked = <T>(read: () => T): Promise<Result<T, string>> => {
    const isLost = wire.chance(0.1);
    const [thereMs, backMs] = [wire.delayMs(), wire.delayMs()];
    return new Promise(resolve => {
      schedule.after(thereMs, () => {
        const value = read();
        schedule.after(backMs, () => isAlive() && resolve(isLost ? fail('no answer') : ok(value)));
      });
    });
  };
  return {
    problem: null,
    autoRedeem: wallet.bounds,
    token: async tokenId => {
      const payout = await asked(() => wallet.payout(tokenId));
      if (!payout.ok) return fail({ isUnknown: false, message: payout.error });
      const token: WalletToken = {
        tokenId,
        complementId: complementOf(tokenId),
        redeemsAnAmount: isOfAmount(tokenId),
        payout: payout.value,
      };
      return ok(token);
    },
    nonce: () => {
      const lagMs = wire.chance(0.2) ? schedule.random.below(9_000) : 0;
      return asked(() => BigInt(wallet.nonce(schedule.now() - lagMs)));
    },
    prepare: async (request, nonce, now) => {
      if (wire.chance(0.05)) return fail('no answer');
      const deadline = wallet.isSafe ? null : ((now + VALID_MS) as UnixMillis);
      const payload = Buffer.from(JSON.stringify({ ...request, nonce: Number(nonce), deadline }));
      return ok({ payload, nonce, deadline });
    },
    submit: (intent, deadline) => submitted(wire, schedule, isAlive, intent, deadline),
    transaction: id => asked(() => wallet.state(id)),
    balanceOf: tokenId => asked(() => Math.max(0, exchange.position(tokenId)) as MicroShares),
  };
}

function submitted(
  wire: Wire,
  schedule: Schedule,
  isAlive: () => boolean,
  { payload }: WalletIntent,
  deadline: UnixMillis,
): Promise<WalletSubmitOutcome> {
  return new Promise(resolve => {
    const answer = (outcome: WalletSubmitOutcome): void => {
      if (isAlive()) resolve(outcome);
    };
    if (!isAlive()) return;
    if (wire.chance(0.05)) {
      schedule.after(wire.delayMs(), () => answer({ type: 'not-now', message: 'no connection', retryAfterS: 1 }));
      return;
    }
    const [isLost, isAnswerLost] = [wire.chance(0.1), wire.chance(0.15)];
    schedule.after(deadline - schedule.now(), () => answer({ type: 'unknown', message: 'no answer in time' }));
    if (isLost) return;
    schedule.after(wire.delayMs(), () => {
      const outcome = wire.wallet.arrive(payload);
      if (!isAnswerLost) schedule.after(wire.delayMs(), () => answer(outcome));
    });
  });
}
