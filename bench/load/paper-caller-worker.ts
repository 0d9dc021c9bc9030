// One caller of venue B's paper exchange on one connection: resting orders, each answered before the next is sent. Signed
// before timing: the venue signs no bodies (venue-b.md §2), so only the client order id differs.

import { parentPort, workerData } from 'node:worker_threads';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';
import { monotonicMs } from './clock.ts';
import { HttpConnection } from './http-connection.ts';
import { Latencies } from './latencies.ts';
import { type LoadAnswer, ORDERS_PATH, type OrdersRequest, type PaperCallerData } from './messages.ts';

const ID_DIGITS = 12;

const { keyId, privateKeyPem, ticker } = workerData as PaperCallerData;
const sign = createVenueBSigner(keyId, privateKeyPem);
let lastId = 0;

/** Returns a request, and the offset of the digits in its client order id. */
function template(): { readonly bytes: Buffer; readonly idAt: number } {
  const body = JSON.stringify({
    ticker,
    client_order_id: '0'.repeat(ID_DIGITS),
    side: 'bid',
    count: '1.00',
    price: '0.0100',
    time_in_force: 'good_till_canceled',
    self_trade_prevention_type: 'taker_at_cross',
  });
  const headers = {
    Host: '127.0.0.1',
    ...sign('POST', `http://127.0.0.1${ORDERS_PATH}`, Date.now()),
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = Buffer.from(`POST ${ORDERS_PATH} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return { bytes, idAt: bytes.indexOf('0'.repeat(ID_DIGITS)) };
}

async function run({ port, count }: OrdersRequest): Promise<LoadAnswer> {
  const { bytes, idAt } = template();
  const latencies = new Latencies();
  let answered: () => void = () => {};
  const connection = await HttpConnection.open(port, {
    onAnswer: (status, answer) => {
      if (status !== 201) throw new Error(`not 201: ${answer.toString('latin1')}`);
      answered();
    },
    onClose: detail => {
      throw new Error(`the caller was disconnected: ${detail}`);
    },
  });
  const startMs = monotonicMs();
  await new Promise<void>(resolve => {
    let sentMs = 0;
    const send = (): void => {
      lastId += 1;
      bytes.write(String(lastId).padStart(ID_DIGITS, '0'), idAt, 'latin1');
      sentMs = monotonicMs();
      connection.send(bytes);
    };
    answered = () => {
      latencies.add((monotonicMs() - sentMs) * 1_000);
      if (latencies.count < count) send();
      else resolve();
    };
    send();
  });
  connection.close();
  return { count, elapsedMs: monotonicMs() - startMs, latencies: latencies.toCounts() };
}

parentPort!.on('message', async (request: OrdersRequest) => {
  parentPort!.postMessage(await run(request));
});
