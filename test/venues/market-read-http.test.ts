// A request to a venue that the gateway only reads. The request is repeated once if that may help, at the venue's pace. Without an answer
// the caller gets a reason.

import { describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { type Said, type Saying, ScriptedVenue } from './market-read-rig.ts';

let venue: ScriptedVenue;

const GOOD: Said = { body: { a: 1 } };
const soon = (ms = 2_000): number => performance.now() + ms;

async function get(say: Saying, deadline = soon()) {
  venue = await ScriptedVenue.start(say);
  return venue.http('venue_e', { answerBytesMax: limits.marketReadBodyBytesMax }).get('/x?y=1', deadline);
}

/** Gives the answer `said` to the first request, and a good answer to each later request. */
const first =
  (said: ReturnType<Saying>): Saying =>
  (_path, count) =>
    count === 1 ? said : GOOD;

describe('a read', () => {
  it('is answered with status and JSON', async () => {
    expect(await get(() => GOOD)).toEqual({ type: 'json', status: 200, body: { a: 1 } });
    expect(venue.requests).toEqual(['/x?y=1']);
    expect(venue.headers[0]).toMatchObject({ 'user-agent': 'crossbook', accept: 'application/json' });
  });

  it.each<[what: string, said: ReturnType<Saying>]>([
    ['the connection broke', null],
    ['of a 500', { status: 500, body: 'oops' }],
    ['of a 503', { status: 503, body: { message: 'later' } }],
  ])('is made once more because %s', async (_what, said) => {
    expect(await get(first(said))).toMatchObject({ type: 'json', status: 200 });
    expect(venue.requests).toHaveLength(2);
  });

  it.each<[words: string, said: ReturnType<Saying>]>([
    ['HTTP 502', { status: 502, body: '' }],
    ['connection closed', null],
  ])('that fails twice is the venue’s fault: %s', async (words, said) => {
    const message = expect.stringContaining(`venue_e: ${words}`);
    expect(await get(() => said)).toMatchObject({ type: 'faulty', message });
    expect(venue.requests).toHaveLength(2);
  });

  it.each<[what: string, said: Said, answer: object]>([
    ['a 404', { status: 404, body: {} }, { status: 404, body: {} }],
    ['no JSON', { body: '<html>' }, { status: 200, body: undefined }],
  ])('that is answered with %s is answered', async (_what, said, answer) => {
    expect(await get(() => said)).toEqual({ type: 'json', ...answer });
    expect(venue.requests).toHaveLength(1);
  });

  it('with a body that is too large is the venue’s fault', async () => {
    const body = 'x'.repeat(limits.marketReadBodyBytesMax + 1);
    const message = expect.stringContaining(`a body of more than ${limits.marketReadBodyBytesMax} bytes`);
    expect(await get(() => ({ body }))).toMatchObject({ type: 'faulty', message });
  });

  it('that nobody answers ends at its deadline, and is not made again', async () => {
    const message = expect.stringMatching(/^venue_e: no answer within \d+ ms$/);
    expect(await get(() => undefined, soon(600))).toMatchObject({ type: 'faulty', message });
    expect(venue.requests).toHaveLength(1);
  });

  it('without a server is the venue’s fault', async () => {
    venue = await ScriptedVenue.start(() => GOOD);
    const http = venue.http('venue_d');
    await venue.close();
    expect(await http.get('/x', soon())).toMatchObject({ type: 'faulty' });
  });
});

describe('429', () => {
  const refused = (retryAfter?: string): Said => ({
    status: 429,
    headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
    body: 'slow down',
  });

  it('is waited out where there is time', async () => {
    venue = await ScriptedVenue.start(first(refused('1')));
    const timers = new VirtualTimers();
    const answer = venue.http('venue_e', { timers }).get('/x', timers.elapsed() + 2_000);
    // The two timers are the deadline of the caller and the end of the pause.
    await expect.poll(() => timers.pending).toBe(2);
    await timers.settle(999);
    expect(venue.requests).toHaveLength(1);
    await timers.settle(1);
    expect(await answer).toMatchObject({ type: 'json', status: 200 });
  });

  it.each([
    ['30', 30],
    [String(limits.marketReadRetryAfterMaxS + 1), limits.marketReadRetryAfterMaxS],
  ])('with Retry-After %s is passed to the caller, and to the next without a request', async (header, retryAfterS) => {
    venue = await ScriptedVenue.start(() => refused(header));
    const http = venue.http('venue_d');
    const busy = { type: 'busy', message: 'venue_d: asks to be left alone for a while (HTTP 429)', retryAfterS };
    expect(await http.get('/x', soon())).toEqual(busy);
    expect(await http.get('/y', soon())).toEqual(busy);
    expect(venue.requests).toEqual(['/x']);
  });

  it.each(['soon', '-1', undefined])('with Retry-After %s is a second', async header => {
    expect(await get(() => refused(header), soon(500))).toMatchObject({ type: 'busy', retryAfterS: 1 });
  });
});

it('reads beyond the venue’s pace wait, and are refused when there is no turn for them', async () => {
  venue = await ScriptedVenue.start(() => undefined);
  const http = venue.http('venue_d', { pace: { concurrentMax: 2, gapMs: 0 } });
  // The third read gives up before the other two.
  const [all, third] = [soon(400), soon(80)];
  const answers = await Promise.all([1, 2, 3].map(id => http.get(`/${id}`, id === 3 ? third : all)));
  expect(answers[2]).toMatchObject({ type: 'busy', message: 'venue_d: too many reads at once for what it allows' });
  expect(venue.requests.toSorted()).toEqual(['/1', '/2']);
});
