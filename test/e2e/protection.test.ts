// Market-maker protection through the whole gateway: over REST, on the stream in both forms, and in the metrics. Also over kill -9, on processes of
// its own.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonCodec } from '../../src/core/wire/json.ts';
import type { ProtectionMessage } from '../../src/core/wire/messages.ts';
import type { ProtectionView } from '../../src/core/wire/order-views.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { statusCommand } from '../../src/tools/cli/status.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker } from '../support/paper-traders.ts';
import type { Answer } from '../support/signed-requests.ts';
import { CommandRig } from '../tools/cli/command-rig.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

const PROTECTION = '/v1/orders/protection';
const JSON_HEADERS = { 'Content-Type': 'application/json' };

describe('over REST and on the stream', () => {
  let rig: OrdersRig;
  let ticker: string;
  const commands = new CommandRig();
  beforeAll(async () => {
    rig = await OrdersRig.shared('venue-b');
    ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
  });
  afterAll(async () => {
    commands.remove();
    await rig.close();
  });

  const call = (method: string, path: string, body?: object): Promise<Answer> => {
    // The idempotency key is new, so that two equal requests within a second are two requests.
    const idempotencyKey = method === 'GET' ? '' : randomUUID();
    const sending = body === undefined ? {} : { body: JSON.stringify(body), headers: JSON_HEADERS };
    return rig.call(method, path, { ...sending, idempotencyKey });
  };
  const listed = async () =>
    ((await call('GET', PROTECTION)).json as { readonly protections: readonly ProtectionView[] }).protections;
  const order = (priceCents: number) => ({ ticker, side: 'YES', action: 'BUY', count: 2, priceCents });

  it.each([jsonCodec, protobufCodec])(
    'over $subprotocol a client hears of it, and what rests is cancelled',
    async codec => {
      const heard: ProtectionMessage[] = [];
      const follow = () => {
        const { url, key } = rig.gateway;
        const stream = createNodeStream({ url, codec, signer: nodeSigner(key) });
        stream.on('protection', message => heard.push(message));
        stream.subscribeOrders({});
        stream.start();
        return stream;
      };
      const stream = follow();
      await eventually(() => expect(stream.orderCursor).not.toBeNull());
      const set = await call('POST', PROTECTION, {
        venue: 'venue_b',
        address: ticker,
        sharesMax: '1',
        windowMs: 60_000,
      });
      expect(set.json).toMatchObject({ address: ticker, sharesMax: '1', fillsMax: null, state: 'ARMED', fills: 0 });
      const resting = orderIdOf(await rig.submit(order(1)));
      await rig.submit(order(99));
      expect(await rig.settled(resting)).toMatchObject({ status: 'CANCELLED', cancelReason: 'PROTECTION' });
      const refused = await rig.submit(order(1));
      expect([refused.status, errorOf(refused).message]).toEqual([
        503,
        expect.stringMatching(
          /^the protection of venue_b .+ is triggered, and must be reset first .+: nothing was sent$/,
        ),
      ]);
      expect(await listed()).toMatchObject([{ state: 'TRIGGERED', shares: '2' }]);
      await eventually(() => expect(heard.map(({ event }) => event)).toEqual(['SET', 'TRIGGERED']));
      const metrics = await (await fetch(`${rig.gateway.httpUrl}/metrics`)).text();
      expect(metrics).toMatch(/^crossbook_protections_triggered 1$/m);
      expect(metrics).toMatch(/^crossbook_protections_triggered_total\{venue="venue_b"\} [1-9]/m);
      const shown = await commands.run((args, io) => statusCommand(args, io, false), '--data-dir', rig.gateway.dataDir);
      expect(shown.out).toContain('\nnot well: 1 protections are triggered: ');
      // A client that connects later hears of the protection, too.
      heard.splice(0);
      const again = follow();
      await eventually(() => expect(heard).toMatchObject([{ event: 'TRIGGERED', protection: { state: 'TRIGGERED' } }]));
      again.close();
      const reset = await call('POST', `${PROTECTION}/reset`, { venue: 'venue_b', address: ticker });
      expect(reset.json).toMatchObject({ state: 'ARMED', fills: 0, triggeredAt: null });
      expect((await rig.submit(order(1))).status).toBe(201);
      const ended = await call('DELETE', `${PROTECTION}?venue=venue_b&address=${ticker}`);
      expect([ended.status, await listed()]).toEqual([200, []]);
      await eventually(() => expect(heard.map(({ event }) => event)).toEqual(['TRIGGERED', 'RESET', 'ENDED']));
      stream.close();
      await rig.cancelAll('', codec.isBinary ? 1 : 2);
    },
  );

  it.each([
    [{ windowMs: 1_000, fillsMax: 1 }, 'venue: '],
    [{ venue: 'venue_b', windowMs: 1_000 }, 'fillsMax: exactly one'],
    [{ venue: 'venue_b', windowMs: 1_000, fillsMax: 1, sharesMax: '1' }, 'fillsMax: exactly one'],
    [{ venue: 'venue_b', windowMs: 99, fillsMax: 1 }, 'windowMs: must be an integer from 100'],
    [{ venue: 'venue_b', windowMs: 1_000, fillsMax: 1_001 }, 'fillsMax: must be an integer from 0 to 1000'],
    [{ venue: 'venue_b', windowMs: 1_000, sharesMax: '1e3' }, 'sharesMax: must be decimal text'],
    [{ venue: 'venue_a', address: 'abc', windowMs: 1_000, fillsMax: 1 }, 'address: must name a market of venue_a'],
    [{ venue: 'venue_b', windowMs: 1_000, fillsMax: 1, more: 1 }, 'more: is not a field'],
  ])('%j is refused', async (body, words) => {
    const answer = await call('POST', PROTECTION, body);
    expect([answer.status, errorOf(answer).message]).toEqual([400, expect.stringContaining(words)]);
  });

  it('an unknown protection is 404', async () => {
    const body = { venue: 'venue_b', address: 'KXNOTHING' };
    expect((await call('POST', `${PROTECTION}/reset`, body)).status).toBe(404);
    expect((await call('DELETE', `${PROTECTION}?venue=venue_b`)).status).toBe(404);
  });
});
