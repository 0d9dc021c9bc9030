// A cheap WebSocket client, so that a hundred clients do not outweigh the measured part. One buffer serves all sockets of a thread, and messages
// are read where the kernel put them, without an allocation.

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { requestBytes } from './http-signing.ts';

const READ_BYTES = 256 * 1024;
/** The room before the read for the rest of a message from the last read. */
const CARRY_BYTES = 64 * 1024;
const shared = Buffer.allocUnsafe(CARRY_BYTES + READ_BYTES);
const readArea = shared.subarray(CARRY_BYTES);

const OPCODE_TEXT = 1;
const OPCODE_CLOSE = 8;
const OPCODE_PING = 9;
/** An empty pong; the mask is all zeros. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

export interface RawHandlers {
  onOpen(): void;
  /** Called when bytes have arrived. Messages may follow. */
  onRead(): void;
  /** Called for each message, which is borrowed: `bytes` from `start` to `end`. */
  onMessage(bytes: Buffer, start: number, end: number): void;
  onClose(detail: string): void;
}

export class RawWebSocket {
  readonly #socket: Socket;
  readonly #handlers: RawHandlers;
  readonly #carry = Buffer.allocUnsafe(CARRY_BYTES);
  #carried = 0;
  #isOpen = false;

  /** `headers` are sent with the upgrade. */
  constructor(url: string, headers: Readonly<Record<string, string>>, handlers: RawHandlers) {
    const { hostname, port, pathname } = new URL(url);
    this.#handlers = handlers;
    this.#socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer: readArea,
        callback: bytes => {
          this.#read(bytes);
          return true;
        },
      },
    });
    const upgrade = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    };
    this.#socket.write(requestBytes(pathname, { ...upgrade, ...headers }));
    this.#socket.once('error', error => handlers.onClose(error.message));
    this.#socket.once('close', () => handlers.onClose('closed'));
  }

  /** Sends a text message of less than 64 KB, masked with zeros. */
  send(text: string): void {
    const payload = Buffer.from(text);
    const header = Buffer.from([0x80 | OPCODE_TEXT, 0xfe, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0]);
    this.#socket.write(Buffer.concat([header, payload]));
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(count: number): void {
    const start = CARRY_BYTES - this.#carried;
    const end = CARRY_BYTES + count;
    this.#carry.copy(shared, start, 0, this.#carried);
    this.#handlers.onRead();
    const rest = this.#isOpen ? this.#messages(start, end) : this.#handshake(start, end);
    this.#carried = end - rest;
    if (this.#carried > CARRY_BYTES) throw new Error('a message does not fit into CARRY_BYTES');
    shared.copy(this.#carry, 0, rest, end);
  }

  #handshake(start: number, end: number): number {
    const head = shared.toString('latin1', start, end);
    const length = head.indexOf('\r\n\r\n');
    if (length < 0) return start;
    if (!head.startsWith('HTTP/1.1 101 ')) throw new Error(`refused: ${head.slice(0, 100)}`);
    this.#isOpen = true;
    this.#handlers.onOpen();
    return this.#messages(start + length + 4, end);
  }

  /** Passes on complete messages, and returns where the rest starts. Servers do not mask, and these servers do not fragment. */
  #messages(start: number, end: number): number {
    let at = start;
    while (end - at >= 2) {
      const short = shared[at + 1]!;
      const headerBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (end - at < headerBytes) break;
      let length = short;
      if (short === 126) length = (shared[at + 2]! << 8) | shared[at + 3]!;
      else if (short === 127) length = shared.readUInt32BE(at + 6);
      const next = at + headerBytes + length;
      if (next > end) break;
      const opcode = shared[at]! & 0x0f;
      if (opcode === OPCODE_TEXT) this.#handlers.onMessage(shared, at + headerBytes, next);
      else if (opcode === OPCODE_PING) this.#socket.write(PONG);
      else if (opcode === OPCODE_CLOSE) this.close();
      at = next;
    }
    return at;
  }
}
