// Bodies of mutations. Any bytes are refused with a message that names the body or a field, or are read as the naive twins read them. The twins cover
// everything from the grammar of JSON to the last digit.

import fc from 'fast-check';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/core/domain/json.ts';
import { VENUES } from '../../src/core/domain/market.ts';
import type { Result } from '../../src/core/domain/result.ts';
import { readJsonBody } from '../../src/core/wire/json-body.ts';
import {
  readCancelAfter,
  readReplacement,
  readVenueAOrder,
  readVenueBOrder,
} from '../../src/core/wire/order-requests.ts';
import { readProtection } from '../../src/core/wire/protection-requests.ts';
import { limits } from '../../src/limits.ts';
import { naiveJson } from '../support/naive-json.ts';
import { corpus, jsonCorpus } from './corpus.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { damagedJson } from './damaged-json.ts';
import { fuzz } from './fuzz.ts';
import {
  naiveCancelAfter,
  naiveProtection,
  naiveReplacement,
  naiveVenueAOrder,
  naiveVenueBOrder,
} from './naive-orders.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const WORDS = [
  '"LIMIT"',
  '"MARKET"',
  '"BUY"',
  '"YES"',
  '"timeInForce":{"type":"IOC"}',
  '"count":',
  '0.5',
  '"size":"5"',
  '"fillsMax":3',
  '"sharesMax":"2.5"',
];
/** The form of an error: `count: …`, `timeInForce.type: …`, `"\u0000": …`. */
const FIELD = /^[!-~][ -~]{0,400}…?: [ -~]+$/;

const structure = damagedJson(jsonCorpus('order-bodies')).map(text => Buffer.from(text));
const seeds = fc.oneof(
  fc.constantFrom(...corpus('order-bodies')).map(text => Buffer.from(text)),
  structure,
);

fuzz({
  name: 'order bodies',
  inputs: fc.oneof(structure, damagedBytes(seeds, WORDS)),
  runs: 600,
  check(bytes) {
    const body = readJsonBody(bytes);
    const expected = naiveBody(bytes);
    if (!body.ok) {
      expect(expected).toBeNull();
      expect(body.error).toMatch(/^\w{1,40}: [ -~]+$/);
      return;
    }
    expect(body.value).toEqual(expected);
    same(readVenueAOrder(body.value), naiveVenueAOrder(body.value));
    same(readVenueBOrder(body.value), naiveVenueBOrder(body.value));
    for (const venue of VENUES) same(readReplacement(venue, body.value), naiveReplacement(venue, body.value));
    same(readCancelAfter(body.value), naiveCancelAfter(body.value));
    same(readProtection(body.value), naiveProtection(body.value));
  },
});

function same(read: Result<unknown, string>, naive: unknown): void {
  if (read.ok) expect(read.value).toEqual(naive);
  else {
    expect(naive).toBeNull();
    expect(read.error).toMatch(FIELD);
  }
}

/** Returns the body. Null means that the bytes are not an unambiguous JSON object. */
function naiveBody(bytes: Uint8Array): JsonObject | null {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return null;
  }
  const json = naiveJson(text);
  if (json === null || json.isAmbiguous || json.hasDecimals || json.depth > limits.bodyDepthMax) return null;
  const { value } = json;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
