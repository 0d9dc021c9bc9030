// The naive twin of the answer parser: takes all bytes at once, splits them into lines, and has one regular expression per rule. It is slow
// and plain.

export interface NaiveAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The body, with one character per byte. */
  readonly body: string;
  readonly isKept: boolean;
}

/** Returns the answer of a connection that sent `text` and then ended. Null means that `text` is not a whole answer. */
export function naiveAnswer(text: string, isAnswerToHead: boolean): NaiveAnswer | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const match = /^HTTP\/1\.([01]) ([1-5]\d\d)( [\t -~\x80-\xff]*)?$/.exec(statusLine);
  const headers = naiveFields(lines);
  if (match === null || headers === null) return null;
  const status = Number(match[2]);
  const length = headers.get('content-length');
  const encoding = headers.get('transfer-encoding');
  if (status === 101 || (length !== undefined && encoding !== undefined)) return null;
  if (length !== undefined && !/^[0-9]{1,15}$/.test(length)) return null;
  if (encoding !== undefined && (!/^chunked$/i.test(encoding) || match[1] === '0')) return null;
  const rest = text.slice(headEnd + 4);
  if (status < 200) return naiveAnswer(rest, isAnswerToHead);
  const wantsMore = match[1] === '1' && !/(^|,)[ \t]*close[ \t]*(,|$)/i.test(headers.get('connection') ?? '');
  const answer = (body: string, taken: number): NaiveAnswer => {
    return { status, headers, body, isKept: wantsMore && taken === rest.length };
  };
  if (status === 204 || status === 304 || isAnswerToHead) return answer('', 0);
  if (encoding !== undefined) {
    const chunks = naiveChunks(rest);
    return chunks === null ? null : answer(chunks.body, rest.length - chunks.rest.length);
  }
  if (length === undefined) return { ...answer(rest, 0), isKept: false };
  return rest.length < Number(length) ? null : answer(rest.slice(0, Number(length)), Number(length));
}

function naiveFields(lines: readonly string[]): Map<string, string> | null {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t -~\x80-\xff]*)$/.exec(line);
    if (match === null) return null;
    const name = match[1]!.toLowerCase();
    const value = match[2]!.replace(/^[ \t]+|[ \t]+$/g, '');
    fields.set(name, fields.has(name) ? `${fields.get(name)}, ${value}` : value);
  }
  return fields;
}

function naiveChunks(text: string): { readonly body: string; readonly rest: string } | null {
  const match = /^([0-9a-f]{1,8})(;[\t -~\x80-\xff]*)?\r\n/i.exec(text);
  if (match === null) return null;
  const size = Number.parseInt(match[1]!, 16);
  const from = match[0].length;
  if (size > 0) {
    const tail = text.slice(from + size, from + size + 2) === '\r\n' ? naiveChunks(text.slice(from + size + 2)) : null;
    return tail === null ? null : { body: text.slice(from, from + size) + tail.body, rest: tail.rest };
  }
  const end = text.indexOf('\r\n\r\n', from - 2);
  if (end < 0) return null;
  const trailers = text
    .slice(from, Math.max(from, end + 2))
    .split('\r\n')
    .slice(0, -1);
  return naiveFields(trailers) === null ? null : { body: '', rest: text.slice(end + 4) };
}
