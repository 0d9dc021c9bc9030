// The Data API on a real socket: what wallets hold and have traded, in the venue's words and numbers.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../../src/domain/market.ts';
import type { MicroShares } from '../../../../src/domain/numbers.ts';
import type { HttpServer } from '../../../../src/paper/http-server.ts';
import { startDataServer } from '../../../../src/paper/venue-a/data-api/data-server.ts';
import { checksumAddress } from '../../../../src/venues/venue-a/address.ts';
import { amountsOf, NEG_RISK, REGULAR, SECOND_PROTOCOL, START_MS, VenueARig, type Wallet } from '../venue-a-rig.ts';

const [FIRST, SECOND] = REGULAR.tokens;
const SHARE = 1_000_000;
/** Long enough for a trade to be settled. */
const SETTLED_MS = 600_000;

type Row = Readonly<Record<string, unknown>>;
let rig: VenueARig;
let server: HttpServer;
let ann: Wallet;
let bob: Wallet;

beforeEach(async () => {
  rig = await VenueARig.start();
  server = await startDataServer({ exchange: rig.exchange, host: '127.0.0.1', port: 0 });
  ann = rig.wallet(1);
  bob = rig.wallet(2);
});
afterEach(() => {
  server.close();
  rig.close();
});

async function get(target: string): Promise<{ status: number; body: never }> {
  const answer = await fetch(server.url + target);
  return { status: answer.status, body: (await answer.json()) as never };
}

async function rows(path: string, wallet: Wallet | null, query = ''): Promise<Row[]> {
  const { status, body } = await get(`${path}?${wallet === null ? '' : `user=${wallet.address}&`}${query}`);
  expect(status).toBe(200);
  return body;
}

async function trade(wallet: Wallet, token: string, side: 'BUY' | 'SELL', cents: number, shares: number) {
  const answer = await rig.post(wallet, { token, side, amounts: amountsOf(side, cents * 100, shares * SHARE) });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

describe('a position', () => {
  it('is its shares, what they cost, and what they are worth', async () => {
    rig.quote(REGULAR, ASK, 55, 30);
    await trade(ann, FIRST, 'BUY', 55, 30);
    rig.quote(REGULAR, BID, 58, 30);
    rig.quote(REGULAR, ASK, 63, 10);
    await trade(ann, FIRST, 'SELL', 58, 10);
    expect(await rows('/positions', ann)).toEqual([
      {
        proxyWallet: ann.address,
        asset: FIRST,
        conditionId: REGULAR.conditionId,
        size: 20,
        avgPrice: 0.55,
        initialValue: 11,
        currentValue: 12.1,
        cashPnl: 1.1,
        percentPnl: 10,
        totalBought: 30,
        realizedPnl: 0.3,
        percentRealizedPnl: 2.7273,
        curPrice: 0.605,
        redeemable: false,
        mergeable: false,
        title: REGULAR.question,
        slug: REGULAR.slug,
        icon: '',
        eventSlug: 'event-900',
        eventId: '900',
        outcome: 'HOM',
        outcomeIndex: 0,
        oppositeOutcome: 'AWY',
        oppositeAsset: SECOND,
        endDate: new Date(REGULAR.endAt).toISOString().slice(0, 10),
        negativeRisk: false,
      },
    ]);
    expect(await rows('/value', ann)).toEqual([{ user: ann.address, value: 12.1 }]);
    expect(await rows('/value', ann, `market=${NEG_RISK.conditionId}`)).toEqual([{ user: ann.address, value: 0 }]);
    expect((await get(`/traded?user=${ann.address}`)).body).toEqual({ user: ann.address, traded: 1 });
  });

  it('is the same for each case of the address', async () => {
    rig.quote(REGULAR, ASK, 55, 30);
    await trade(ann, FIRST, 'BUY', 55, 30);
    const { body } = await get(`/positions?user=${checksumAddress(ann.address)}`);
    expect(body).toEqual(await rows('/positions', ann));
  });

  it('can be redeemed when its market is over, and is worth 1, 0 or a half', async () => {
    rig.quote(REGULAR, ASK, 55, 30);
    rig.quote(NEG_RISK, BID, 40, 30);
    await trade(ann, FIRST, 'BUY', 55, 30);
    await trade(ann, NEG_RISK.tokens[1], 'BUY', 60, 10);
    rig.exchange.resolutions.resolve(rig.market(REGULAR), 1);
    rig.exchange.resolutions.resolve(rig.market(NEG_RISK), null);
    const positions = await rows('/positions', ann);
    expect(positions).toMatchObject([
      { asset: FIRST, redeemable: true, curPrice: 0, currentValue: 0, cashPnl: -16.5, percentPnl: -100 },
      { asset: NEG_RISK.tokens[1], redeemable: true, curPrice: 0.5, currentValue: 5, cashPnl: -1 },
    ]);
    rig.exchange.redeem(checksumAddress(ann.address), rig.market(REGULAR));
    expect(await rows('/positions', ann, 'redeemable=true')).toHaveLength(1);
    expect(await rows('/closed-positions', ann)).toMatchObject([
      { asset: FIRST, totalBought: 30, avgPrice: 0.55, realizedPnl: -16.5, curPrice: 0, timestamp: START_MS / 1_000 },
    ]);
  });
});

describe('positions', () => {
  beforeEach(() => {
    const address = checksumAddress(ann.address);
    rig.exchange.split(address, rig.market(REGULAR), (20 * SHARE) as MicroShares);
    rig.exchange.split(address, rig.market(NEG_RISK), (0.5 * SHARE) as MicroShares);
    rig.quote(REGULAR, BID, 70, 5);
    rig.quote(REGULAR, ASK, 72, 5);
    return trade(ann, FIRST, 'SELL', 70, 5);
  });

  const all = [FIRST, SECOND, ...NEG_RISK.tokens];
  it.each([
    ['', [SECOND, FIRST]],
    ['sizeThreshold=0', [SECOND, FIRST, NEG_RISK.tokens[0], NEG_RISK.tokens[1]]],
    ['sizeThreshold=16', [SECOND]],
    ['sizeThreshold=much', [SECOND, FIRST]],
    ['sortBy=CURRENT', [FIRST, SECOND]],
    ['sortBy=PRICE&sortDirection=ASC', [SECOND, FIRST]],
    ['sortBy=TOKENS&sortDirection=ASC', [FIRST, SECOND]],
    ['sortBy=CASHPNL', [FIRST, SECOND]],
    ['limit=1&offset=1', [FIRST]],
    ['limit=0', []],
    ['mergeable=false', []],
    ['redeemable=false', [SECOND, FIRST]],
    [`market=${NEG_RISK.conditionId},${REGULAR.conditionId}&sizeThreshold=15`, [SECOND, FIRST]],
    [`market=${NEG_RISK.conditionId}`, []],
    ['eventId=900', [SECOND, FIRST]],
    ['eventId=901', []],
    ['title=WHO', [SECOND, FIRST]],
    ['title=whose', []],
  ])('are those that %s means', async (query, expected) => {
    expect((await rows('/positions', ann, query)).map(row => row.asset)).toEqual(expected);
  });

  const second = async (query: string) => {
    const { status, body } = await get(`/v2/positions?user=${ann.address}&${query}`);
    const { data, pagination } = body as { data: Row[]; pagination: Row };
    return { status, tokens: data?.map(row => row.token_id), data, pagination };
  };

  it('come page by page from the second version, whose cursor goes with its filters', async () => {
    const first = await second('limit=3');
    expect(first.data).toMatchObject([{ current_size: 15 }, { current_size: 20 }, { current_size: 0.5 }]);
    expect(first.pagination).toMatchObject({ limit: 3, offset: 0, has_more: true, next_cursor: expect.any(String) });
    const cursor = first.pagination.next_cursor;
    expect(await second(`limit=3&cursor=${cursor}`)).toMatchObject({
      tokens: [all[3]],
      pagination: { offset: 3, has_more: false, next_cursor: null },
    });
    for (const query of [`limit=3&status=CLOSED&cursor=${cursor}`, 'offset=3', 'status=NONE', 'cursor=none'])
      expect(await second(query)).toMatchObject({ status: 400 });
  });

  it('of the second version leave out dust and what is archived, unless they are asked for', async () => {
    rig.exchange.split(checksumAddress(ann.address), rig.market(SECOND_PROTOCOL), (0.05 * SHARE) as MicroShares);
    expect((await second('')).tokens).toEqual(all);
    expect((await second('filter_amount=0')).tokens).toEqual([...all, ...SECOND_PROTOCOL.tokens]);
    rig.exchange.resolutions.resolve(rig.market(REGULAR), 1);
    expect((await second('status=REDEEMABLE')).tokens).toEqual([SECOND]);
    expect((await second('status=REDEEMABLE_LOST')).tokens).toEqual([FIRST]);
    rig.timers.advance(8 * 86_400_000);
    expect((await second('')).tokens).toEqual(NEG_RISK.tokens);
    expect((await second('include_archived=true')).data).toMatchObject([
      { token_id: FIRST, archived: true, redeemable: true },
      { token_id: SECOND, archived: true, redeemable: true },
      { archived: false },
      { archived: false },
    ]);
  });
});

describe('the second version', () => {
  it('keeps fees apart from cost', async () => {
    rig.quote(NEG_RISK, ASK, 50, 100);
    await trade(ann, NEG_RISK.tokens[0], 'BUY', 50, 100);
    const { body } = await get(`/v2/positions?user=${ann.address}`);
    expect((body as { data: Row[] }).data).toMatchObject([
      {
        proxy_wallet: ann.address,
        condition_id: NEG_RISK.conditionId,
        current_size: 100,
        avg_price: 0.5,
        entry_cost_usdc: 50,
        entry_fees_usdc: 1.25,
        total_cost_usdc: 51.25,
        total_size: 100,
        realized_pnl: 0,
        status: 'OPEN',
        negative_risk: true,
        first_entry_at: START_MS / 1_000,
      },
    ]);
  });
});

describe('trades', () => {
  beforeEach(async () => {
    await trade(bob, SECOND, 'BUY', 45, 20);
    await trade(ann, FIRST, 'BUY', 55, 20);
    rig.timers.advance(SETTLED_MS);
    rig.quote(REGULAR, BID, 50, 8);
    await trade(ann, FIRST, 'SELL', 50, 8);
  });

  it('are seen once they are settled, by their takers', async () => {
    expect(await rows('/trades', null)).toEqual([
      {
        proxyWallet: ann.address,
        side: 'BUY',
        asset: FIRST,
        conditionId: REGULAR.conditionId,
        size: 20,
        price: 0.55,
        timestamp: START_MS / 1_000,
        title: REGULAR.question,
        slug: REGULAR.slug,
        icon: '',
        eventSlug: 'event-900',
        outcome: 'HOM',
        outcomeIndex: 0,
        name: '',
        pseudonym: '',
        bio: '',
        profileImage: '',
        profileImageOptimized: '',
        transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    ]);
    rig.timers.advance(SETTLED_MS);
    expect(await rows('/trades', null)).toMatchObject([{ side: 'SELL', size: 8 }, { side: 'BUY' }]);
  });

  it.each([
    ['', 'ann', ['SELL 0.5', 'BUY 0.55']],
    ['', 'bob', []],
    ['takerOnly=false', 'bob', ['BUY 0.45']],
    ['side=sell', 'ann', ['SELL 0.5']],
    ['filterType=CASH&filterAmount=10', 'ann', ['BUY 0.55']],
    ['filterType=TOKENS&filterAmount=8', 'ann', ['SELL 0.5', 'BUY 0.55']],
    ['limit=1&offset=1', 'ann', ['BUY 0.55']],
    [`market=${NEG_RISK.conditionId}`, 'ann', []],
    ['eventId=900', 'ann', ['SELL 0.5', 'BUY 0.55']],
  ] as const)('are those that %s means, of %s', async (query, name, expected) => {
    rig.timers.advance(SETTLED_MS);
    const found = await rows('/trades', name === 'ann' ? ann : bob, query);
    expect(found.map(row => `${row.side} ${row.price}`)).toEqual(expected);
  });

  it('are activities, of takers and makers', async () => {
    rig.timers.advance(SETTLED_MS);
    const [newest, oldest] = await rows('/activity', ann);
    expect(newest).toMatchObject({ type: 'TRADE', side: 'SELL', usdcSize: 4, size: 8 });
    expect(oldest).toMatchObject({ type: 'TRADE', side: 'BUY', usdcSize: 11, price: 0.55 });
    expect(await rows('/activity', bob)).toMatchObject([{ side: 'BUY', usdcSize: 9, asset: SECOND }]);
    expect(await rows('/activity', ann, 'sortBy=CASH&sortDirection=ASC')).toEqual([newest, oldest]);
    expect(await rows('/activity', ann, `end=${START_MS / 1_000}`)).toEqual([oldest]);
    expect(await rows('/activity', ann, `start=${START_MS / 1_000 + 1}`)).toEqual([newest]);
    expect(await rows('/activity', ann, 'type=SPLIT,MERGE')).toEqual([]);
    expect(await rows('/activity', ann, 'type=TRADE,MERGE&limit=1')).toEqual([newest]);
  });

  it('show a taker of several prices with what it has paid', async () => {
    rig.quote(REGULAR, ASK, 56, 10);
    rig.quote(REGULAR, ASK, 57, 10);
    await trade(bob, FIRST, 'BUY', 57, 20);
    rig.timers.advance(SETTLED_MS);
    expect((await rows('/trades', bob))[0]).toMatchObject({ size: 20, price: 0.565 });
    expect((await rows('/activity', bob))[0]).toMatchObject({ size: 20, price: 0.565, usdcSize: 11.3 });
    rig.quote(REGULAR, BID, 50, 20);
    await trade(bob, FIRST, 'SELL', 50, 20);
    expect((await rows('/closed-positions', bob))[0]).toMatchObject({ avgPrice: 0.565, totalBought: 20 });
  });

  it('stand among the splits, merges and redemptions of a wallet', async () => {
    const market = rig.market(REGULAR);
    const address = checksumAddress(ann.address);
    rig.timers.advance(SETTLED_MS);
    rig.exchange.split(address, market, (5 * SHARE) as MicroShares);
    rig.exchange.merge(address, market, (2 * SHARE) as MicroShares);
    rig.exchange.resolutions.resolve(market, 0);
    rig.timers.advance(1_000);
    rig.exchange.redeem(address, market);
    const found = await rows('/activity', ann, 'sortDirection=ASC');
    expect(found.map(({ type, size, usdcSize }) => [type, size, usdcSize])).toEqual([
      ['TRADE', 20, 11],
      ['TRADE', 8, 4],
      ['SPLIT', 5, 5],
      ['MERGE', 2, 2],
      ['REDEEM', 18, 15],
    ]);
    expect(await rows('/activity', ann, 'type=REDEEM')).toEqual([
      {
        proxyWallet: ann.address,
        timestamp: START_MS / 1_000 + (2 * SETTLED_MS) / 1_000 + 1,
        conditionId: REGULAR.conditionId,
        type: 'REDEEM',
        size: 18,
        usdcSize: 15,
        transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        price: 0,
        asset: '',
        side: '',
        title: REGULAR.question,
        slug: REGULAR.slug,
        icon: '',
        eventSlug: 'event-900',
        outcome: '',
        outcomeIndex: 999,
        name: '',
        pseudonym: '',
        bio: '',
        profileImage: '',
        profileImageOptimized: '',
      },
    ]);
    expect(await rows('/activity', ann, 'type=SPLIT,MERGE&side=BUY')).toEqual([]);
    expect(await rows('/activity', bob, 'type=SPLIT,MERGE,REDEEM')).toEqual([]);
  });

  it('make with splits the cost of a closed position', async () => {
    rig.exchange.split(checksumAddress(bob.address), rig.market(NEG_RISK), (10 * SHARE) as MicroShares);
    rig.quote(NEG_RISK, BID, 60, 10);
    rig.timers.advance(1_000);
    await trade(bob, NEG_RISK.tokens[0], 'SELL', 60, 10);
    expect(await rows('/closed-positions', bob)).toMatchObject([
      { asset: NEG_RISK.tokens[0], avgPrice: 0.5, totalBought: 10, timestamp: (START_MS + SETTLED_MS) / 1_000 + 1 },
    ]);
  });

  it('make holders', async () => {
    rig.timers.advance(SETTLED_MS);
    const { body } = await get(`/holders?market=${REGULAR.conditionId}`);
    expect(body).toMatchObject([
      { token: FIRST, holders: [{ proxyWallet: ann.address, amount: 12, outcomeIndex: 0 }] },
      { token: SECOND, holders: [{ proxyWallet: bob.address, amount: 20, outcomeIndex: 1 }] },
    ]);
  });
});

describe('questions that are none', () => {
  it.each([
    ['/positions', "required query param 'user' not provided"],
    ['/value?user=', "required query param 'user' not provided"],
    ['/activity?user=ann', "invalid query param 'user'"],
    ['/trades?user=0x12', "invalid query param 'user'"],
    ['/holders', "required query param 'market' not provided"],
  ])('%s: %s', async (target, error) => {
    expect(await get(target)).toEqual({ status: 400, body: { error } });
  });

  it('of the second version have a code', async () => {
    const conditions = Array.from({ length: 21 }, (_, index) => `0x${index}`).join(',');
    for (const target of ['/v2/positions', `/v2/positions?user=${ann.address}&condition=${conditions}`]) {
      expect(await get(target)).toMatchObject({ status: 400, body: { code: expect.any(String), retryable: false } });
    }
  });
});
