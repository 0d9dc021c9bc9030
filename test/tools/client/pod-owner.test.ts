// A gateway that does not own the key's pod does nothing, and names the owner in SVC-Pod-Owner: the client follows.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBrowserStream } from '../../../src/tools/client/browser-stream.ts';
import { CrossbookClient } from '../../../src/tools/client/crossbook-client.ts';
import { createNodeClient, nodeSigner } from '../../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../../src/tools/client/node-stream.ts';
import type { OrderbookStream } from '../../../src/tools/client/orderbook-stream.ts';
import { namedOwner } from '../../../src/tools/client/request-sender.ts';
import { type Script, SignedServer } from './signed-server.ts';

const ORDER = { ticker: 'KX', side: 'YES', action: 'BUY', count: 1, priceCents: 50 } as const;
const PLACED: Script = { status: 201, body: { orderId: 'o-1', status: 'OPEN' } };
const elsewhere = (status: number, owner: string): Script => ({
  status,
  headers: { 'SVC-Pod-Owner': owner },
  body: { error: { code: 'INTERNAL_ERROR', message: 'another gateway owns the pod' } },
});

let asked: SignedServer;
let owner: SignedServer;
beforeEach(async () => {
  [asked, owner] = [await SignedServer.start(), await SignedServer.start()];
  owner.answer = () => PLACED;
  // The two servers have keys of their own, and the client signs with the owner's key.
  asked.takesAnyKey = true;
});
afterEach(() => Promise.all([asked.close(), owner.close()]));

describe.each([
  ['fetch', () => new CrossbookClient({ url: asked.url, signer: nodeSigner(owner) })],
  ['node:http', () => createNodeClient({ url: asked.url, signer: nodeSigner(owner) })],
])('over %s', (_name, makeClient) => {
  const submit = (client: CrossbookClient) => client.call('submitVenueBOrder', { body: ORDER, idempotencyKey: 'mine' });

  it('a submission is sent to the owner with its key, and later requests go there at once', async () => {
    asked.answer = () => elsewhere(503, owner.url);
    const client = makeClient();
    expect(await submit(client)).toMatchObject({ ok: true, value: { value: { orderId: 'o-1' } } });
    expect(await submit(client)).toMatchObject({ ok: true });
    expect([asked.heard.length, owner.heard.length]).toEqual([1, 2]);
    const [first, second] = [asked.heard[0]!, owner.heard[0]!];
    expect([second.body, second.header('idempotency-key')]).toEqual([first.body, first.header('idempotency-key')]);
    expect(second.isSigned).toBe(true);
  });

  it('a cancel and a read are sent to the owner, too', async () => {
    asked.answer = () => elsewhere(421, owner.url);
    const order = { path: { orderId: 'o-1' } };
    expect(await makeClient().call('cancelVenueBOrder', order)).toMatchObject({ ok: true });
    expect(await makeClient().call('getVenueBOrder', order)).toMatchObject({ ok: true });
    expect(owner.lines).toEqual(['DELETE /v1/venue-b/orders/o-1', 'GET /v1/venue-b/orders/o-1']);
  });

  it('an owner that is gone sends the client back to its own gateway', async () => {
    const gone = await SignedServer.start();
    const { url } = gone;
    await gone.close();
    const scripts = [elsewhere(503, url), elsewhere(503, owner.url)];
    asked.answer = () => scripts.shift()!;
    expect(await submit(makeClient())).toMatchObject({ ok: true });
    expect([asked.heard.length, owner.heard.length]).toEqual([2, 1]);
  });

  it('an answer that the owner lost is an unknown outcome', async () => {
    asked.answer = () => elsewhere(503, owner.url);
    owner.answer = () => ({ fault: 'drop' });
    expect(await submit(makeClient())).toMatchObject({ ok: false, error: { kind: 'unknown-outcome' } });
    expect([asked.heard.length, owner.heard.length]).toEqual([1, 1]);
  });

  it('gateways that send it round end with a refusal', async () => {
    asked.answer = () => elsewhere(503, owner.url);
    owner.answer = () => elsewhere(503, asked.url);
    expect(await submit(makeClient())).toMatchObject({ ok: false, error: { kind: 'refused', status: 503 } });
    expect(asked.heard.length + owner.heard.length).toBe(4);
  });

  it.each(['127.0.0.1:1', 'http://127.0.0.1:1/path', 'http://user@127.0.0.1:1', 'ftp://127.0.0.1', ''])(
    '%j is no owner',
    async text => {
      asked.answer = () => elsewhere(503, text);
      expect(await submit(makeClient())).toMatchObject({ ok: false, error: { kind: 'refused', status: 503 } });
      expect(asked.heard).toHaveLength(1);
    },
  );

  it('an answer of another status names no owner to follow', async () => {
    asked.answer = () => elsewhere(404, owner.url);
    expect(await submit(makeClient())).toMatchObject({ ok: false, error: { kind: 'refused', status: 404 } });
    expect(owner.heard).toEqual([]);
  });
});

describe('a stream', () => {
  const connected = (stream: OrderbookStream) =>
    new Promise<string>(resolve => stream.on('connection', (isUp, detail) => isUp && resolve(detail)));
  let stream: OrderbookStream | null = null;
  afterEach(() => stream?.close());

  it('of Node goes to the owner that the refusal names', async () => {
    asked.streamOwner = owner.url;
    stream = createNodeStream({ url: asked.streamUrl, signer: nodeSigner(owner) });
    stream.start();
    await connected(stream);
    expect(owner.heard.at(-1)).toMatchObject({ target: '/v1/orderbook', isSigned: true });
  });

  it('of Node asks its own gateway again, once the owner is gone', async () => {
    asked.streamOwner = owner.url;
    stream = createNodeStream({ url: asked.streamUrl, signer: nodeSigner(owner) });
    stream.start();
    await connected(stream);
    asked.streamOwner = null;
    const again = connected(stream);
    await owner.close();
    await again;
    expect(asked.lines.filter(line => line === 'GET /v1/orderbook')).toHaveLength(2);
    owner = await SignedServer.start();
  });

  it('with TLS goes to no owner without', async () => {
    expect(namedOwner({ status: 421, header: () => 'http://127.0.0.1:1' }, true)).toBe(null);
    expect(namedOwner({ status: 421, header: () => 'https://127.0.0.1:1' }, true)).toBe('https://127.0.0.1:1');
  });

  it('of a browser is opened where its ticket was made', async () => {
    asked.answer = () => elsewhere(421, owner.url);
    owner.answer = () => {
      owner.tickets.add('t-1');
      return { status: 201, body: { ticket: 't-1', expiresAt: '' } };
    };
    stream = createBrowserStream({ client: new CrossbookClient({ url: asked.url, signer: nodeSigner(owner) }) });
    stream.start();
    await connected(stream);
    expect(owner.lines).toEqual(['POST /v1/orderbook/ticket', 'GET /v1/orderbook?ticket=t-1']);
  });
});
