// Venue B keeps resting orders when a market's price grid changes (venue-b.md §3.2). With a coarser grid their levels had no place on the
// ladder. Each snapshot was refused as OFF_GRID, and the book stayed RESYNCING until the last such order was gone.

import { describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { BOOK, FeedRig, LIVE, liveRig, MARKET, OTHER, stateOf } from '../venues/venue-b/feed-rig.ts';
import { LINEAR_CENT } from '../venues/venue-b/scripted-venue.ts';

const DECI_CENT = [{ start: '0.0000', end: '1.0000', step: '0.0010' }];
const KEPT = { ...BOOK, yes: [...BOOK.yes!, ['0.4750', '1.00'] as [string, string]] };
const SHOWN = { ...LIVE, bids: ['1@0.475', ...LIVE.bids] };

/** LIVE on a grid of $0.001, with an order that the grid of $0.01 has no price for. */
async function withFineOrder(): Promise<FeedRig> {
  const rig = await liveRig();
  rig.venue.addMarket(MARKET, KEPT, { price_ranges: DECI_CENT });
  rig.venue.lifecycle(MARKET, 'price_level_structure_updated', { price_ranges: DECI_CENT });
  rig.venue.delta(MARKET, 'yes', '0.4750', '1.00');
  rig.venue.addMarket(MARKET, KEPT, { price_ranges: LINEAR_CENT });
  return rig;
}

describe('a grid that becomes coarser', () => {
  it('leaves the book as it is, with the orders between its prices', async () => {
    const rig = await withFineOrder();
    rig.venue.lifecycle(MARKET, 'price_level_structure_updated', { price_ranges: LINEAR_CENT });
    await rig.timers.settle();
    expect([stateOf(rig), rig.levels(), rig.book().epoch]).toEqual(['LIVE SNAPSHOT', SHOWN, 1]);
    rig.venue.delta(MARKET, 'yes', '0.4750', '-1.00');
    expect([stateOf(rig), rig.levels(), rig.book().seq]).toEqual(['LIVE SNAPSHOT', LIVE, 3]);
    expect(rig.outdated).toEqual([MARKET, MARKET]);
  });

  it('shows them after a reconnection', async () => {
    const rig = await withFineOrder();
    rig.venue.drop('code 1006');
    rig.reconnect();
    await rig.timers.settle(limits.venueBSweepMs);
    expect([stateOf(rig), rig.levels(), stateOf(rig, 1)]).toEqual(['LIVE SNAPSHOT', SHOWN, 'LIVE SNAPSHOT']);
  });
});

describe('a market that has orders between the prices of its grid', () => {
  it('is shown once its first snapshot has stated them', async () => {
    const rig = new FeedRig();
    rig.venue.addMarket(MARKET, { ...KEPT, no: [['0.4803', '2.00']] }, { price_ranges: LINEAR_CENT });
    rig.venue.addMarket(OTHER, BOOK);
    rig.connect();
    await rig.want(MARKET, OTHER);
    await rig.timers.settle();
    expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', { ...SHOWN, asks: ['2@0.5197'] }]);
    expect([rig.book().step, rig.venue.commandsOf('get_snapshot').length, stateOf(rig, 1)]).toEqual([
      1,
      1,
      'LIVE SNAPSHOT',
    ]);
  });

  it('is shown also while its facts cannot be read', async () => {
    const rig = await liveRig();
    rig.venue.restStatus = 503;
    rig.venue.books.set(MARKET, KEPT);
    rig.venue.delta(MARKET, 'yes', '0.4750', '1.00');
    expect(stateOf(rig)).toBe('RESYNCING OFF_GRID');
    await rig.timers.settle();
    expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', SHOWN]);
  });
});
