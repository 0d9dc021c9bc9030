// How the venue writes a market's last trade price inside a book's hash. It sends the text itself only now and then; between,
// a change that belongs to a trade is hashed with a new one, which has to be guessed (venue-a.md §5.3, §5.4). Cold path.

import { formatTicks, type Ticks } from '../../domain/numbers.ts';

const DECIMALS_SEEN = 3;
const DECIMALS_FINEST = 4;

/**
 * The texts that a trade at `price` may appear as, the likeliest first. Every recording shows three decimals, at ticks of
 * 0.01 and of 0.001 alike; none has a tick of 0.0001, where four are as likely.
 */
export function lastTradeTexts(price: Ticks, tickSize: string): string[] {
  const text = formatTicks(price);
  const [whole = '0', fraction = ''] = text.split('.');
  const padded = (decimals: number) => `${whole}.${fraction.padEnd(decimals, '0')}`;
  if (fraction.length > DECIMALS_SEEN) return [padded(DECIMALS_FINEST)];
  return tickSize.length > '0.001'.length ? [padded(DECIMALS_FINEST), padded(DECIMALS_SEEN)] : [padded(DECIMALS_SEEN)];
}
