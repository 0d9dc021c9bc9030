// What markets are called at their venues, as far as it can be told from the text alone: token ids (venues A, D and E) and tickers
// (venue B). How long a text may be that is to be kept is for limits.ts to say. Pure.

/** A token id is a uint256 in decimal. */
export const TOKEN_ID_DIGITS_MAX = 78;

/** Upper case, in segments joined by `-` or `.` (interface §2.2): what is none cannot be ordered. */
export const TICKER_PATTERN = /^[A-Z0-9]+([.-][A-Z0-9]+)*$/;

/** Whether a text can be a token id at all: what cannot is never looked up, sent to the venue or put into a path. */
export function isTokenId(text: string): boolean {
  return text.length <= TOKEN_ID_DIGITS_MAX && /^\d+$/.test(text);
}

/** A token id as a number writes itself: not zero, and without zeros before it. */
export function isPlainTokenId(text: string): boolean {
  return isTokenId(text) && !text.startsWith('0');
}
