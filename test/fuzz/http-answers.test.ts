// Venues' answers as bytes in any segments: the reader reads them as the naive twin does, or refuses them. It keeps nothing that follows the answer.

import fc from 'fast-check';
import { expect } from 'vitest';
import { type HttpAnswer, HttpAnswerParser } from '../../src/core/net/http-answer-parser.ts';
import { naiveAnswer } from '../support/naive-http-answer.ts';
import { escapedCorpus } from './corpus.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { fuzz } from './fuzz.ts';

const BODY_BYTES_MAX = 1_024;
const parser = new HttpAnswerParser(BODY_BYTES_MAX);
const WORDS = [
  'Content-Length: 3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Connection: close\r\n',
  'HTTP/1.1 200 OK\r\n',
];

fuzz({
  name: 'http answers',
  inputs: fc.record({
    bytes: damagedBytes(fc.constantFrom(...escapedCorpus('http-answers')), [
      ...WORDS,
      '0\r\n\r\n',
      'ffffffff\r\n',
      ':',
    ]),
    cuts: fc.array(fc.nat(400), { maxLength: 6 }),
    isAnswerToHead: fc.boolean(),
  }),
  runs: 500,
  check({ bytes, cuts, isAnswerToHead }) {
    const naive = naiveAnswer(bytes.toString('latin1'), isAnswerToHead);
    const expected = naive !== null && naive.body.length > BODY_BYTES_MAX ? null : naive;
    const names = [...(expected?.headers.keys() ?? []), 'content-length', 'x'];
    const own = parsed(segmentsOf(bytes, cuts), isAnswerToHead);
    expect(plain(own, names)).toEqual(plain(expected && { ...expected, body: utf8(expected.body) }, names));
  },
});

/** Returns the answer. Null means that it was refused, or that the connection ended before it was complete. */
function parsed(segments: readonly Buffer[], isAnswerToHead: boolean): HttpAnswer | null {
  parser.begin(isAnswerToHead);
  for (const [index, segment] of segments.entries()) {
    const result = parser.push(segment);
    if (result?.type === 'malformed') return null;
    if (result === null) continue;
    const isLast = segments.slice(index + 1).every(it => it.length === 0);
    return { ...result, isKept: result.isKept && isLast };
  }
  return parser.end();
}

function segmentsOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...cuts.map(it => it % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

/** Returns the answer as a plain object, with its headers by name. */
function plain(answer: Omit<HttpAnswer, 'type'> | null, names: readonly string[]): unknown {
  if (answer === null) return null;
  return [answer.status, names.map(name => answer.headers.get(name)), answer.body, answer.isKept];
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString();
}
