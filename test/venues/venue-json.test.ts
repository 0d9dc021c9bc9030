// A venue's answer to a GET, and the values that can be read from it.

import { describe, expect, it } from 'vitest';
import type { HttpAnswer } from '../../src/core/net/http.ts';
import type { OutboundOutcome } from '../../src/core/net/outbound.ts';
import { askAgainIfLost, getJson, parseJsonBytes, REQUEST_HEADERS } from '../../src/venues/venue-json.ts';

const answering = (answer: HttpAnswer) => getJson(async () => answer, 'http://venue.test/');
const bytes = (text: string) => Buffer.from(`...${text}...`).subarray(3, -3);

describe('JSON by GET', () => {
  it('is asked for by name, unless other headers are given', async () => {
    const asked: unknown[] = [];
    const get = async (url: string, headers: object): Promise<HttpAnswer> => {
      asked.push([url, headers]);
      return { status: 200, body: '[1]' };
    };
    expect(await getJson(get, 'http://venue.test/a')).toEqual({ ok: true, value: [1] });
    await getJson(get, 'http://venue.test/b', { signed: 'x' });
    expect(asked).toEqual([
      ['http://venue.test/a', REQUEST_HEADERS],
      ['http://venue.test/b', { signed: 'x' }],
    ]);
  });

  it('may be null, which is a value', async () => {
    expect(await answering({ status: 200, body: 'null' })).toEqual({ ok: true, value: null });
  });

  it('fails at another status, which the error names', async () => {
    const error = { status: 404, message: 'HTTP 404' };
    expect(await answering({ status: 404, body: '{}' })).toEqual({ ok: false, error });
  });

  it.each(['', '<html>', '{"a":'])('fails if the body is %j', async body => {
    const error = { status: null, message: 'an answer that is not JSON' };
    expect(await answering({ status: 200, body })).toEqual({ ok: false, error });
  });

  it('fails without an answer', async () => {
    const refused = () => Promise.reject(new Error('connect ECONNREFUSED'));
    const error = { status: null, message: 'connect ECONNREFUSED' };
    expect(await getJson(refused, 'http://venue.test/')).toEqual({ ok: false, error });
  });
});

describe('JSON in bytes', () => {
  it('is read from where they are', () => {
    expect(parseJsonBytes(bytes('{"a":"é"}'))).toEqual({ a: 'é' });
    expect(parseJsonBytes(bytes(''))).toBeUndefined();
  });
});

const LOST: OutboundOutcome = { type: 'lost', message: 'reset' };
const LATE: OutboundOutcome = { type: 'timeout', message: 'no answer in time' };
const FAILED: OutboundOutcome = { type: 'answer', status: 503, headers: new Map(), body: '' };

describe('a read whose connection broke', () => {
  it.each([
    ['lost, once more', [LOST, FAILED], true, [FAILED]],
    ['lost twice, not a third time', [LOST, LOST, FAILED], true, [LOST]],
    ['lost, and there is no time left', [LOST, FAILED], false, [LOST]],
    ['answered in any way', [FAILED, LOST], true, [FAILED]],
    ['late', [LATE, FAILED], true, [LATE]],
  ])('%s', async (_what, outcomes, isInTime, [last]) => {
    const script = outcomes.values();
    const outcome = await askAgainIfLost(
      async () => script.next().value!,
      () => isInTime,
    );
    expect(outcome).toBe(last);
  });
});
