// The text of a market's last trade price in a book's hash. The venue sends that text only now and then. In between, a change
// that belongs to a trade is hashed with a new text, which must be guessed (venue-a.md §5.3, §5.4). Cold path.

import { formatTicks, type Ticks } from '../../domain/numbers.ts';

const DECIMALS_SEEN = 3;
const DECIMALS_FINEST = 4;

/**
 * Possible texts of a trade at `price`, the likeliest first. Every recording shows three decimals, at ticks of 0.01 and of
 * 0.001 alike. None has a tick of 0.0001, where four are as likely.
 */
export function lastTradeTexts(price: Ticks, tickSize: string): string[] {
  const text = formatTicks(price);
  const [whole = '0', fraction = ''] = text.split('.');
  const padded = (decimals: number) => `${whole}.${fraction.padEnd(decimals, '0')}`;
  if (fraction.length > DECIMALS_SEEN) return [padded(DECIMALS_FINEST)];
  return tickSize.length > '0.001'.length ? [padded(DECIMALS_FINEST), padded(DECIMALS_SEEN)] : [padded(DECIMALS_SEEN)];
}
