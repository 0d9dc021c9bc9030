// A WebSocket client on a bare TCP socket that can stop reading, so that first the kernel's buffers and then the gateway's fill. JSON only.

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { jsonCodec } from '../../src/core/wire/json.ts';
import type { ClientMessage, ServerMessage } from '../../src/core/wire/messages.ts';
import type { StreamClient } from './subscriber.ts';

const OPCODE_TEXT = 1;
const OPCODE_CLOSE = 8;
const FINAL = 0x80;
const MASKED = 0x80;
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;

export class RawClient implements StreamClient {
  readonly heard: ServerMessage[] = [];
  closedWith: string | null = null;
  readonly #socket: Socket;
  readonly #waiting = new Set<() => void>();
  #unread: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static connect(port: number, upgradeHeaders: Readonly<Record<string, string>>): Promise<RawClient> {
    const socket = connect(port, '127.0.0.1');
    const client = new RawClient(socket);
    const headers = [
      'GET /v1/orderbook HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      ...Object.entries(upgradeHeaders).map(([name, value]) => `${name}: ${value}`),
    ];
    socket.write(`${headers.join('\r\n')}\r\n\r\n`);
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.on('close', () => client.#ended('connection lost'));
      let head = '';
      const onHead = (chunk: Buffer): void => {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        socket.off('data', onHead);
        if (!head.startsWith('HTTP/1.1 101 ')) {
          reject(new Error(head));
          return;
        }
        socket.on('data', data => client.#read(data));
        client.#read(Buffer.from(head.slice(end + 4), 'latin1'));
        resolve(client);
      };
      socket.on('data', onHead);
    });
  }

  /** Stops reading until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  say(message: ClientMessage): void {
    const payload = jsonCodec.encodeClient(message);
    const mask = randomBytes(4);
    const head = Buffer.from([
      FINAL | OPCODE_TEXT,
      MASKED | LENGTH_IN_2_BYTES,
      payload.length >> 8,
      payload.length & 255,
    ]);
    const masked = payload.map((byte, index) => byte ^ mask[index & 3]!);
    this.#socket.write(Buffer.concat([head, mask, masked]));
  }

  until(condition: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const look = (): void => {
        if (!condition()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(data: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, data]);
    for (let frame = this.#nextFrame(); frame !== null; frame = this.#nextFrame()) {
      if (frame.opcode === OPCODE_TEXT) this.heard.push(jsonCodec.decodeServer(Uint8Array.from(frame.payload)));
      else if (frame.opcode === OPCODE_CLOSE) {
        this.#ended(`code ${frame.payload.readUInt16BE(0)} ${frame.payload.subarray(2).toString()}`);
      }
    }
    this.#tell();
  }

  /**
   * Removes a frame from the received bytes and returns it, or returns null if the frame is not complete. A server does not mask its messages, and
   * here it does not split them.
   */
  #nextFrame(): { readonly opcode: number; readonly payload: Buffer } | null {
    const bytes = this.#unread;
    if (bytes.length < 2) return null;
    const short = bytes[1]!;
    const start = short === LENGTH_IN_8_BYTES ? 10 : short === LENGTH_IN_2_BYTES ? 4 : 2;
    if (bytes.length < start) return null;
    const length = start === 10 ? Number(bytes.readBigUInt64BE(2)) : start === 4 ? bytes.readUInt16BE(2) : short;
    if (bytes.length < start + length) return null;
    this.#unread = bytes.subarray(start + length);
    return { opcode: bytes[0]! & 15, payload: bytes.subarray(start, start + length) };
  }

  #ended(how: string): void {
    this.closedWith ??= how;
    this.#tell();
  }

  #tell(): void {
    for (const look of [...this.#waiting]) look();
  }
}
