// Market names, checked by their text alone: token ids (venues A, D and E) and tickers (venue B). limits.ts bounds the length of
// text that is kept. Pure.

/** A token id is a uint256 in decimal. */
export const TOKEN_ID_DIGITS_MAX = 78;

/** Upper case, in segments joined by `-` or `.` (interface §2.2). Other text cannot be ordered. */
export const TICKER_PATTERN = /^[A-Z0-9]+([.-][A-Z0-9]+)*$/;

/** Whether a text can be a token id. Other text is never looked up, sent to the venue or put into a path. */
export function isTokenId(text: string): boolean {
  return text.length <= TOKEN_ID_DIGITS_MAX && /^\d+$/.test(text);
}

/** A token id in canonical form: not zero, without leading zeros. */
export function isPlainTokenId(text: string): boolean {
  return isTokenId(text) && !text.startsWith('0');
}
