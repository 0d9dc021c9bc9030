// The stream's client put a market without a name, or with too long a one, into one message with all its others. The gateway refused the
// message, and the client sent the same message for ever, after each reconnection with all its markets.

import { expect, it } from 'vitest';
import { OrderbookStream } from '../../src/client/orderbook-stream.ts';
import { marketKey } from '../../src/domain/market.ts';
import { limits } from '../../src/limits.ts';
import { connectWebSocket } from '../../src/net/websocket.ts';
import { MARKET, startRig, TICKER } from '../support/stream-rig.ts';

it.each(['', 'X'.repeat(limits.marketAddressCharactersMax + 1)])(
  'the others are subscribed to beside %j',
  async name => {
    const rig = await startRig();
    const stream = new OrderbookStream({ url: rig.url, connect: connectWebSocket });
    const impossible = marketKey('venue_b', name);
    const refused = new Promise(resolve => stream.on('refused', resolve));
    const reported = new Promise(resolve => stream.on('state', resolve));
    stream.subscribe('book', [impossible, MARKET]);
    stream.start();
    expect(await refused).toMatchObject({ code: 'UNKNOWN_MARKET', market: impossible, asksAgainInMs: null });
    expect(await reported).toEqual(MARKET);
    rig.snapshot(TICKER, 5_000, 5_200);
    await new Promise(resolve => stream.on('book', resolve));
    expect([stream.book(MARKET)?.isSynced, stream.book(impossible)]).toEqual([true, undefined]);
    const over = new Promise(resolve => stream.on('message', it => it.type === 'unsubscribed' && resolve(it)));
    stream.unsubscribe('book', [impossible, MARKET]);
    expect(await over).toMatchObject({ accepted: [MARKET], rejected: [] });
    stream.close();
    rig.close();
  },
);
