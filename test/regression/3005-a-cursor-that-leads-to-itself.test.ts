// A page whose cursor leads to itself was requested again and again, for up to 10 000 pages, in silence: each page had come. Now a repeated
// cursor ends the reading as a fault, in every list of both venues, and the retries wait ever longer.

import { describe, expect, it } from 'vitest';
import { KnownEvents } from '../../src/catalog/known-events.ts';
import { VenueReader } from '../../src/catalog/venue-reader.ts';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import type { VenueDiscovery } from '../../src/venues/discovery.ts';
import { venueADiscovery } from '../../src/venues/venue-a/discovery.ts';
import { venueBDiscovery } from '../../src/venues/venue-b/discovery.ts';
import { fillsSince, ordersSince, positions, restingOrders } from '../../src/venues/venue-b/trading/account.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FILL, ORDER, scriptedRest } from '../venues/venue-b/trading/scripted-rest.ts';

const SINCE = 0 as UnixMillis;
/** To itself, and to one before it. */
const LOOPS = [['x'], ['x', 'y'], ['x', 'y', 'z']];

describe.each(LOOPS)('pages %s %s %s', (...loop) => {
  const cursors = loop.filter(cursor => typeof cursor === 'string');
  const next = (cursor: string | null) => cursors[(cursors.indexOf(cursor ?? '') + 1) % cursors.length]!;

  it('of what an account of venue A has are no list', async () => {
    const row = { id: `0x${'b'.repeat(64)}`, status: 'LIVE', asset_id: '7', side: 'BUY', price: '0.5' };
    const order = { ...row, original_size: '10', size_matched: '0', order_type: 'GTC' };
    const cursorOf = (target: string) => new URLSearchParams(target.split('?')[1]).get('next_cursor');
    const page = (data: readonly object[]) => {
      return ({ target }: { readonly target: string }) => ({ body: { data, next_cursor: next(cursorOf(target)) } });
    };
    const { trading, line } = tradingOn({
      '/data/orders': page([order]),
      '/data/trades': page([{ id: 't', status: 'MATCHED', owner: 'other' }]),
    });
    const error = expect.stringContaining('leads to itself');
    expect(await trading.openOrders()).toEqual({ ok: false, error });
    expect(await trading.fillsSince(SINCE)).toEqual({ ok: false, error });
    expect(line.requests).toHaveLength(2 * (cursors.length + 1));
  });

  it('of what an account of venue B has are no list', async () => {
    let asked = 0;
    const rest = scriptedRest(target => {
      asked += 1;
      const cursor = next(new URLSearchParams(target.split('?')[1]).get('cursor'));
      return { orders: [ORDER], fills: [FILL], market_positions: [{ ticker: 'KXA', position_fp: '1.00' }], cursor };
    });
    const lists = [restingOrders(rest), ordersSince(rest, SINCE), fillsSince(rest, SINCE), positions(rest)];
    const error = expect.stringContaining('leads back');
    for (const list of lists) expect(await list).toEqual({ ok: false, error });
    expect(asked).toBe(lists.length * (cursors.length + 1));
  });

  it.each(['venue_a', 'venue_b'])('of lists of %s are a failure, and are requested ever less often', async venue => {
    const timers = new VirtualTimers();
    let asked = 0;
    const get = async (text: string) => {
      asked += 1;
      const { searchParams } = new URL(text);
      const cursor = next(searchParams.get('cursor') ?? searchParams.get('after_cursor'));
      return { status: 200, body: JSON.stringify({ events: [], cursor, next_cursor: cursor }) };
    };
    const failures: string[] = [];
    const reader = readerOf(
      venue === 'venue_a'
        ? venueADiscovery({ gammaUrl: 'http://venue', get })
        : venueBDiscovery({ restUrl: 'http://venue', sign: () => ({}), get, timers }),
      timers,
      failures,
    );
    void reader.run();
    // A minute was 197 pages; now it is readings of a few pages, 1, 2, 4, 8, 16 and 32 seconds apart.
    for (let passedMs = 0; passedMs < 60_000; passedMs += 50) await timers.settle(50);
    expect(asked).toBeLessThanOrEqual(6 * (cursors.length + 1));
    expect(failures.length).toBeGreaterThanOrEqual(5);
    expect(new Set(failures)).toEqual(new Set(['a page leads back to one before it']));
    reader.stop();
  });
});

function readerOf(discovery: VenueDiscovery, timers: VirtualTimers, failures: string[]): VenueReader {
  return new VenueReader({
    discovery,
    known: new KnownEvents(5),
    timers,
    onChange: () => {},
    onRead: () => {},
    onFailure: words => failures.push(words),
    onLeftOut: () => {},
  });
}
