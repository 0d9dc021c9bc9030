// Each place that reads the name of a venue takes all its spellings, and reads the same from each (docs/PROTOCOL.md, Names of venues). Paths
// are not among these places: they have one spelling.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listMarkets } from '../../../src/catalog/catalog-lists.ts';
import { RowBuilder } from '../../../src/catalog/catalog-rows.ts';
import { SnapshotWriter } from '../../../src/catalog/snapshot-writer.ts';
import { VENUES, type Venue, venueNamed } from '../../../src/core/domain/market.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import { readProtection, readProtectionPlace } from '../../../src/core/wire/protection-requests.ts';
import { tradeJsonCodec } from '../../../src/core/wire/trade-messages.ts';
import { readRecorder } from '../../../src/market-data/recording/recorder-settings.ts';
import { readFaultRule } from '../../../src/paper/control/control-routes.ts';
import { readVenue } from '../../../src/tools/cli/gateway-request.ts';
import { protectionCommand } from '../../../src/tools/cli/protection.ts';
import { CallRig } from '../../tools/cli/call-rig.ts';

const catalog = new SnapshotWriter().write(new RowBuilder().of({ events: [], markets: [] }));
const scope = { secret: Buffer.alloc(32), actorId: 'alice', path: '/v1/markets' };

const marketOf = (venue: Venue) => (venue === 'venue_a' ? { tokenId: '1' } : { ticker: 'KX' });
const frame = (message: object) => Buffer.from(JSON.stringify(message));
const subscription = (op: string, venue: Venue, name: string) =>
  jsonCodec.decode(frame({ op, id: '1', channel: 'book', markets: [{ ...marketOf(venue), venue: name }] }));
const trade = (message: object) => tradeJsonCodec.decode(frame({ id: '1', ...message }));

const caller = { podId: 'pod', actorId: 'alice', keyId: 'key' };

/** The reading of a name at each place. */
const PLACES: Readonly<Record<string, (venue: Venue, name: string) => unknown>> = {
  'query of GET /v1/markets': (_venue, name) =>
    listMarkets(
      scope,
      { name: 'markets', caller, tradable: [], catalog, path: '/v1/markets', query: new Map([['venue', name]]) },
      0,
    ),
  'body of a protection': (_venue, venue) => readProtection({ venue, fillsMax: 1, windowMs: 1_000 }),
  'query and body of its end and reset': (_venue, venue) => readProtectionPlace({ venue }),
  'subscribe on the stream': (venue, name) => subscription('subscribe', venue, name),
  'unsubscribe on the stream': (venue, name) => subscription('unsubscribe', venue, name),
  'snapshot on the stream': (venue, name) =>
    jsonCodec.decode(frame({ op: 'snapshot', id: '1', market: { ...marketOf(venue), venue: name } })),
  'submit on /v1/trade': (_venue, venue) => trade({ op: 'submit', venue, idempotencyKey: 'k', order: {} }),
  'replace on /v1/trade': (_venue, venue) =>
    trade({ op: 'replace', venue, orderId: 'o', idempotencyKey: 'k', order: {} }),
  'batch on /v1/trade': (_venue, venue) => trade({ op: 'batch', venue, orders: [{}] }),
  'cancel on /v1/trade': (_venue, venue) => trade({ op: 'cancel', venue, orderId: 'o' }),
  'cancel-all on /v1/trade': (_venue, venue) => trade({ op: 'cancel-all', venue }),
  'markets to record': (_venue, name) =>
    readRecorder({ CROSSBOOK_RECORD_DIR: '/r', CROSSBOOK_RECORD_MARKETS: `${name}:KX-1,${name}:KX*` }),
  'faults of the paper exchanges': (_venue, venue) => readFaultRule({ venue, fault: { kind: 'drop' } }),
  'the command line': (_venue, name) => readVenue('--venue', name),
};

/** A spelling of a venue's name: each letter in upper or lower case, the words joined by either sign. */
const spelled = fc.constantFrom(...VENUES).chain(venue =>
  fc
    .tuple(fc.array(fc.boolean(), { minLength: venue.length, maxLength: venue.length }), fc.constantFrom('_', '-'))
    .map(([uppers, sign]) => ({
      venue,
      name: [...venue.replace('_', sign)].map((it, at) => (uppers[at] ? it.toUpperCase() : it)).join(''),
    })),
);
const places = Object.entries(PLACES);

describe('a name of a venue', () => {
  it.each(places)('%s: is taken in each spelling', (_place, read) => {
    for (const venue of VENUES) expect(JSON.stringify(read(venue, venue))).not.toContain('"error"');
    fc.assert(
      fc.property(spelled, ({ venue, name }) => {
        expect(read(venue, name)).toEqual(read(venue, venue));
      }),
    );
  });

  it.each(['venue_c', 'venuea', 'venue__a', 'venue a', ' venue_a', 'venue_a-', 'polymarket', ''])(
    '%j is none of a venue that trades',
    name => expect(venueNamed(name, VENUES)).toBeUndefined(),
  );

  it('means the venue that a table of all spellings means', () => {
    const table = new Map(
      VENUES.flatMap(venue => [venue, venue.replace('_', '-')].map(name => [name, venue] as const)),
    );
    const near = fc.string({ unit: fc.constantFrom(...'venueVENUE_-ab AB'), minLength: 6, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.oneof(
          near,
          spelled.map(it => it.name),
        ),
        name => {
          expect(venueNamed(name, VENUES)).toBe(table.get(name.toLowerCase()));
        },
      ),
    );
  });
});

describe('the place of a protection', () => {
  let rig: CallRig;
  beforeAll(async () => {
    rig = await CallRig.start();
  });
  afterAll(() => rig.end());

  it.each(['venue_a', 'VENUE_A', 'venue-a'])('%s is sent as venue_a by the command line', async name => {
    await rig.run(protectionCommand, 'reset', name, '--url', rig.server.url);
    expect(JSON.parse(rig.server.heard.at(-1)!.body)).toEqual({ venue: 'venue_a' });
  });
});
