// The REST client for bots on Node: over node:http, TLS or the gateway's Unix domain socket, with a signer of node:crypto.

import { createHash, createPrivateKey, sign } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { assert, fail, ok, type Result } from '../../core/domain/result.ts';
import { Agent, request } from '../../core/net/node-http.ts';
import { limits } from '../../limits.ts';
import { CrossbookClient, type CrossbookClientOptions } from './crossbook-client.ts';
import type { NoAnswer, Transport, WireAnswer, WireRequest } from './request-sender.ts';
import type { Signer, SigningKeyPair } from './signer.ts';

export interface NodeClientOptions extends Omit<CrossbookClientOptions, 'transport'> {
  /** The path of the gateway's Unix domain socket. It replaces the host and port of `url`. */
  readonly socketPath?: string;
}

export function createNodeClient({ socketPath, ...options }: NodeClientOptions): CrossbookClient {
  const transport = nodeTransport({ url: options.url, ...(socketPath === undefined ? {} : { socketPath }) });
  return new CrossbookClient({ ...options, transport });
}

export interface NodeTransportOptions {
  /** The origin of the gateway. */
  readonly url: string;
  /** The path of the gateway's Unix domain socket, which never has TLS. It replaces the host and port of `url`. */
  readonly socketPath?: string;
}

type Outcome = Result<WireAnswer, NoAnswer>;

export function nodeTransport(options: NodeTransportOptions): Transport {
  const own = transportTo(options);
  const owners = new Map<string, Transport>();
  return request => {
    const { owner } = request;
    if (owner === null) return own(request);
    const transport = owners.get(owner) ?? transportTo({ url: owner });
    owners.set(owner, transport);
    return transport(request);
  };
}

/** The transport to one gateway. */
function transportTo({ url, socketPath }: NodeTransportOptions): Transport {
  const { protocol, hostname, port } = new URL(url);
  const isTls = socketPath === undefined && protocol === 'https:';
  const agentOptions = { keepAlive: true, timeout: limits.clientIdleSocketMs, maxSockets: limits.clientSocketsMax };
  const agent = isTls ? new TlsAgent(agentOptions) : new Agent(agentOptions);
  // `hostname` has brackets around an IPv6 address. A socket takes the address without brackets.
  const host = hostname.replace(/^\[|\]$/g, '');
  const peer = socketPath === undefined ? { host, ...(port === '' ? {} : { port }) } : { socketPath };
  const open = isTls ? tlsRequest : request;
  return ({ method, target, headers, body, timeoutMs }: WireRequest): Promise<Outcome> => {
    const length = body.length === 0 ? {} : { 'Content-Length': body.length };
    const outgoing = open({ ...peer, agent, method, path: target, headers: { ...headers, ...length } });
    const outcome = outcomeOf(outgoing, timeoutMs);
    outgoing.end(body);
    return outcome;
  };
}

function outcomeOf(outgoing: ClientRequest, timeoutMs: number): Promise<Outcome> {
  return new Promise(resolve => {
    let isUnsent = true;
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const timer = setTimeout(() => {
      settle(fail({ isUnsent, message: `no answer within ${timeoutMs} ms` }));
      outgoing.destroy();
    }, timeoutMs);
    outgoing.on('socket', socket => {
      const mark = (): void => {
        isUnsent = false;
      };
      if (!socket.connecting) mark();
      else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', mark);
    });
    outgoing.on('error', error => settle(fail({ isUnsent, message: wordsOf(error) })));
    outgoing.on('response', answer => readAnswer(answer, settle));
  });
}

function readAnswer(answer: IncomingMessage, settle: (outcome: Outcome) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const finish = (text: string | null): void => {
    const { statusCode = 0, headersDistinct } = answer;
    settle(ok({ status: statusCode, header: name => headersDistinct[name]?.join(', ') ?? '', text }));
  };
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limits.clientAnswerBytesMax) {
      chunks.push(chunk);
      return;
    }
    finish(null);
    answer.destroy();
  });
  answer.on('end', () => finish(Buffer.concat(chunks).toString()));
  answer.on('error', error => settle(fail({ isUnsent: false, message: wordsOf(error) })));
}

/** The words for a network error. If several addresses failed, the error's message is empty, but its code is set. */
function wordsOf(error: NodeJS.ErrnoException): string {
  return error.message || error.code || error.name;
}

/** The DER prefix of RFC 8410 §7, which precedes the 32 bytes of an Ed25519 private key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export function nodeSigner({ keyId, seedHex }: SigningKeyPair): Signer {
  assert(/^[0-9a-f]{64}$/i.test(seedHex), 'an Ed25519 seed is 32 bytes in hex');
  const der = Buffer.concat([PKCS8_PREFIX, Buffer.from(seedHex, 'hex')]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return {
    keyId,
    sign: message => sign(null, message, key),
    sha256Hex: bytes => createHash('sha256').update(bytes).digest('hex'),
  };
}
