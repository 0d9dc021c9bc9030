// Parses the head of an HTTP/1.1 answer: status, headers and how the body ends (RFC 9112 §6.3). Strict where two lenient readers
// of the same bytes could see different answers. Any thread.

type BodyEnd =
  | { readonly type: 'none' }
  | { readonly type: 'length'; readonly bytes: number }
  | { readonly type: 'chunks' }
  /** The body ends with the connection. A truncated body looks complete, even after a reset. */
  | { readonly type: 'close' };

export interface AnswerHead {
  readonly type: 'head';
  readonly status: number;
  /** Headers by lower-case name; values of a repeated name are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bodyEnd: BodyEnd;
  /** The connection stays open after this answer. */
  readonly isKept: boolean;
}

/** Contains no bytes of the other side: it may echo our credentials. */
export interface Malformed {
  readonly type: 'malformed';
  readonly message: string;
}

export function malformed(message: string): Malformed {
  return { type: 'malformed', message };
}

const STATUS_LINE = /HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?\r\n/y;
const FIELD_LINE = /([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)\r\n/y;
/** Up to 10^15 - 1: exact in a double, and above every bound. */
const LENGTH = /^\d{1,15}$/;
const NO_BODY: BodyEnd = { type: 'none' };
const CHUNKS: BodyEnd = { type: 'chunks' };
const UNTIL_CLOSE: BodyEnd = { type: 'close' };

/** `text` is the status line and the fields, each ended by CRLF, without the empty line. One character per byte. */
export function readAnswerHead(text: string, isAnswerToHead: boolean): AnswerHead | Malformed {
  STATUS_LINE.lastIndex = 0;
  const statusLine = STATUS_LINE.exec(text);
  if (statusLine === null) return malformed('no HTTP/1.x status line');
  const headers = readFields(text, STATUS_LINE.lastIndex);
  if (headers === null) return malformed('a header that is none');
  const status = Number(statusLine[2]);
  if (status === 101) return malformed('switches protocols unasked');
  const isVersion10 = statusLine[1] === '0';
  const bodyEnd = readBodyEnd(headers, isVersion10, status < 200 || status === 204 || status === 304 || isAnswerToHead);
  if (bodyEnd.type === 'malformed') return bodyEnd;
  const isKept = !isVersion10 && bodyEnd.type !== 'close' && !saysClose(headers.get('connection'));
  return { type: 'head', status, headers, bodyEnd, isKept };
}

/** Fields from `start` to the end of the text; null if a line is no header field. */
export function readFields(text: string, start: number): ReadonlyMap<string, string> | null {
  const fields = new Map<string, string>();
  for (let at = start; at < text.length; at = FIELD_LINE.lastIndex) {
    FIELD_LINE.lastIndex = at;
    const line = FIELD_LINE.exec(text);
    if (line === null) return null;
    const name = line[1]!.toLowerCase();
    const value = trim(line[2]!);
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return fields;
}

function readBodyEnd(
  headers: ReadonlyMap<string, string>,
  isVersion10: boolean,
  hasNoBody: boolean,
): BodyEnd | Malformed {
  const length = headers.get('content-length');
  const encoding = headers.get('transfer-encoding');
  if (length !== undefined && encoding !== undefined) return malformed('both Content-Length and Transfer-Encoding');
  if (length !== undefined && !LENGTH.test(length)) return malformed('a Content-Length that is none');
  if (encoding !== undefined && (isVersion10 || encoding.toLowerCase() !== 'chunked'))
    return malformed('an unknown Transfer-Encoding');
  if (hasNoBody) return NO_BODY;
  if (encoding !== undefined) return CHUNKS;
  return length === undefined ? UNTIL_CLOSE : { type: 'length', bytes: Number(length) };
}

function saysClose(connection: string | undefined): boolean {
  if (connection === undefined) return false;
  return connection.split(',').some(option => trim(option).toLowerCase() === 'close');
}

/** Trims spaces and tabs only, unlike String.trim: other characters belong to the value. */
function trim(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value.charCodeAt(start))) start += 1;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
