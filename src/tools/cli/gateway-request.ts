// The common arguments of commands that send requests to a gateway: its address, an idempotency key, a deadline, and secrets to sign with.
// The secrets are in files that `crossbook keys create`, `crossbook api-keys create` and the first start have made. A file that others may
// read is refused, because its readers could trade. No message shows its content. Other commands reach the gateway by the control socket in
// its data directory.

import { createConnection } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isObject, parseJson, textOf } from '../../core/domain/json.ts';
import { VENUES, type Venue, venueNamed } from '../../core/domain/market.ts';
import { readPrivateFile } from '../../core/runtime/private-file.ts';
import { CONTROL_SOCKET, type ControlAnswer, type ControlRequest } from '../../core/wire/control.ts';
import { limits } from '../../limits.ts';
import type { SigningKeyPair } from '../client/signer.ts';
import { type Arguments, type CommandIo, dataDirOf, localOrigin, UsageError } from './command-io.ts';

/** The options for the gateway's address and the caller's key. */
export const ADDRESS_OPTIONS = ['key', 'data-dir', 'url', 'unix'];
export const REQUEST_OPTIONS = ['idempotency-key', 'not-after-ms', ...ADDRESS_OPTIONS];
export const WHERE_USAGE = `      --url      the gateway, default http://127.0.0.1:8080, or by its CROSSBOOK_HOST, CROSSBOOK_PORT and CROSSBOOK_TLS_CERT_FILE
      --unix     its Unix domain socket instead
`;
/** The lines of help for ADDRESS_OPTIONS. */
export const GATEWAY_USAGE = `      --key      what requests are signed with, default DIR/demo/key.json; DIR is CROSSBOOK_DATA_DIR, else ./data
${WHERE_USAGE}`;
export const NOTHING_SENT = 'nothing was sent. Does the gateway run there (--url, CROSSBOOK_PORT)?';

/** The value of `--count`: the number of rows of a list. */
export function countIn(args: Arguments, standard: number): number {
  const count = args.one('count') ?? String(standard);
  if (/^[1-9]\d{0,2}$/.test(count) && Number(count) <= limits.pageRowsMax) return Number(count);
  throw new UsageError(`--count: must be a whole number from 1 to ${limits.pageRowsMax}`);
}

export function readVenue(argument: string, text: string): Venue {
  const venue = venueNamed(text, VENUES);
  if (venue === undefined) throw new UsageError(`${argument}: must be ${VENUES.join(' or ')}`);
  return venue;
}

interface GatewayAddress {
  /** The origin of the gateway. */
  readonly url: string;
  readonly socketPath?: string;
}

/** The address in `--url` or `--unix`. Without these options it is the gateway of this machine with our settings. */
export function addressOf(args: Arguments, io: CommandIo): GatewayAddress {
  const [url, socketPath] = [args.one('url'), args.one('unix')];
  if (url !== undefined && socketPath !== undefined)
    throw new UsageError('--unix: must not be given together with --url');
  if (url !== undefined && !isOrigin(url)) throw new UsageError('--url: must be http://HOST:PORT or https://HOST:PORT');
  return { url: url ?? localOrigin(io), ...(socketPath === undefined ? {} : { socketPath }) };
}

function isOrigin(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.pathname + parsed.search + parsed.hash === '/';
}

export function readIdempotencyKey(args: Arguments): string | undefined {
  const text = args.one('idempotency-key');
  if (text === undefined || /^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new UsageError('--idempotency-key: must be 1 to 255 visible ASCII characters');
}

/** The deadline in Unix milliseconds. Returns undefined if the caller sets no deadline. */
export function readNotAfter(args: Arguments): number | undefined {
  const text = args.one('not-after-ms');
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError('--not-after-ms: must be Unix milliseconds');
  return Number(text);
}

const FILE_BYTES_MAX = 4_096;

/** Reads the signing key from the file in `--key`, or else from the demo identity's file: JSON `{keyId, seedHex}`. */
export function signingKeyOf(args: Arguments, io: CommandIo): SigningKeyPair {
  const path = args.one('key') ?? join(dataDirOf(args, io), 'demo', 'key.json');
  const value = parseJson(readSecret('key', path, 'crossbook keys create'));
  const [keyId, seedHex] = isObject(value) ? [textOf(value.keyId), textOf(value.seedHex)] : ['', ''];
  if (!/^[\x21-\x7e]+$/.test(keyId) || !/^[0-9a-f]{64}$/i.test(seedHex)) {
    throw new UsageError(`--key: ${path} must hold JSON {"keyId", "seedHex"}, the seed as 64 hex digits`);
  }
  return { keyId, seedHex };
}

/** Reads the API key from the file in `--api-key`, or else from the demo identity's file: one line. */
export function apiKeyOf(args: Arguments, io: CommandIo): string {
  const path = args.one('api-key') ?? join(dataDirOf(args, io), 'demo', 'api-key.txt');
  const text = readSecret('api-key', path, 'crossbook api-keys create').trim();
  if (!/^[\x21-\x7e]+$/.test(text)) throw new UsageError(`--api-key: ${path} must hold one API key`);
  return text;
}

function readSecret(option: string, path: string, maker: string): string {
  const secret = readPrivateFile(path, FILE_BYTES_MAX);
  if (secret.ok) return secret.value;
  const { isMissing, words } = secret.error;
  if (!isMissing) throw new UsageError(`--${option}: ${path} ${words}`);
  throw new UsageError(`--${option}: there is no ${path}; the gateway's first start makes one, and so does ${maker}`);
}

/** How long a command waits for an answer. It is longer than a stop waits for its cancels. */
const ANSWER_MS = 20_000;

type Done = Extract<ControlAnswer, { type: 'done' }>;

/** The error of a request to a data directory without a gateway. */
export class NoGatewayError extends Error {
  override readonly name = 'NoGatewayError';
}

/**
 * Sends a request to the control socket. Rejects with a UsageError for a wrong request, and with a NoGatewayError if no gateway runs. If
 * the gateway does not answer, it rejects with another error for the operator.
 */
export async function askGateway(dataDir: string, request: ControlRequest): Promise<Done> {
  const path = join(dataDir, CONTROL_SOCKET);
  const socket = createConnection({ path });
  socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error(`no answer within ${ANSWER_MS} ms`)));
  socket.end(`${JSON.stringify(request)}\n`);
  const line = await text(socket).catch((error: NodeJS.ErrnoException) => {
    throw unanswered(path, error);
  });
  const answer = parseJson(line) as ControlAnswer | undefined;
  if (!isObject(answer)) throw new Error(`${path}: the gateway has ended before its answer`);
  if (answer.type === 'done') return answer;
  throw answer.type === 'usage' ? new UsageError(answer.message) : new Error(answer.message);
}

function unanswered(path: string, { code, message }: NodeJS.ErrnoException): Error {
  if (code === 'ENOENT' || code === 'ECONNREFUSED') {
    const words = `no gateway runs with this data directory: nobody listens on ${path}`;
    return new NoGatewayError(`${words} (--data-dir, CROSSBOOK_DATA_DIR)`);
  }
  if (code === 'EACCES') return new Error(`${path} belongs to another user: run this as the user of the gateway`);
  return new Error(`${path}: ${message}`);
}
