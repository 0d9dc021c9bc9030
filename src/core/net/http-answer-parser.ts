// Reads HTTP/1.1 answers one after another from a connection's bytes, in any segmentation. The usual answer arrives in one segment, which
// is not copied. The parser borrows its input, and keeps no more bytes than the bounds allow. Any thread.
//
//     head ─▶ none ─────────────────────────────────────────────▶ answer        1xx: back to head
//       ├───▶ fixed ────────────────────────────────────────────▶ answer
//       ├───▶ untilClose ───────────────────────────────────end─▶ answer
//       └───▶ chunkSize ─▶ (chunkExtension) ─▶ chunkSizeLf ─▶ trailers ─▶ answer
//                 ▲                                 └─▶ chunk ─▶ chunkCr ─▶ chunkLf ─┐
//                 └──────────────────────────────────────────────────────────────────┘

import { limits } from '../../limits.ts';
import { BodyBuffer } from './body-buffer.ts';
import { type AnswerHead, areFields, type Malformed, malformed, readAnswerHead } from './http-answer-head.ts';
import type { OutboundAnswer } from './outbound.ts';

export interface HttpAnswer extends OutboundAnswer {
  /** Whether the connection can carry another request: the server keeps it open, and no bytes followed the answer. */
  readonly isKept: boolean;
}

type State =
  | 'head'
  | 'fixed'
  | 'untilClose'
  | 'chunkSize'
  | 'chunkExtension'
  | 'chunkSizeLf'
  | 'chunk'
  | 'chunkCr'
  | 'chunkLf'
  | 'trailers';

const HEAD_END = Buffer.from('\r\n\r\n');
const BEGINNING = Buffer.from('HTTP/1.');
const CR = 0x0d;
const LF = 0x0a;
const SEMICOLON = 0x3b;
/** The largest number of digits of a chunk's size: up to 4 GiB, which is above every bound. */
const SIZE_DIGITS_MAX = 8;

export class HttpAnswerParser {
  readonly #bodyBytesMax: number;
  #state: State = 'head';
  #isAnswerToHead = false;
  /** The buffer for an incomplete block (head or trailers). It is allocated when a block first arrives in parts. */
  #block: Buffer | null = null;
  #blockBytes = 0;
  /** The text of the last complete block. */
  #text: string | null = null;
  /** The bytes that heads, trailers and chunk extensions of this answer may still have. */
  #headBytesLeft = 0;
  #head: AnswerHead | null = null;
  /** The body so far. Null if the body arrives in one piece. */
  #body: BodyBuffer | null = null;
  /** The bytes that are still missing of the body or the chunk. */
  #bytesLeft = 0;
  #sizeDigits = 0;

  constructor(bodyBytesMax: number) {
    this.#bodyBytesMax = bodyBytesMax;
  }

  /** States that a request was sent: the next bytes are its answer. */
  begin(isAnswerToHead: boolean): void {
    this.#isAnswerToHead = isAnswerToHead;
    this.#state = 'head';
    this.#blockBytes = 0;
    this.#headBytesLeft = limits.outboundHeadBytesMax;
    this.#head = null;
    this.#body = null;
  }

  /** Reads bytes. Returns null while the answer is incomplete. Do not call this again after a result. */
  push(bytes: Buffer): HttpAnswer | Malformed | null {
    let at = 0;
    while (at < bytes.length) {
      const next = this.#step(bytes, at);
      if (typeof next !== 'number') return next;
      at = next;
    }
    return null;
  }

  /** States that the other side has ended the stream. Returns the answer if its body ends with the stream, else null. */
  end(): HttpAnswer | null {
    return this.#state === 'untilClose' ? this.#answer(true) : null;
  }

  /** Reads at least one byte. Returns the new position in `bytes`, or the result. */
  #step(bytes: Buffer, at: number): number | HttpAnswer | Malformed {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes, at);
      case 'fixed':
      case 'chunk':
        return this.#readCounted(bytes, at);
      case 'untilClose':
        return this.#append(bytes.subarray(at)) ? bytes.length : this.#tooLong();
      case 'chunkSize':
        return this.#readChunkSize(bytes[at]!, at);
      case 'chunkExtension':
        return this.#readChunkExtension(bytes[at]!, at);
      case 'chunkSizeLf':
        if (bytes[at] !== LF) return malformed('a malformed chunk size');
        this.#endChunkSize();
        return at + 1;
      case 'chunkCr':
        return this.#expect(CR, 'chunkLf', bytes[at]!, at);
      case 'chunkLf':
        this.#beginChunkSize();
        return this.#expect(LF, 'chunkSize', bytes[at]!, at);
      case 'trailers':
        return this.#readTrailers(bytes, at);
      default:
        return this.#state satisfies never;
    }
  }

  #readHead(bytes: Buffer, at: number): number | HttpAnswer | Malformed {
    const end = this.#readBlock(bytes, at);
    if (typeof end !== 'number') return end;
    if (this.#text === null) return this.#beginsAsHttp() ? end : malformed('no HTTP/1.x status line');
    const head = readAnswerHead(this.#text, this.#isAnswerToHead);
    if (head.type === 'malformed') return head;
    // 100 Continue and 103 Early Hints precede the final answer.
    if (head.status < 200) return end;
    this.#head = head;
    return this.#beginBody(head, bytes, end);
  }

  #beginBody({ bodyEnd, bodyBytes }: AnswerHead, bytes: Buffer, at: number): number | HttpAnswer | Malformed {
    switch (bodyEnd) {
      case 'none':
        return this.#answer(at === bytes.length);
      case 'length':
        if (bodyBytes > this.#bodyBytesMax) return this.#tooLong();
        if (at + bodyBytes <= bytes.length) {
          const end = at + bodyBytes;
          return this.#answer(end === bytes.length, bytes.toString('utf8', at, end));
        }
        this.#state = 'fixed';
        this.#bytesLeft = bodyBytes;
        return at;
      case 'chunks':
        this.#beginChunkSize();
        this.#state = 'chunkSize';
        return at;
      case 'close':
        this.#state = 'untilClose';
        return at;
      default:
        return bodyEnd satisfies never;
    }
  }

  #readCounted(bytes: Buffer, at: number): number | HttpAnswer | Malformed {
    const end = Math.min(bytes.length, at + this.#bytesLeft);
    if (!this.#append(bytes.subarray(at, end))) return this.#tooLong();
    this.#bytesLeft -= end - at;
    if (this.#bytesLeft > 0) return end;
    if (this.#state === 'fixed') return this.#answer(end === bytes.length);
    this.#state = 'chunkCr';
    return end;
  }

  #beginChunkSize(): void {
    this.#bytesLeft = 0;
    this.#sizeDigits = 0;
  }

  #readChunkSize(byte: number, at: number): number | Malformed {
    const digit = hexDigit(byte);
    if (digit >= 0 && this.#sizeDigits < SIZE_DIGITS_MAX) {
      this.#sizeDigits += 1;
      this.#bytesLeft = this.#bytesLeft * 16 + digit;
      return at + 1;
    }
    if (this.#sizeDigits === 0 || (byte !== CR && byte !== SEMICOLON)) return malformed('a malformed chunk size');
    this.#state = byte === CR ? 'chunkSizeLf' : 'chunkExtension';
    return at + 1;
  }

  /** Skips a byte of a chunk extension. Extensions are counted and ignored. */
  #readChunkExtension(byte: number, at: number): number | Malformed {
    if (byte === CR) this.#state = 'chunkSizeLf';
    else if ((byte < 0x20 && byte !== 0x09) || byte === 0x7f) return malformed('a malformed chunk extension');
    this.#headBytesLeft -= 1;
    return this.#headBytesLeft < 0 ? headTooLong() : at + 1;
  }

  #endChunkSize(): void {
    this.#state = this.#bytesLeft === 0 ? 'trailers' : 'chunk';
    // Seed the block with the CRLF of the last chunk's line: an empty trailer block then ends like any other.
    if (this.#bytesLeft === 0) this.#keep(HEAD_END, 2);
  }

  #expect(byte: number, state: State, seen: number, at: number): number | Malformed {
    this.#state = state;
    return seen === byte ? at + 1 : malformed('a chunk longer than it said');
  }

  #readTrailers(bytes: Buffer, at: number): number | HttpAnswer | Malformed {
    const end = this.#readBlock(bytes, at);
    if (typeof end !== 'number' || this.#text === null) return end;
    return areFields(this.#text, 2) ? this.#answer(end === bytes.length) : malformed('a malformed trailer');
  }

  /** Puts a complete block, without its empty line, into `#text`, and returns the block's end in `bytes`. Keeps an incomplete block. */
  #readBlock(bytes: Buffer, at: number): number | Malformed {
    const found = this.#blockBytes === 0 ? bytes.indexOf(HEAD_END, at) : -1;
    if (found >= 0) return this.#endBlock(bytes.toString('latin1', at, found + 2), found + HEAD_END.length);
    const before = this.#blockBytes;
    const block = this.#keep(bytes.subarray(at), bytes.length - at);
    const foundInBlock = block.indexOf(HEAD_END, Math.max(0, before - HEAD_END.length + 1));
    if (foundInBlock >= 0) {
      return this.#endBlock(
        block.toString('latin1', 0, foundInBlock + 2),
        at + foundInBlock + HEAD_END.length - before,
      );
    }
    this.#text = null;
    return this.#blockBytes > this.#headBytesLeft ? headTooLong() : bytes.length;
  }

  #endBlock(text: string, end: number): number | Malformed {
    this.#text = text;
    this.#blockBytes = 0;
    this.#headBytesLeft -= text.length + 2;
    return this.#headBytesLeft < 0 ? headTooLong() : end;
  }

  /** Appends bytes to the block, up to one beyond the bound. Returns a view of the block. */
  #keep(bytes: Buffer, count: number): Buffer {
    this.#block ??= Buffer.allocUnsafe(limits.outboundHeadBytesMax + 1);
    this.#blockBytes += bytes.copy(this.#block, this.#blockBytes, 0, count);
    return this.#block.subarray(0, this.#blockBytes);
  }

  /** Whether the block begins like HTTP, so that a peer that speaks no HTTP is detected before the deadline. */
  #beginsAsHttp(): boolean {
    const count = Math.min(this.#blockBytes, BEGINNING.length);
    return BEGINNING.compare(this.#block!, 0, count, 0, count) === 0;
  }

  #append(bytes: Uint8Array): boolean {
    this.#body ??= new BodyBuffer(this.#bodyBytesMax);
    return this.#body.append(bytes);
  }

  #answer(isLastByte: boolean, body = textOf(this.#body)): HttpAnswer {
    const { status, headers, isKept } = this.#head!;
    return { type: 'answer', status, headers, body, isKept: isKept && isLastByte };
  }

  #tooLong(): Malformed {
    return malformed(`a body of more than ${this.#bodyBytesMax} bytes`);
  }
}

function textOf(body: BodyBuffer | null): string {
  if (body === null) return '';
  const { buffer, byteOffset, length } = body.view();
  return Buffer.from(buffer, byteOffset, length).toString();
}

function headTooLong(): Malformed {
  return malformed(`a head of more than ${limits.outboundHeadBytesMax} bytes (outboundHeadBytesMax)`);
}

/** Returns the value of a hex digit, or -1 if the byte is none. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
