// The common arguments of commands that send requests to a gateway: its address, an idempotency key, and a deadline.

import { type Arguments, type CommandIo, localOrigin, UsageError } from './command-io.ts';

/** Address of the gateway, and key of the caller. */
export const ADDRESS_OPTIONS = ['key', 'data-dir', 'url', 'unix'];
export const REQUEST_OPTIONS = ['idempotency-key', 'not-after-ms', ...ADDRESS_OPTIONS];
export const WHERE_USAGE = `      --url      the gateway, default http://127.0.0.1:8080, or by its CROSSBOOK_HOST, CROSSBOOK_PORT and CROSSBOOK_TLS_CERT_FILE
      --unix     its Unix domain socket instead
`;
export const NOTHING_SENT = 'nothing was sent. Does the gateway run there (--url, CROSSBOOK_PORT)?';

interface GatewayAddress {
  /** Origin. */
  readonly url: string;
  readonly socketPath?: string;
}

/** By `--url` or `--unix`; else the gateway of this machine that has our settings. */
export function addressOf(args: Arguments, io: CommandIo): GatewayAddress {
  const [url, socketPath] = [args.one('url'), args.one('unix')];
  if (url !== undefined && socketPath !== undefined) throw new UsageError('--unix: instead of --url, not beside it');
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

/** Unix milliseconds; undefined: no deadline of the caller's. */
export function readNotAfter(args: Arguments): number | undefined {
  const text = args.one('not-after-ms');
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError('--not-after-ms: must be Unix milliseconds');
  return Number(text);
}
