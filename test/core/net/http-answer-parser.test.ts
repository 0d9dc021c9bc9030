// The answer parser: which answers it reads, which it refuses, and that segments make no difference. A naive twin checks it on any bytes,
// and Node's own parser on valid answers.

import { Agent, request } from 'node:http';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HttpAnswer, HttpAnswerParser } from '../../../src/core/net/http-answer-parser.ts';
import { limits } from '../../../src/limits.ts';
import { type NaiveAnswer, naiveAnswer } from '../../support/naive-http-answer.ts';

const BODY_BYTES_MAX = 4_096;
const parser = new HttpAnswerParser(BODY_BYTES_MAX);

/** Returns the answer. A text is the reason why the bytes are no answer. Null means that the answer was cut off. */
function parse(segments: readonly Buffer[], isAnswerToHead = false): HttpAnswer | string | null {
  parser.begin(isAnswerToHead);
  for (const [index, segment] of segments.entries()) {
    const result = parser.push(segment);
    if (result === null) continue;
    if (result.type === 'malformed') return result.message;
    // Bytes after the answer end the connection, in any segment.
    return { ...result, isKept: result.isKept && segments.slice(index + 1).every(it => !it.length) };
  }
  return parser.end();
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...new Set(cuts.map(it => it % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

/** Returns the answer with the headers of `twin`, and with some headers that are absent. */
function plain(answer: HttpAnswer | NaiveAnswer | string | null, twin: NaiveAnswer | null): unknown {
  if (answer === null || typeof answer === 'string') return null;
  const { status, headers, body, isKept } = answer;
  const names = [...(twin?.headers.keys() ?? []), 'content-length', 'connection', 'x', 'http/1.1 200 x'];
  return { status, headers: names.map(name => headers.get(name)), body: 'type' in answer ? body : utf8(body), isKept };
}

function utf8(body: string): string {
  return bytesOf(body).toString();
}

const OK = 'HTTP/1.1 200 OK\r\n';

const valid: [what: string, text: string, status: number, body: string, isKept: boolean][] = [
  ['a length', `${OK}Content-Length: 5\r\n\r\nhello`, 200, 'hello', true],
  ['a length of zero', `${OK}Content-Length: 0\r\n\r\n`, 200, '', true],
  ['no reason', 'HTTP/1.1 201\r\ncontent-length:2\r\n\r\n{}', 201, '{}', true],
  ['blanks around a value', `${OK}Content-Length: \t 2 \t\r\n\r\n{}`, 200, '{}', true],
  ['chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`, 200, 'abcde', true],
  ['no chunks', `${OK}Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n`, 200, '', true],
  [
    'extensions',
    `${OK}Transfer-Encoding: chunked\r\n\r\n0A;a=b;c="d"\r\n0123456789\r\n0;x\r\n\r\n`,
    200,
    '0123456789',
    true,
  ],
  ['trailers', `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\nZ:\r\n\r\n`, 200, 'a', true],
  ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', 204, '', true],
  ['not modified, with a length', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n', 304, '', true],
  [
    'interim answers',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nA: b\r\n\r\n${OK}Content-Length: 1\r\n\r\na`,
    200,
    'a',
    true,
  ],
  ['until the connection closes', `${OK}\r\nall of it`, 200, 'all of it', false],
  ['nothing until it closes', `${OK}A: b\r\n\r\n`, 200, '', false],
  ['a connection to be closed', `${OK}Connection: x, Close\r\nContent-Length: 1\r\n\r\na`, 200, 'a', false],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na', 200, 'a', false],
  ['more than an answer', `${OK}Content-Length: 1\r\n\r\nabc`, 200, 'a', false],
  ['two answers', `${OK}Content-Length: 1\r\n\r\na${OK}Content-Length: 1\r\n\r\nb`, 200, 'a', false],
];

const chunked = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const huge = 'x'.repeat(limits.outboundHeadBytesMax);
const refused: [what: string, text: string][] = [
  ['garbage', 'garbage, and no line at all'],
  ['TLS', '\x15\x03\x01\x00\x02\x02\x46'],
  ['HTTP/2', 'HTTP/2 200 OK\r\n\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['a status of 600', 'HTTP/1.1 600 OK\r\n\r\n'],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n'],
  ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 1\n\na\r\n\r\n'],
  ['a folded header', `${OK}A: b\r\n c\r\n\r\n`],
  ['a header without a colon', `${OK}Nothing\r\n\r\n`],
  ['a blank before the colon', `${OK}Content-Length : 1\r\n\r\na`],
  ['a NUL in a header', `${OK}A: \0\r\n\r\n`],
  ['a bare CR in a header', `${OK}A: b\rContent-Length: 1\r\n\r\na`],
  ['both lengths', `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['two lengths', `${OK}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`],
  ['a negative length', `${OK}Content-Length: -1\r\n\r\n`],
  ['a length in hex', `${OK}Content-Length: 0x1\r\n\r\na`],
  ['an empty length', `${OK}Content-Length:\r\n\r\n`],
  ['a length beyond all bounds', `${OK}Content-Length: 99999999999999999999\r\n\r\n`],
  ['a body too long by its length', `${OK}Content-Length: ${BODY_BYTES_MAX + 1}\r\n\r\n`],
  ['a body too long in chunks', `${chunked}1\r\na\r\n1000\r\n${'x'.repeat(4096)}\r\n0\r\n\r\n`],
  ['a body too long until the end', `${OK}\r\n${'x'.repeat(BODY_BYTES_MAX + 1)}`],
  ['gzip', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a chunk without a size', `${chunked}\r\n`],
  ['a chunk size with a sign', `${chunked}+1\r\na\r\n0\r\n\r\n`],
  ['a chunk size of nine digits', `${chunked}000000001\r\na\r\n0\r\n\r\n`],
  ['a chunk longer than its size', `${chunked}1\r\nab\r\n0\r\n\r\n`],
  ['a chunk that ends by a line feed', `${chunked}1\r\na\n0\r\n\r\n`],
  ['a chunk size that ends by a CR alone', `${chunked}1\ra`],
  ['a control character in an extension', `${chunked}1;\x01\r\na\r\n0\r\n\r\n`],
  ['a malformed trailer', `${chunked}0\r\nnothing\r\n\r\n`],
  ['a head too long', `${OK}A: ${huge}\r\n\r\n`],
  ['a head without end', `${OK}A: ${huge}`],
  ['interim answers without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)],
  ['trailers without end', `${chunked}0\r\nA: ${huge}`],
  ['an extension without end', `${chunked}1;${huge}`],
  ['extensions without end', chunked + '1;xxxxxxxxxxxxxxxx\r\na\r\n'.repeat(1_000)],
];

describe('HttpAnswerParser', () => {
  it.each(valid)('reads %s, however it is cut', (_what, text, status, body, isKept) => {
    const bytes = bytesOf(text);
    const whole = parse([bytes]);
    expect(whole).toMatchObject({ status, body, isKept });
    const twin = naiveAnswer(text, false);
    expect(plain(whole, twin)).toEqual(plain(twin, twin));
    for (let at = 1; at < bytes.length; at++) expect(plain(parse(cut(bytes, [at])), twin)).toEqual(plain(twin, twin));
    expect(plain(parse([...bytes].map(byte => Buffer.of(byte))), twin)).toEqual(plain(twin, twin));
  });

  it.each(refused)('refuses %s, however it is cut', (_what, text) => {
    const bytes = bytesOf(text);
    const message = parse([bytes]);
    expect(message).toEqual(expect.any(String));
    expect(parse([...bytes].map(byte => Buffer.of(byte)))).toEqual(expect.any(String));
    expect(message).not.toMatch(/xxx|garbage|nothing/);
  });

  it('knows every prefix of an answer with an end of its own for incomplete', () => {
    for (const [, text] of valid.slice(0, 11)) {
      for (let end = 0; end < text.length; end++) expect(parse([bytesOf(text.slice(0, end))])).toBeNull();
    }
  });

  it('takes a head of exactly the bound, and not a byte more', () => {
    const head = (bytes: number) => {
      const start = `${OK}Content-Length: 1\r\nA: `;
      return `${start}${'x'.repeat(bytes - start.length - 4)}\r\n\r\na`;
    };
    for (const cuts of [[], [1], [100, limits.outboundHeadBytesMax], [limits.outboundHeadBytesMax - 1]]) {
      expect(parse(cut(bytesOf(head(limits.outboundHeadBytesMax)), cuts))).toMatchObject({ body: 'a' });
      expect(parse(cut(bytesOf(head(limits.outboundHeadBytesMax + 1)), cuts))).toContain('outboundHeadBytesMax');
    }
  });

  it('expects no body after HEAD', () => {
    expect(parse([bytesOf(`${OK}Content-Length: 5\r\n\r\n`)], true)).toMatchObject({ body: '', isKept: true });
    expect(parse([bytesOf(`${chunked}`)], true)).toMatchObject({ body: '', isKept: true });
  });

  it('joins repeated headers', () => {
    const answer = parse([bytesOf('HTTP/1.1 204 x\r\nVia: a\r\nVIA: b\r\n\r\n')]) as HttpAnswer;
    expect(answer.headers.get('via')).toBe('a, b');
  });

  it('keeps bodies apart from the bytes it was lent', () => {
    const bytes = bytesOf(`${OK}Content-Length: 5\r\n\r\nhello`);
    parser.begin(false);
    const answer = parser.push(bytes);
    bytes.fill(0);
    expect(answer?.type === 'answer' && answer.body).toBe('hello');
  });
});

const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/).map(it => `X-${it}`);
const field = fc
  .tuple(token, fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/))
  .map(([name, value]) => `${name}: ${value}\r\n`);
const body = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map(it => String.fromCharCode(it)), maxLength: 200 });
const chunkedBody = fc
  .tuple(fc.array(body.filter(it => it !== '')), fc.constantFrom('', ';a', ';a=b'), fc.array(field, { maxLength: 2 }))
  .map(([chunks, extension, trailers]) => {
    const written = chunks.map(it => `${it.length.toString(16)}${extension}\r\n${it}\r\n`);
    return `Transfer-Encoding: chunked\r\n\r\n${written.join('')}0${extension}\r\n${trailers.join('')}\r\n`;
  });
const ending = fc.oneof(
  body.map(it => `Content-Length: ${it.length}\r\n\r\n${it}`),
  chunkedBody,
  body.map(it => `\r\n${it}`),
);
const answer = fc
  .tuple(
    fc.constantFrom('', 'HTTP/1.1 100 Continue\r\n\r\n'),
    fc.constantFrom(200, 201, 204, 304, 400, 404, 429, 503),
    fc.array(field, { maxLength: 5 }),
    ending,
  )
  .map(([interim, status, fields, rest]) => `${interim}HTTP/1.1 ${status} x\r\n${fields.join('')}${rest}`);
const cuts = fc.array(fc.nat(2_000), { maxLength: 12 });
/** Edits of relevant places: framing characters are inserted, characters are removed, and pieces are doubled. */
const edits = fc.array(
  fc.tuple(
    fc.nat(2_000),
    fc.nat(6),
    fc.constantFrom(
      '',
      '\r',
      '\n',
      '\r\n',
      '\r\n\r\n',
      ':',
      ';',
      ' ',
      '0',
      'f',
      '\0',
      'Content-Length: 3\r\n',
      'Connection: close\r\n',
    ),
  ),
  { minLength: 1, maxLength: 4 },
);

describe('HttpAnswerParser against others', () => {
  it('agrees with the naive twin on answers, in any segments', () => {
    fc.assert(
      fc.property(answer, cuts, fc.boolean(), (text, at, isHead) => {
        const twin = naiveAnswer(text, isHead);
        expect(plain(parse(cut(bytesOf(text), at), isHead), twin)).toEqual(plain(twin, twin));
      }),
      { numRuns: 2_000 },
    );
  });

  it('agrees with the naive twin on broken answers, in any segments', () => {
    fc.assert(
      fc.property(answer, edits, cuts, (text, changes, at) => {
        let broken = text;
        for (const [position, removed, added] of changes) {
          const start = position % (broken.length + 1);
          broken = broken.slice(0, start) + added + broken.slice(start + removed);
        }
        const twin = naiveAnswer(broken, false);
        expect(plain(parse(cut(bytesOf(broken), at)), twin)).toEqual(plain(twin, twin));
      }),
      { numRuns: 5_000 },
    );
  });

  it('agrees with Node’s parser on answers', async () => {
    await fc.assert(
      fc.asyncProperty(answer, async text => {
        const own = parse([bytesOf(text)]) as HttpAnswer;
        // These answers are not valid if they have a body. Node’s parser takes the body for the next answer and complains.
        fc.pre(own.status !== 204 && own.status !== 304);
        const nodes = await readByNode(text);
        expect({ status: own.status, body: own.body }).toEqual({ status: nodes.status, body: nodes.body });
        expect(nodes.headers.map(([name]) => [name, own.headers.get(name)])).toEqual(nodes.headers);
      }),
      { numRuns: 300 },
    );
  });
});

/** Reads with Node's client, on a connection that answers every request with `text` and ends. */
function readByNode(text: string): Promise<{ status: number; headers: [string, string][]; body: string }> {
  const socket = new Duplex({
    read: () => {},
    write: (_chunk, _encoding, done) => {
      socket.push(bytesOf(text));
      socket.push(null);
      done();
    },
  });
  return new Promise((resolve, reject) => {
    const sent = request({ agent: Object.assign(new Agent(), { createConnection: () => socket }) }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const headers = new Map<string, string>();
        for (let at = 0; at < response.rawHeaders.length; at += 2) {
          const name = response.rawHeaders[at]!.toLowerCase();
          const value = response.rawHeaders[at + 1]!;
          headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
        }
        resolve({ status: response.statusCode!, headers: [...headers], body: Buffer.concat(chunks).toString() });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
