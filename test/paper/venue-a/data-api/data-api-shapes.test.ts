// Rows of the Data API beside those of the real one: the same fields, of the same types, in the same order.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { ASK } from '../../../../src/domain/market.ts';
import type { HttpServer } from '../../../../src/paper/http-server.ts';
import { startDataServer } from '../../../../src/paper/venue-a/data-api/data-server.ts';
import { objectsWith, recordedObjects, strangers } from '../../../support/json-shapes.ts';
import { recordingsPresent } from '../../../support/recordings.ts';
import { amountsOf, REGULAR, VenueARig } from '../venue-a-rig.ts';

const SAMPLES = 'venue-a/poly-polycopy/tests/fixtures';
let rig: VenueARig;
let server: HttpServer;
let user: string;

beforeAll(async () => {
  rig = await VenueARig.start();
  server = await startDataServer({ exchange: rig.exchange, host: '127.0.0.1', port: 0 });
  const wallet = rig.wallet(1);
  user = wallet.address;
  rig.quote(REGULAR, ASK, 55, 30);
  const amounts = amountsOf('BUY', 5_500, 30_000_000);
  await rig.post(wallet, { token: REGULAR.tokens[0], side: 'BUY', amounts });
  rig.timers.advance(600_000);
});
afterAll(() => {
  server.close();
  rig.close();
});

describe.skipIf(!recordingsPresent)('the Data API beside its recordings (skipped where they are absent)', () => {
  it.each([
    ['/positions', 'data_api_positions_sample.json', 'proxyWallet'],
    ['/trades', 'data_api_trades_global_sample.json', 'proxyWallet'],
    ['/activity', 'activity_sample.json', 'proxyWallet'],
    ['/value', 'data_api_value_sample.json', 'value'],
    ['/holders', 'data_api_holders_sample.json', 'holders'],
    ['/holders', 'data_api_holders_sample.json', 'proxyWallet'],
  ])('%s as in %s, by %s', async (path, sample, sign) => {
    const answer = await fetch(`${server.url}${path}?user=${user}&market=${REGULAR.conditionId}`);
    const ours = objectsWith(await answer.json(), sign);
    const theirs = recordedObjects([`${SAMPLES}/${sample}`], sign);
    expect(ours.length).toBeGreaterThan(0);
    expect(strangers(ours, theirs)).toEqual([]);
    const keys = (object: JsonObject | undefined) => Object.keys(object ?? {}).sort();
    expect(keys(ours[0])).toEqual(keys(theirs[0]));
  });
});
