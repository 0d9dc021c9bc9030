// Parses the head of an HTTP/1.1 answer: the status, the headers and the way in which the body ends (RFC 9112 §6.3). The parser is strict
// wherever two lenient readers of the same bytes could see different answers. Any thread.

import type { AnswerHeaders } from './outbound.ts';

/**
 * The way in which a body ends. With `close` the body ends with the connection. Then a truncated body looks complete, even after a reset.
 */
type BodyEnd = 'none' | 'length' | 'chunks' | 'close';

export interface AnswerHead {
  readonly type: 'head';
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly bodyEnd: BodyEnd;
  /** The stated length of the body; 0 unless the body ends by its length. */
  readonly bodyBytes: number;
  /** Whether the connection stays open after this answer. */
  readonly isKept: boolean;
}

/** The fault of an answer. The text contains no bytes of the other side, which may echo our credentials. */
export interface Malformed {
  readonly type: 'malformed';
  readonly message: string;
}

export function malformed(message: string): Malformed {
  return { type: 'malformed', message };
}

const STATUS_LINE = /HTTP\/1\.[01] [1-5]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?\r\n/y;
const MINOR_AT = 'HTTP/1.'.length;
const STATUS_AT = 'HTTP/1.1 '.length;
const FIELD_LINES = /(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*\r\n)*$/y;
/** The form of a length: up to 10^15 - 1, which is exact in a double and above every bound. */
const LENGTH = /^\d{1,15}$/;
const CLOSES = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;
const COLON = 0x3a;

/** The headers as they came. They are not parsed first: an answer has many headers, most of which nobody reads. */
class HeaderLines implements AnswerHeaders {
  readonly #lines: string;

  /** `lines` is a text that `areFields` accepts. */
  constructor(lines: string) {
    this.#lines = lines;
  }

  /** Returns the value of a header by its lower-case name. The values of a repeated name are joined by a comma. */
  get(name: string): string | undefined {
    const lines = this.#lines;
    let joined: string | undefined;
    for (let at = 0; at < lines.length; at = lines.indexOf('\n', at) + 1) {
      const colon = at + name.length;
      if (lines.charCodeAt(colon) !== COLON || lines.slice(at, colon).toLowerCase() !== name) continue;
      const value = trim(lines, colon + 1, lines.indexOf('\r', colon));
      joined = joined === undefined ? value : `${joined}, ${value}`;
    }
    return joined;
  }
}

/** Reads a head. `text` is the status line and the fields, each ended by CRLF, without the empty line. Each character is a byte. */
export function readAnswerHead(text: string, isAnswerToHead: boolean): AnswerHead | Malformed {
  STATUS_LINE.lastIndex = 0;
  if (!STATUS_LINE.test(text)) return malformed('no HTTP/1.x status line');
  const { lastIndex: fieldsAt } = STATUS_LINE;
  if (!areFields(text, fieldsAt)) return malformed('a malformed header');
  const status = Number(text.slice(STATUS_AT, STATUS_AT + 3));
  if (status === 101) return malformed('switches protocols without a request');
  const headers = new HeaderLines(text.slice(fieldsAt));
  const isVersion10 = text[MINOR_AT] === '0';
  const length = headers.get('content-length');
  const encoding = headers.get('transfer-encoding');
  if (length !== undefined && encoding !== undefined) return malformed('both Content-Length and Transfer-Encoding');
  if (length !== undefined && !LENGTH.test(length)) return malformed('a malformed Content-Length');
  if (encoding !== undefined && (isVersion10 || encoding.toLowerCase() !== 'chunked'))
    return malformed('an unknown Transfer-Encoding');
  const hasNoBody = status < 200 || status === 204 || status === 304 || isAnswerToHead;
  const bodyEnd = hasNoBody ? 'none' : encoding !== undefined ? 'chunks' : length === undefined ? 'close' : 'length';
  const isKept = !isVersion10 && bodyEnd !== 'close' && !CLOSES.test(headers.get('connection') ?? '');
  return { type: 'head', status, headers, bodyEnd, bodyBytes: bodyEnd === 'length' ? Number(length) : 0, isKept };
}

/** Whether the text from `start` to its end consists of header fields, each ended by CRLF. */
export function areFields(text: string, start: number): boolean {
  FIELD_LINES.lastIndex = start;
  return FIELD_LINES.test(text);
}

/** Trims spaces and tabs only, unlike String.trim: other characters belong to the value. */
function trim(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
