// A bare HTTP client. It sends the bytes and segments that a test wants, and returns the answers. It cuts answers by Content-Length, so
// that a surplus or missing byte shows.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** The headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export class RawHttp {
  readonly #socket: Socket;
  #heard = '';
  #isClosed = false;
  readonly #waiting = new Set<() => void>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.setNoDelay(true);
    socket.on('data', (text: string) => {
      this.#heard += text;
      this.#tell();
    });
    // A reset ends the connection like any other end.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isClosed = true;
      this.#tell();
    });
  }

  static async connect(to: { readonly port: number } | { readonly path: string }): Promise<RawHttp> {
    const socket = connect('port' in to ? { ...to, host: '127.0.0.1' } : to);
    await once(socket, 'connect');
    return new RawHttp(socket);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Everything heard so far, with one character per byte. */
  get heard(): string {
    return this.#heard;
  }

  get answers(): readonly Answer[] {
    return readAnswers(this.#heard);
  }

  /** Writes one segment. Text has one character per byte. */
  send(segment: string | Uint8Array): this {
    this.#socket.write(typeof segment === 'string' ? Buffer.from(segment, 'latin1') : segment);
    return this;
  }

  /** Ends the sending side of the connection. */
  finish(): this {
    this.#socket.end();
    return this;
  }

  /** Stops reading. */
  pause(): this {
    this.#socket.pause();
    return this;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Resolves with the answers as soon as there are `count` of them, or when the connection has ended before. */
  async hear(count: number): Promise<readonly Answer[]> {
    await this.until(() => this.answers.length >= count);
    return this.answers;
  }

  /** Resolves with the answers when the connection has ended. */
  async end(): Promise<readonly Answer[]> {
    await this.until(() => false);
    return this.answers;
  }

  /** Resolves when `condition` holds after something was heard, or when the connection has ended. */
  until(condition: () => boolean): Promise<void> {
    if (this.#isClosed || condition()) return Promise.resolve();
    return new Promise(resolve => {
      const look = (): void => {
        if (!this.#isClosed && !condition()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  #tell(): void {
    for (const look of [...this.#waiting]) look();
  }
}

/** Returns the complete answers of a text. An answer without Content-Length lasts until the end. Interim answers (1xx) are skipped. */
function readAnswers(heard: string): readonly Answer[] {
  const answers: Answer[] = [];
  for (let rest = heard; rest !== ''; ) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) return answers;
    const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n');
    const match = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine);
    if (match === null) throw new Error(`no answer: ${JSON.stringify(rest.slice(0, 80))}`);
    const headers = new Map(lines.map(line => splitOnce(line)));
    const from = headEnd + 4;
    const status = Number(match[1]);
    const length = status < 200 ? 0 : Number(headers.get('content-length') ?? rest.length - from);
    if (rest.length < from + length) return answers;
    if (status >= 200) answers.push({ status, headers, body: rest.slice(from, from + length) });
    rest = rest.slice(from + length);
  }
  return answers;
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf(': ');
  return [line.slice(0, at).toLowerCase(), line.slice(at + 2)];
}
