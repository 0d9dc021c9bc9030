// Faults happen to exactly the frame that was named, on a real socket.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/paper/replay/faults.ts';
import type { VenueServer } from '../../../src/paper/replay/loopback.ts';
import { startVenueBServer } from '../../../src/paper/replay/venue-b-server.ts';
import { TestClient } from './client.ts';

const listing = {
  ticker: 'KXT-1-A',
  title: '',
  yesSubTitle: '',
  priceLevelStructure: 'linear_cent',
  priceRanges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
};
const subscribe = { id: 1, cmd: 'subscribe', params: { channels: ['orderbook_delta'], market_ticker: listing.ticker } };

let server: VenueServer;
let client: TestClient;

/** Frames 1 and 2 are `subscribed` and the snapshot; the deltas that follow are seq 2, 3, 4 … */
async function start(...faults: Fault[]): Promise<void> {
  server = await startVenueBServer({
    listings: [listing],
    initial: [],
    refusal: () => null,
    faults,
    onWanted: () => {},
  });
  client = await TestClient.open(server.streamUrl);
  client.send(subscribe);
}
function playDelta(size: number): void {
  const msg = { market_ticker: listing.ticker, price_dollars: '0.5000', delta_fp: `${size}.00`, side: 'yes' };
  server.play(JSON.stringify({ type: 'orderbook_delta', sid: 1, seq: 1, msg }));
}
const seqs = (): unknown[] => client.ofType('orderbook_delta').map(frame => frame.seq);

beforeEach(() => {
  client?.close();
});
afterEach(() => {
  client.close();
  server.close();
});

describe('faults', () => {
  it.each<[Fault['kind'], number[]]>([
    ['drop', [2, 4, 5]],
    ['duplicate', [2, 3, 3, 4, 5]],
    ['swap', [2, 4, 3, 5]],
    ['truncate', [2, 4, 5]],
  ])('%s the fourth frame', async (kind, expected) => {
    await start({ kind, frame: 4 });
    await client.until(() => client.texts.length === 2);
    for (let size = 1; size <= 4; size += 1) playDelta(size);
    await client.until(() => seqs().at(-1) === 5);
    expect(seqs()).toEqual(expected);
    const cut = client.texts.filter(text => !text.endsWith('\n'));
    expect(cut).toHaveLength(kind === 'truncate' ? 1 : 0);
    for (const text of cut) expect(text).toMatch(/^\{"type":"orderbook_delta"/);
  });

  it('closes the connection after a frame, once', async () => {
    await start({ kind: 'close', frame: 2, containing: 'orderbook_delta"' });
    await client.until(() => client.texts.length === 2);
    for (let size = 1; size <= 3; size += 1) playDelta(size);
    await client.until(() => client.closed !== null);
    expect(client.closed).toContain('1006');
    const again = await TestClient.open(server.streamUrl);
    again.send(subscribe);
    await again.until(() => again.texts.length === 2);
    playDelta(4);
    await again.until(() => again.texts.length === 3);
    expect(again.ofType('orderbook_snapshot')[0]).toMatchObject({ msg: { yes_dollars_fp: [['0.5000', '6.00']] } });
    again.close();
  });

  it('falls silent on one connection for ever, and is well on the next', async () => {
    await start({ kind: 'silence', frame: 3 });
    await client.until(() => client.texts.length === 2);
    for (let size = 1; size <= 3; size += 1) playDelta(size);
    const next = await TestClient.open(server.streamUrl);
    next.send(subscribe);
    await next.until(() => next.texts.length === 2);
    playDelta(4);
    await next.until(() => next.texts.length === 3);
    expect(client.texts).toHaveLength(2);
    expect(client.closed).toBeNull();
    next.close();
  });

  it('counts only what it has to count', async () => {
    await start({ kind: 'drop', frame: 1, containing: 'orderbook_snapshot' });
    await client.until(() => client.texts.length === 1);
    playDelta(1);
    await client.until(() => client.texts.length === 2);
    expect(client.frames().map(({ type, seq }) => [type, seq])).toEqual([
      ['subscribed', undefined],
      ['orderbook_delta', 2],
    ]);
  });
});
