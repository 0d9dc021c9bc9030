// Reads the requests in bodies of mutations naively by interface §2.2 and contract §4.1, with patterns over text and big integers. Null means that
// the request must be refused.

import { limits } from '../../src/limits.ts';

type Fields = Readonly<Record<string, unknown>>;

export function naiveVenueBOrder(body: Fields): object | null {
  const terms = ['postOnly', 'reduceOnly', 'selfTrade'];
  if (!hasOnly(body, ['ticker', 'side', 'action', 'count', 'size', 'priceCents', 'price', 'timeInForce', ...terms]))
    return null;
  const { ticker, side, action } = body;
  const [price, size] = [venueBPrice(body), venueBSize(body)];
  const until = untilOf(body, ['IOC', 'FOK']);
  const more = until === null ? null : venueBTerms(body, until);
  const isTicker = isAddress(ticker) && /^[A-Z0-9]+([.-][A-Z0-9]+)*$/.test(ticker);
  if (!isTicker || !oneOf(side, ['YES', 'NO']) || !oneOf(action, ['BUY', 'SELL']) || more === null) return null;
  if (size === null || price === null) return null;
  return { venue: 'venue_b', ticker, side, action, size, price, ...more };
}

/** Returns the other fields of the order. Terms are present only if one of them differs from the default. */
function venueBTerms(body: Fields, { timeInForce, expiresAt }: Until): object | null {
  const { postOnly = false, reduceOnly = false, selfTrade = 'CANCEL_TAKER' } = body;
  if (typeof postOnly !== 'boolean' || typeof reduceOnly !== 'boolean') return null;
  if (!oneOf(selfTrade, ['CANCEL_TAKER', 'CANCEL_MAKER'])) return null;
  const isImmediate = oneOf(timeInForce, ['IOC', 'FOK']);
  if (isImmediate ? postOnly : reduceOnly) return null;
  const hasTerms = expiresAt !== null || postOnly || reduceOnly || selfTrade === 'CANCEL_MAKER';
  return { timeInForce, ...(hasTerms ? { terms: { expiresAt, postOnly, reduceOnly, selfTrade } } : {}) };
}

/** Returns the price; exactly one of the two fields must be present. */
function venueBPrice({ priceCents, ...body }: Fields): number | null {
  if (!('price' in body)) return isWhole(priceCents, 1, 99) ? priceCents * 100 : null;
  return priceCents === undefined ? priceOf(body.price) : null;
}

/** Returns the size; exactly one of the two fields must be present. */
function venueBSize({ count, ...body }: Fields): number | null {
  if ('size' in body) return count === undefined ? sizeOf(body.size) : null;
  return isWhole(count, 1, limits.contractsPerOrderMax) ? count * 1_000_000 : null;
}

export function naiveVenueAOrder(body: Fields): object | null {
  const { type, tokenId, side } = body;
  if (!isAddress(tokenId) || !oneOf(side, ['BUY', 'SELL'])) return null;
  if (type === 'LIMIT') return limitOrder(body);
  return type === 'MARKET' ? marketOrder(body) : null;
}

export function naiveReplacement(venue: 'venue_a' | 'venue_b', body: Fields): object | null {
  const isA = venue === 'venue_a';
  if (!hasOnly(body, isA ? ['price', 'size'] : ['price', 'priceCents', 'count', 'size'])) return null;
  if (Object.keys(body).length === 0 || ('price' in body && 'priceCents' in body)) return null;
  const price = 'price' in body || 'priceCents' in body ? venueBPrice(body) : undefined;
  const total = 'size' in body || 'count' in body ? venueBSize(body) : undefined;
  return price === null || total === null ? null : { price: price ?? null, total: total ?? null };
}

export function naiveCancelAfter(body: Fields): number | null {
  if (!hasOnly(body, ['timeoutMs'])) return null;
  const { timeoutMs } = body;
  if (timeoutMs === 0) return 0;
  return isWhole(timeoutMs, limits.cancelAfterMsMin, limits.cancelAfterMsMax) ? timeoutMs : null;
}

export function naiveProtection(body: Fields): object | null {
  if (!hasOnly(body, ['venue', 'address', 'fillsMax', 'sharesMax', 'windowMs'])) return null;
  const { venue, address, fillsMax, sharesMax, windowMs } = body;
  const hasFills = 'fillsMax' in body;
  if (!oneOf(venue, ['venue_a', 'venue_b']) || hasFills === 'sharesMax' in body) return null;
  if (hasFills ? !isWhole(fillsMax, 0, 1_000) : !isShares(sharesMax)) return null;
  if (!isWhole(windowMs, 100, 600_000)) return null;
  const isMarket = venue === 'venue_a' ? /^\d+$/ : /^[A-Z0-9]+([.-][A-Z0-9]+)*$/;
  if ('address' in body && !(isAddress(address) && isMarket.test(address))) return null;
  const [whole = '', decimals = ''] = hasFills ? [] : String(sharesMax).split('.');
  return {
    venue,
    address: 'address' in body ? address : null,
    terms: {
      fillsMax: hasFills ? Number(fillsMax) + 0 : null,
      sharesMax: hasFills ? null : Number(`${whole}${decimals.padEnd(6, '0')}`),
      windowMs,
    },
  };
}

function isShares(value: unknown): boolean {
  if (typeof value !== 'string' || !/^(0|[1-9]\d{0,9})(\.\d{1,6})?$/.test(value)) return false;
  const [whole = '', decimals = ''] = value.split('.');
  return BigInt(whole + decimals.padEnd(6, '0')) <= 1_000_000_000_000_000n;
}

function limitOrder(body: Fields): object | null {
  if (!hasOnly(body, ['tokenId', 'side', 'type', 'size', 'price', 'postOnly', 'timeInForce'])) return null;
  const { tokenId, side } = body;
  const [size, price, until] = [sizeOf(body.size), priceOf(body.price), untilOf(body, [])];
  const postOnly = 'postOnly' in body ? body.postOnly : false;
  if (size === null || price === null || until === null || typeof postOnly !== 'boolean') return null;
  const { timeInForce, expiresAt } = until;
  const last = expiresAt === null ? { timeInForce } : { timeInForce, expiresAt };
  return { venue: 'venue_a', type: 'LIMIT', tokenId, side, size, price, postOnly, ...last };
}

function marketOrder(body: Fields): object | null {
  if (!hasOnly(body, ['tokenId', 'side', 'type', 'amount', 'timeInForce', 'worstPrice'])) return null;
  const { tokenId, side } = body;
  const [amount, timeInForce] = [sizeOf(body.amount), lasting(body, ['FOK', 'FAK'], 'FOK')];
  const worstPrice = 'worstPrice' in body ? priceOf(body.worstPrice) : null;
  if (amount === null || timeInForce === null || ('worstPrice' in body && worstPrice === null)) return null;
  const measure = side === 'BUY' ? { dollars: amount } : { size: amount };
  return { venue: 'venue_a', type: 'MARKET', tokenId, side, ...measure, worstPrice, timeInForce };
}

function hasOnly(body: Fields, known: readonly string[]): boolean {
  return Object.keys(body).every(key => known.includes(key));
}

function oneOf(value: unknown, words: readonly string[]): value is string {
  return typeof value === 'string' && words.includes(value);
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= limits.marketAddressCharactersMax;
}

/** Returns millionths, above 0. */
function sizeOf(value: unknown): number | null {
  const [, whole, decimals = ''] = /^(0|[1-9]\d*)(?:\.(\d\d?))?$/.exec(typeof value === 'string' ? value : '') ?? [];
  if (whole === undefined) return null;
  const micros = BigInt(whole + decimals.padEnd(2, '0')) * 10_000n;
  return micros > 0n && micros <= BigInt(limits.sharesPerOrderMax) * 1_000_000n ? Number(micros) : null;
}

/** Returns ten-thousandths of a dollar, from 0 to 1 dollar. The market's grid refuses both ends. */
function priceOf(value: unknown): number | null {
  const [text, decimals = ''] =
    /^(?:0(?:\.(\d{1,4}))?|1(?:\.0{1,4})?)$/.exec(typeof value === 'string' ? value : '') ?? [];
  if (text === undefined) return null;
  return text.startsWith('1') ? 10_000 : Number(decimals.padEnd(4, '0'));
}

interface Until {
  readonly timeInForce: string;
  readonly expiresAt: number | null;
}

/** Returns the time in force: GTC, GTD with a time in UTC, of which whole seconds count, or one of the `others`. */
function untilOf(body: Fields, others: readonly string[]): Until | null {
  const until = body.timeInForce as Fields | undefined;
  if (until === undefined || typeof until !== 'object' || until === null || until.type !== 'GTD') {
    const timeInForce =
      until !== undefined && isGiven(until, 'expiresAt') ? null : lasting(body, ['GTC', ...others], 'GTC');
    return timeInForce === null ? null : { timeInForce, expiresAt: null };
  }
  if (!hasOnly(until, ['type', 'expiresAt']) || typeof until.expiresAt !== 'string') return null;
  const text = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|\+00:00)$/.exec(until.expiresAt)?.[1];
  const at = text === undefined ? null : new Date(`${text}Z`);
  // A day or an hour that does not exist is moved to another time, or gives no time.
  const isReal = at !== null && !Number.isNaN(at.getTime()) && at.toISOString() === `${text}.000Z` && at.getTime() > 0;
  return isReal ? { timeInForce: 'GTD', expiresAt: at.getTime() } : null;
}

function isGiven(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && key in value;
}

function lasting(body: Fields, types: readonly string[], otherwise: string): string | null {
  if (!('timeInForce' in body)) return otherwise;
  const { timeInForce } = body;
  if (typeof timeInForce !== 'object' || timeInForce === null || Array.isArray(timeInForce)) return null;
  const { type } = timeInForce as Fields;
  return hasOnly(timeInForce as Fields, ['type']) && oneOf(type, types) ? type : null;
}
