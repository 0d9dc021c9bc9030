// Answers of venue A's relayer, with any text. The reader guesses nothing and never throws.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeIn, submitOutcome, transactionIn } from '../../../../src/venues/venue-a/wallet/relayer-answers.ts';

const HASH = `0x${'Ab'.repeat(32)}`;

function answered(status: number, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return submitOutcome({ type: 'answer', status, headers: new Map(), body: text }, 5n);
}

describe('a submitted transaction', () => {
  it.each([
    [200, { transactionID: 'id', state: 'STATE_NEW', transactionHash: null }, 'accepted'],
    [201, { transactionID: 'id', state: 'STATE_MINED', transactionHash: HASH }, 'accepted'],
    [200, { transactionID: 'id', state: 'any other' }, 'accepted'],
    [200, { state: 'STATE_NEW' }, 'unknown'],
    [200, { transactionID: '', state: 'STATE_NEW' }, 'unknown'],
    [200, 'not JSON', 'unknown'],
    [400, { error: 'wallet busy: 0xabc has an active action' }, 'not-now'],
    [400, { error: 'wallet has in-flight action' }, 'not-now'],
    [400, { error: 'batch nonce 5 does not match on-chain nonce 7' }, 'nonce-used'],
    [400, { error: 'batch nonce 5 does not match on-chain nonce 4' }, 'refused'],
    [400, { error: 'batch nonce 6 does not match on-chain nonce 7' }, 'unknown'],
    [400, { error: 'batch nonce 5 does not match on-chain nonce 5' }, 'unknown'],
    [400, { error: 'wallet is strange' }, 'refused'],
    [401, { error: 'wallet busy: an active action' }, 'refused'],
    [403, '', 'refused'],
    [408, '', 'unknown'],
    [409, { error: 'duplicate' }, 'unknown'],
    [429, '', 'not-now'],
    [302, '', 'unknown'],
    [500, { error: 'wallet has in-flight action' }, 'unknown'],
    [503, '', 'unknown'],
  ])('answered by %i and %j is %s', (status, body, type) => {
    expect(answered(status, body).type).toBe(type);
  });

  it('is accepted only by a success that names it, and used up only by words about its own nonce', () => {
    const used = 'batch nonce 5 does not match on-chain nonce 9';
    const word = fc.constantFrom('wallet busy', 'active action', used, 'batch nonce 9', 'x');
    const text = fc.oneof(
      fc.string(),
      fc.array(word).map(words => words.join(' ')),
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({ transactionID: fc.oneof(text, fc.jsonValue()), error: text, state: text }, { requiredKeys: [] }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), body, (status, value) => {
        const { type } = answered(status, value);
        const id: unknown = (value as { transactionID?: unknown } | null)?.transactionID;
        const isNamed = typeof id === 'string' && /^[!-~]{1,100}$/.test(id);
        const isDone = status >= 200 && status < 300;
        expect(type === 'accepted').toBe(isDone && isNamed);
        if (type === 'nonce-used') expect([status, JSON.stringify(value).includes(used)]).toEqual([400, true]);
        if (type === 'refused') expect(status >= 400 && status < 500).toBe(true);
      }),
    );
  });
});

describe('the state of a transaction', () => {
  const row = { transaction_id: 'id', transaction_hash: HASH, state: 'STATE_CONFIRMED' };

  const transactionHash = HASH.toLowerCase();
  const NO_HASH = { transaction_hash: '' };
  it.each<[string, object, object]>([
    ['STATE_NEW', NO_HASH, { type: 'under-way', transactionHash: null }],
    ['STATE_SUBMITTED', {}, { type: 'under-way', transactionHash }],
    ['STATE_EXECUTED', {}, { type: 'under-way', transactionHash }],
    ['STATE_MINED', {}, { type: 'under-way', transactionHash }],
    ['STATE_CONFIRMED', {}, { type: 'confirmed', transactionHash }],
    ['STATE_FAILED', { error_msg: 'out\nof gas' }, { type: 'failed', message: 'out of gas' }],
    ['STATE_INVALID', NO_HASH, { type: 'failed', message: 'STATE_INVALID' }],
  ])('%s with %j is %j', (state, change, read) => {
    expect(transactionIn({ ...row, state, ...change }, 'id')).toEqual({ ok: true, value: read });
  });

  it.each<[unknown]>([
    ...['STATE_DONE', 'CONFIRMED', 'toString'].map((state): [unknown] => [{ ...row, state }]),
    [{ ...row, transaction_id: 'other' }],
    [{ ...row, transaction_hash: '0x12' }],
    [[row]],
    [null],
  ])('is not read from %j', body => {
    expect(transactionIn(body, 'id').ok).toBe(false);
  });

  it('of any JSON is confirmed only in so many words', () => {
    const some = fc.record(
      {
        transaction_id: fc.constantFrom('id', 'other', 1),
        transaction_hash: fc.oneof(fc.constantFrom(HASH, '', null), fc.string()),
        state: fc.oneof(fc.constantFrom('STATE_CONFIRMED', 'STATE_MINED', 'confirmed'), fc.string()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(some, fc.jsonValue()), body => {
        const read = transactionIn(body, 'id');
        const { transaction_id, transaction_hash, state } = (body ?? {}) as Record<string, unknown>;
        const isConfirmed = transaction_id === 'id' && transaction_hash === HASH && state === 'STATE_CONFIRMED';
        expect(read.ok && read.value.type === 'confirmed').toBe(isConfirmed);
      }),
    );
  });
});

describe('a nonce', () => {
  const address = `0x${'1'.repeat(40)}`;

  it.each([
    [{ address, nonce: '7' }, 7n],
    [{ address, nonce: 0 }, 0n],
    [{ address, nonce: '' }, null],
    [{ address, nonce: '-1' }, null],
    [{ address, nonce: '0x7' }, null],
    [{ address, nonce: 1.5 }, null],
    [{ nonce: '7' }, null],
    ['7', null],
    [null, null],
  ])('is read from %j as %s', (body, nonce) => {
    const read = placeIn(body);
    expect(read.ok ? read.value.nonce : null).toBe(nonce);
  });
});
