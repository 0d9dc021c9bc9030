// The fast path of the frame scanner. The venue writes every price_change with the same keys in the same order and white
// space, so the text between the values is learned from one frame and compared, eight bytes at a time, in the next. Where
// a frame differs it is read by the general scanner instead, and its layout is learned in turn. Venue A's feed thread.

import { ASK, BID } from '../../domain/market.ts';
import { TICKS_PER_DOLLAR, type UnixMillis } from '../../domain/numbers.ts';
import {
  FAST_DECIMAL_CHARACTERS,
  MILLIS_DIGITS_MAX,
  POWERS_OF_TEN,
  PRICE_DECIMALS,
  SIZE_DECIMALS,
} from './decimal-bytes.ts';
import { isQuoteFree, NONE, QUOTE, skipString, skipValue, word } from './json-bytes.ts';
import {
  ENTRY_INTS,
  HASH_AT,
  HASH_HEX_LENGTH,
  PRICE,
  PRICE_AT,
  PRICE_LENGTH,
  type PriceChanges,
  SIDE,
  SIZE_AT,
  SIZE_LENGTH,
  SLOT,
} from './price-changes.ts';
import { findToken, type TokenTable } from './token-table.ts';
