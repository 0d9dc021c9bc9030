// A read of venue E takes several requests: one that fails is the venue's fault, and no market without offers, nor one that is unknown.

import { afterEach, describe, expect, it } from 'vitest';
import { VenueEMarketReader } from '../../../src/venues/venue-e/market-read.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { type Said, ScriptedVenue } from '../market-read-rig.ts';

type Answers = Readonly<Record<string, Said>>;

let venue: ScriptedVenue;
afterEach(() => venue.close());

const result = (value: unknown): Said => ({ body: { errno: 0, errmsg: '', result: value } });
const NOTHING: Said = { body: { errno: 20_002, errmsg: 'Market not found', result: null } };
const list = (page: number): string => `/market?marketType=1&sortBy=1&limit=20&page=${page}`;
const END = result({ list: [], total: 1 });
const BOOK = '/token/orderbook?token_id=11';
const EMPTY = result({ tokenId: '11', bids: [], asks: [] });
const described = { marketTitle: 'X?', status: 2, yesTokenId: '11', noTokenId: '22', yesLabel: '', noLabel: '' };
const market = { ...described, marketId: 7, marketType: 0, cutoffAt: 1_800_000_000 };
const member = { ...described, marketId: 101, marketTitle: 'M101', cutoffAt: 0 };
const group = {
  marketId: 1,
  marketTitle: 'G1',
  marketType: 1,
  status: 1,
  cutoffAt: 1_800_000_000,
  childMarkets: [member],
};

async function read(marketId: string, answers: Answers) {
  venue = await ScriptedVenue.start(path => answers[path] ?? NOTHING);
  return new VenueEMarketReader(venue.http('venue_e'), new VirtualTimers()).read(marketId);
}

describe('a market', () => {
  it.each<[what: string, answers: Answers]>([
    ['its book', { '/market/7': result({ data: market }), [BOOK]: { status: 403, body: '' } }],
    ['the route of groups', { '/market/7': NOTHING, '/market/categorical/7': { status: 403, body: '' } }],
    [
      'the list of groups',
      { '/market/7': NOTHING, '/market/categorical/7': NOTHING, [list(1)]: { status: 403, body: '' } },
    ],
    ['a market that is words', { '/market/7': result({ data: 'words' }) }],
  ])('is neither unknown nor without offers where %s is not shown', async (_what, answers) => {
    expect(await read('7', answers)).toMatchObject({ type: 'faulty' });
  });
});

describe('a group', () => {
  it.each<[what: string, said: Said]>([
    ['cannot be had', { status: 403, body: '' }],
    ['is none any more', result({ data: { ...market, marketId: 1 } })],
    [
      'has a member that cannot be read',
      result({ data: { ...group, childMarkets: [{ marketId: 101, status: 'odd' }] } }),
    ],
  ])('that %s says nothing of its members', async (_what, said) => {
    const gone = { [list(1)]: result({ list: [group] }), [list(2)]: END, '/market/categorical/1': said };
    expect(await read('101', gone)).toMatchObject({ type: 'faulty' });
  });

  it('is found among what is no group', async () => {
    const odd = result({ list: [market, { marketId: 9 }, 'words', group] });
    const answers = { [list(1)]: odd, [list(2)]: END, '/market/101': result({ data: member }), [BOOK]: EMPTY };
    expect(await read('101', answers)).toMatchObject({ type: 'market', market: { title: 'G1 - M101' } });
  });
});
