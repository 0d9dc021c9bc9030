// Found by review: for two seconds after a market of venue B traded again, an order in it was 404. The reason was the description that was
// read during the pause. A 404 says that the market is gone for good; a pause is for the venue to report.

import { expect, it } from 'vitest';
import { RESTS, Rig } from '../orders/orders-rig.ts';
import { TICKER, VenueBTradingRig } from '../venues/venue-b/trading/trading-rig.ts';

async function described(arrange: (rig: VenueBTradingRig) => void) {
  const venue = await VenueBTradingRig.open();
  arrange(venue);
  const facts = await venue.trading.facts(TICKER);
  await venue.close();
  return facts;
}

it('the venue decides on an order right after a pause', async () => {
  const rig = new Rig();
  rig.venue.facts_ = await described(({ paper }) => paper.control.setPaused(TICKER, true));
  expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'OPEN' });
  expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
});

it('a closed market stays a 404', async () => {
  const rig = new Rig();
  rig.venue.facts_ = await described(({ paper }) => paper.control.close(TICKER, 0));
  expect(await rig.submit(RESTS)).toMatchObject({ type: 'refused', kind: 'notFound' });
});
