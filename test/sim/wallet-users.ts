// The users of the simulated account's wallet: they split and merge now and then, and redeem once a market has paid. After a lost answer
// the user repeats the request under the same key.

import type { WalletActionKind } from '../../src/core/domain/wallet-action.ts';
import { ADDRESSES } from './outside.ts';
import type { Market } from './traders.ts';

const ATTEMPTS_MAX = 14;

export async function useWallet(market: Market, actorId: string, withinMs: number): Promise<void> {
  const { schedule } = market;
  const { random } = schedule;
  const isSplitting = actorId === 'alice' && random.chance(0.3);
  for (let index = 0; schedule.now() < withinMs + STARTED_AT; index += 1) {
    await schedule.sleep(1_000 + random.below(4_000));
    const gateway = market.gateway();
    if (gateway === null || !random.happens(1)) continue;
    const tokenId = random.pick(ADDRESSES.venue_a);
    const { size: held = 0, isRedeemable = false } = gateway.store.position(actorId, 'venue_a', tokenId) ?? {};
    const isWanted = isRedeemable || (held > 0 && random.chance(0.5));
    const kind: WalletActionKind = isWanted ? 'REDEEM' : random.chance(0.5) ? 'SPLIT' : 'MERGE';
    if (kind !== 'REDEEM' && !isSplitting) continue;
    const size = String(1 + random.below(3));
    const some = random.chance(0.5) ? { shares: size } : {};
    const body = kind === 'SPLIT' ? { amountUsd: size } : kind === 'MERGE' ? { shares: size } : some;
    await act(market, { actorId, idempotencyKey: `${actorId}-w${index}`, kind, tokenId, body });
  }
}

/** The start of the schedule's clock. */
const STARTED_AT = 1_790_000_000_000;

async function act(
  market: Market,
  call: Parameters<NonNullable<ReturnType<Market['gateway']>>['act']>[0],
): Promise<void> {
  const { schedule } = market;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const gateway = market.gateway();
    const reply = (await gateway?.act(call)) ?? 'lost';
    if (reply === 'lost') {
      if (gateway !== null) market.count('killed in an action');
      await schedule.sleep(300 + schedule.random.below(2_000));
      continue;
    }
    const { status } = JSON.parse(reply.body) as { readonly status?: string };
    market.count(`action ${call.kind} ${reply.status} ${status ?? ''}`);
    if (reply.status !== 503 && reply.status !== 504) return;
    await schedule.sleep(1_000 + schedule.random.below(4_000));
  }
}
