// `crossbook call` sends one request to the gateway, signed with a key file, and prints the answer as JSON. It is meant for trials and
// scripts, and sends the body unchanged.

import { readFileSync } from 'node:fs';
import { wordsOf } from '../../core/domain/error-words.ts';
import { parseJson } from '../../core/domain/json.ts';
import { OPERATIONS } from '../../core/generated/api-types.ts';
import { limits } from '../../limits.ts';
import { nodeSigner, nodeTransport } from '../client/node-client.ts';
import { type Auth, RequestSender, type WireAnswer } from '../client/request-sender.ts';
import { asSent, hasItemKeys, ServerClock } from '../client/signer.ts';
import { UuidV7Source } from '../client/uuid-v7.ts';
import { type Arguments, type CommandIo, readArguments, runCommand, UsageError } from './command-io.ts';
import {
  addressOf,
  apiKeyOf,
  NOTHING_SENT,
  REQUEST_OPTIONS,
  readIdempotencyKey,
  readNotAfter,
  signingKeyOf,
  WHERE_USAGE,
} from './gateway-request.ts';

export const CALL_USAGE = `  call METHOD PATH [--body JSON|@FILE] [--idempotency-key KEY] [--not-after-ms UNIXMILLIS]
       [--key FILE] [--api-key FILE] [--data-dir DIR] [--url URL | --unix PATH] [--verbose]
      sends one request and prints the answer; exit code 0 on 2xx, else 1
      --key      what it is signed with, default DIR/demo/key.json; DIR is CROSSBOOK_DATA_DIR, else ./data
      --api-key  for the older paths, default DIR/demo/api-key.txt
${WHERE_USAGE}      --verbose  status, request id and idempotency key on stderr

    crossbook call GET '/v1/markets?executable=true'
    crossbook call POST /v1/venue-b/orders --body @order.json --verbose
`;

const OPTIONS = ['body', 'api-key', ...REQUEST_OPTIONS];

export async function callCommand(args: readonly string[], io: CommandIo): Promise<number> {
  let isSuccess = false;
  const exitCode = await runCommand(io, async () => {
    isSuccess = await call(
      readArguments(args, { options: OPTIONS, flags: ['verbose'], positionals: ['METHOD', 'PATH'] }),
      io,
    );
  });
  return exitCode === 0 && !isSuccess ? 1 : exitCode;
}

async function call(args: Arguments, io: CommandIo): Promise<boolean> {
  const request = readRequest(args);
  const { method, target, idempotencyKey } = request;
  const sender = new RequestSender({ ...credentialsOf(request.auth, target, args, io), ...peerOf(args, io) });
  const outcome = await sender.send({ ...request, timeoutMs: limits.clientAnswerTimeoutMs });
  if (!outcome.ok) {
    const { isUnsent, message } = outcome.error;
    if (isUnsent) throw new Error(`${message}; ${NOTHING_SENT}`);
    const advice = `; it may have taken effect, repeat it with --idempotency-key ${idempotencyKey}`;
    throw new Error(`${message}${method === 'GET' ? '' : advice}`);
  }
  if (args.has('verbose')) io.err(headOf(outcome.value, idempotencyKey));
  const text = outcome.value.text ?? 'an answer too long to be read';
  const value = parseJson(text);
  io.out(value === undefined ? `${text.trimEnd()}\n` : `${JSON.stringify(value, null, 2)}\n`);
  return outcome.value.status >= 200 && outcome.value.status < 300;
}

function readRequest(args: Arguments) {
  const [method = '', path = ''] = args.positionals;
  if (!/^[a-z]+$/i.test(method)) throw new UsageError('METHOD: must be GET, POST or DELETE');
  if (!path.startsWith('/')) throw new UsageError('PATH: must start with /');
  const [upper, target] = [method.toUpperCase(), asSent(path)];
  const newKey = upper === 'GET' || hasItemKeys(upper, target) ? '' : new UuidV7Source(Date.now).next();
  return {
    method: upper,
    target,
    body: bodyOf(args.one('body')),
    idempotencyKey: readIdempotencyKey(args) ?? newKey,
    notAfterMillis: readNotAfter(args) ?? null,
    auth: authOf(upper, target),
  };
}

function bodyOf(text: string | undefined): Uint8Array<ArrayBuffer> {
  if (text === undefined || !text.startsWith('@')) return new TextEncoder().encode(text ?? '');
  try {
    return new Uint8Array(readFileSync(text.slice(1)));
  } catch (error) {
    throw new UsageError(`--body: ${wordsOf(error)}`);
  }
}

/**
 * How the contract authenticates a request for the path. Operational paths need no key. A request for an unknown path is signed, and gets
 * its 404.
 */
function authOf(method: string, target: string): Auth {
  const [path = ''] = target.split('?');
  if (!path.startsWith('/v1/')) return 'open';
  const matches = (template: string): boolean => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  return Object.values(OPERATIONS).find(it => it.method === method && matches(it.path))?.auth ?? 'signed';
}

function credentialsOf(auth: Auth, target: string, args: Arguments, io: CommandIo) {
  const [unused, wanted] = auth === 'apiKey' ? ['key', 'an API key'] : ['api-key', 'a signing key'];
  if (args.one(unused) !== undefined && auth !== 'open') {
    throw new UsageError(`--${unused}: ${target} is asked for with ${wanted}`);
  }
  return {
    signer: auth === 'signed' ? nodeSigner(signingKeyOf(args, io)) : null,
    apiKey: auth === 'apiKey' ? apiKeyOf(args, io) : null,
  };
}

function peerOf(args: Arguments, io: CommandIo) {
  const address = addressOf(args, io);
  return {
    transport: nodeTransport(address),
    clock: new ServerClock(),
    needsTls: address.url.startsWith('https:'),
  };
}

function headOf(answer: WireAnswer, idempotencyKey: string): string {
  const parts = [`HTTP ${answer.status}`, `request ${answer.header('svc-request-id')}`];
  if (idempotencyKey !== '') parts.push(`idempotency key ${idempotencyKey}`);
  if (answer.header('idempotency-replayed') === 'true') parts.push('replayed');
  return `${parts.join('  ')}\n`;
}
