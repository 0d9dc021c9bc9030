// The least that any gateway must do with an order to venue B, on one thread of its own process. It takes the order from bare
// uWebSockets.js, checks the caller's signature, and signs for the venue. It sends the order over our outbound pool, appends request and
// outcome to a file, and answers. Each step uses the gateway's own function. It has no store, idempotency, limits or stream, and
// validates nothing: everything that makes a gateway useful is left out.

import '../../src/core/runtime/v8-flags.ts';
import { App, type HttpRequest, us_socket_local_port } from 'uWebSockets.js';
import { hash } from 'node:crypto';
import { fdatasync, openSync, writeSync } from 'node:fs';
import { canonicalString, SIGNING_HEADERS, type SignedParts } from '../../src/core/auth/canonical.ts';
import { readSignature } from '../../src/core/auth/check.ts';
import { verifySignature } from '../../src/core/auth/ed25519.ts';
import { isObject, parseJson, textOf } from '../../src/core/domain/json.ts';
import type { VenueBTradingAccount } from '../../src/core/domain/pod-accounts.ts';
import type { OutboundOutcome } from '../../src/core/net/outbound.ts';
import { HttpOutboundPool } from '../../src/core/net/outbound-pool.ts';
import { limits } from '../../src/limits.ts';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import type { LeastGatewayStart, LeastGatewayStarted } from '../load/order-messages.ts';
import { answerParent } from '../load/process-answers.ts';

const ORDERS = '/portfolio/events/orders';
const VENUE_TIMEOUT_MS = 5_000;
const CREATED = '201 Created';
const UNAUTHORIZED = '401 Unauthorized';
const BAD_GATEWAY = '502 Bad Gateway';
/** The records before an order is sent and before it is answered. Each is as long as the journal's record. */
const INTENT = Buffer.alloc(1_400, 'i');
const OUTCOME = Buffer.alloc(900, 'o');

/** An order as received. uWebSockets.js drops its buffer when the handler returns. */
interface Taken {
  readonly parts: SignedParts;
  readonly signature: string;
  readonly body: Buffer;
}

interface Answer {
  readonly status: string;
  readonly body: string;
}

process.once('message', ({ account, publicKeyHex, journalFile, step }: LeastGatewayStart) => {
  const send = openVenue(account);
  const isAccepted = step === 'forward' ? () => true : (order: Taken) => isSigned(order, publicKeyHex);
  const append = step === 'journal' ? openJournal(journalFile) : () => {};

  async function answerTo(order: Taken): Promise<Answer> {
    if (!isAccepted(order)) return { status: UNAUTHORIZED, body: 'the signature is wrong' };
    const body = venueOrder(order);
    append(INTENT);
    const made = madeBy(await send(body));
    append(OUTCOME);
    return made;
  }

  const app = App();
  app.post('/*', (response, request) => {
    const [parts, signature] = [partsOf(request), request.getHeader(SIGNING_HEADERS.signature)];
    response.onAborted(() => {});
    response.onData(async (chunk, isLast) => {
      if (!isLast) throw new Error('an order in pieces');
      const { status, body } = await answerTo({ parts, signature, body: Buffer.from(chunk.slice(0)) });
      response.cork(() => response.writeStatus(status).writeHeader('Content-Type', 'application/json').end(body));
    });
  });
  app.listen('127.0.0.1', 0, token => {
    if (token === false) throw new Error('cannot listen');
    process.send?.({ port: us_socket_local_port(token), pid: process.pid } satisfies LeastGatewayStarted);
    answerParent();
  });
});

function partsOf(request: HttpRequest): SignedParts {
  return {
    method: 'POST',
    target: request.getUrl(),
    timestamp: request.getHeader(SIGNING_HEADERS.timestamp),
    contentSha256: request.getHeader(SIGNING_HEADERS.contentSha256),
    idempotencyKey: request.getHeader(SIGNING_HEADERS.idempotencyKey),
    notAfter: request.getHeader(SIGNING_HEADERS.notAfter),
  };
}

function isSigned({ parts, signature: text, body }: Taken, publicKeyHex: string): boolean {
  if (hash('sha256', body) !== parts.contentSha256) return false;
  const signature = readSignature(text);
  return signature !== null && verifySignature({ publicKeyHex, message: canonicalString(parts), signature });
}

/** Returns the callers' orders, which are all alike, in the venue's form. */
function venueOrder({ parts: { idempotencyKey }, body }: Taken): string {
  const order = parseJson(body.toString());
  if (!isObject(order)) throw new Error('no order');
  return JSON.stringify({
    ticker: order.ticker,
    client_order_id: idempotencyKey,
    side: 'bid',
    count: `${order.count}.00`,
    price: `0.0${order.priceCents}00`,
    time_in_force: 'good_till_canceled',
    self_trade_prevention_type: 'taker_at_cross',
  });
}

function openVenue({
  restUrl,
  keyId,
  privateKeyPem,
}: VenueBTradingAccount): (body: string) => Promise<OutboundOutcome> {
  const sign = createVenueBSigner(keyId, privateKeyPem);
  const url = new URL(restUrl + ORDERS);
  const pool = new HttpOutboundPool({
    origin: url.origin,
    connectionsMax: limits.orderConnectionsMax,
    idleMs: limits.orderConnectionIdleMs,
    answerBytesMax: limits.upstreamRestBodyBytesMax,
  });
  return body => {
    const headers = { ...sign('POST', url.href, Date.now()), 'Content-Type': 'application/json' };
    return pool.request({ method: 'POST', target: url.pathname, headers, body }, VENUE_TIMEOUT_MS);
  };
}

function madeBy(outcome: OutboundOutcome): Answer {
  if (outcome.type !== 'answer') return { status: BAD_GATEWAY, body: outcome.message };
  const text = outcome.body;
  const made = parseJson(text);
  const orderId = isObject(made) ? textOf(made.order_id) : '';
  if (outcome.status !== 201 || orderId === '') return { status: BAD_GATEWAY, body: text };
  return { status: CREATED, body: JSON.stringify({ orderId, status: 'OPEN' }) };
}

/** Opens a file to which each record is appended at once. The file is synced soon afterwards, and no caller waits for it (`process-safe`). */
function openJournal(file: string): (record: Buffer) => void {
  const descriptor = openSync(file, 'a');
  let isSyncDue = false;
  const sync = (): void => {
    isSyncDue = false;
    fdatasync(descriptor, error => {
      if (error !== null) throw error;
    });
  };
  return record => {
    writeSync(descriptor, record);
    if (isSyncDue) return;
    isSyncDue = true;
    setTimeout(sync, limits.storeSyncDelayMs);
  };
}
