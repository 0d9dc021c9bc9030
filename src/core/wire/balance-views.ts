// The view of balances (interface §2.4, contract §5): JSON numbers in dollars, written digit by digit from integers. Any thread.

import type { Venue } from '../domain/market.ts';
import { formatMicroDollars, type MicroDollars, type UnixMillis } from '../domain/numbers.ts';
import { formatTime } from './time-text.ts';

interface BalanceAmounts {
  /** Cash without the money that resting orders hold. */
  readonly available: MicroDollars;
  readonly committed: MicroDollars;
  readonly claimable: MicroDollars;
  readonly unconverted: MicroDollars;
  /** The shards of venue B. */
  readonly shards?: readonly { readonly shard: number; readonly available: MicroDollars }[];
}

/** The balance as JSON text. */
export function balanceText(venue: Venue, { shards = [], ...amounts }: BalanceAmounts): string {
  const { available, committed, claimable, unconverted } = amounts;
  const spendable = `"available":${usd(available)}`;
  if (venue === 'venue_b') {
    const cash = shards.map(it => `{"index":${it.shard},"available":${usd(it.available)}}`);
    return `{${spendable},"shards":[${cash.join(',')}]}`;
  }
  const total = usd(available, unconverted, claimable, committed);
  return `{${spendable},"unconverted":${usd(unconverted)},"claimable":${usd(claimable)},"total":${total}}`;
}

/** The older family's view, over all venues. */
interface OlderBalance {
  readonly cash: MicroDollars;
  readonly reserved: MicroDollars;
  readonly positions: MicroDollars;
  readonly retrievedAt: UnixMillis;
}

/** The older family's balance as JSON text. */
export function olderBalanceText({ cash, reserved, positions, retrievedAt }: OlderBalance): string {
  const amounts = `"cash":${usd(cash)},"reserved":${usd(reserved)},"positions":${usd(positions)}`;
  return `{${amounts},"retrievedAt":"${formatTime(retrievedAt)}"}`;
}

/** Never below 0: if more is committed than available, nothing is left to spend. */
function usd(...parts: readonly MicroDollars[]): string {
  const sum = parts.reduce<number>((total, part) => total + Math.max(0, part), 0);
  return formatMicroDollars(sum as MicroDollars);
}
