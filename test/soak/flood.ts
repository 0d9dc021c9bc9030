// Invalid requests, sent as fast as they are answered: unknown keys, wrong signatures, bodies that are not JSON, paths that do not exist. Each
// request is different, so that the growth shows if a memory keeps any part of them.

import { send, signedHeaders } from '../support/signed-requests.ts';
import type { Actor } from './gateway-process.ts';

const TARGETS = ['/v1/venue-b/orders', '/v1/venue-a/orders', '/v1/nothing/', '/v1/markets?q=', '/v1/orderbook'];
const AT_ONCE = 50;
const BODY_BYTES_MAX = 3_000;

/** Returns the count of each status; 0 means a connection that ended without an answer. */
export async function flood(url: string, { key }: Actor, requests: number): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  let sent = 0;
  const sendAll = async (): Promise<void> => {
    while (sent < requests) {
      sent += 1;
      const status = await sendOne(url, key, sent);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendAll));
  return counts;
}

async function sendOne(url: string, key: Actor['key'], number: number): Promise<number> {
  const base = TARGETS[number % TARGETS.length]!;
  const target = /[=/]$/.test(base) ? `${base}${number}` : base;
  const method = number % 2 === 0 ? 'GET' : 'POST';
  const body = `{"number": ${number}, "text": "${'z'.repeat(number % BODY_BYTES_MAX)}`;
  const keyId = number % 3 === 0 ? key.keyId : `key_${number}`;
  const headers = {
    ...signedHeaders(key, method, '/v1/elsewhere', { idempotencyKey: `${number}` }),
    'SVC-Key-Id': keyId,
  };
  const sending = { method, headers, ...(method === 'POST' ? { body } : {}) };
  return send(url + target, sending).then(
    ({ status }) => status,
    () => 0,
  );
}
