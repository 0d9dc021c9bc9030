// The Data API on a real socket: the holdings of wallets, in the venue's words and numbers. Each number in an answer is exactly the decimal that was
// meant.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares } from '../../../../src/core/domain/numbers.ts';
import type { HttpServer } from '../../../../src/paper/http-server.ts';
import { exactNumber, shownQuotient, startDataServer } from '../../../../src/paper/venue-a/data-api/data-server.ts';
import { checksumAddress } from '../../../../src/venues/venue-a/address.ts';
import { amountsOf, NEG_RISK, REGULAR, SECOND_PROTOCOL, START_MS, VenueARig, type Wallet } from '../venue-a-rig.ts';

const [FIRST, SECOND] = REGULAR.tokens;
const SHARE = 1_000_000;

type Row = Readonly<Record<string, unknown>>;
let rig: VenueARig;
let server: HttpServer;
let ann: Wallet;

beforeEach(async () => {
  rig = await VenueARig.start();
  server = await startDataServer({ exchange: rig.exchange, host: '127.0.0.1', port: 0 });
  ann = rig.wallet(1);
});
afterEach(() => {
  server.close();
  rig.close();
});

async function get(target: string): Promise<{ status: number; body: never }> {
  const answer = await fetch(server.url + target);
  return { status: answer.status, body: (await answer.json()) as never };
}

async function rows(wallet: string, query = ''): Promise<Row[]> {
  const { status, body } = await get(`/v2/positions?user=${wallet}&${query}`);
  expect(status).toBe(200);
  return (body as { data: Row[] }).data;
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
    expect(await rows(ann.address)).toMatchObject([
      {
        proxy_wallet: ann.address,
        token_id: FIRST,
        condition_id: REGULAR.conditionId,
        current_size: 20,
        avg_price: 0.55,
        entry_cost_usdc: 11,
        current_price: 0.605,
        current_value: 12.1,
        total_size: 30,
        realized_pnl: 0.3,
        unrealized_pnl: 1.1,
        percent_pnl: 10,
        percent_realized_pnl: 2.7273,
        redeemable: false,
        mergeable: false,
        event_id: '900',
        opposite_token_id: SECOND,
        end_date: new Date(REGULAR.endAt).toISOString().replace('.000', ''),
      },
    ]);
  });

  it('is the same for each case of the address', async () => {
    rig.quote(REGULAR, ASK, 55, 30);
    await trade(ann, FIRST, 'BUY', 55, 30);
    expect(await rows(checksumAddress(ann.address))).toEqual(await rows(ann.address));
  });

  it('can be redeemed when its market is over, and is worth 1, 0 or a half', async () => {
    rig.quote(REGULAR, ASK, 55, 30);
    rig.quote(NEG_RISK, BID, 40, 30);
    await trade(ann, FIRST, 'BUY', 55, 30);
    await trade(ann, NEG_RISK.tokens[1], 'BUY', 60, 10);
    rig.exchange.resolutions.resolve(rig.market(REGULAR), 1);
    rig.exchange.resolutions.resolve(rig.market(NEG_RISK), null);
    expect(await rows(ann.address)).toMatchObject([
      {
        token_id: FIRST,
        redeemable: true,
        current_price: 0,
        current_value: 0,
        unrealized_pnl: -16.5,
        percent_pnl: -100,
      },
      { token_id: NEG_RISK.tokens[1], redeemable: true, current_price: 0.5, current_value: 5, unrealized_pnl: -1 },
    ]);
    rig.exchange.redeem(checksumAddress(ann.address), rig.market(REGULAR));
    expect(await rows(ann.address)).toHaveLength(1);
    expect(await rows(ann.address, 'status=CLOSED')).toMatchObject([
      { token_id: FIRST, total_size: 30, realized_pnl: -16.5, current_price: 0, last_event_at: START_MS / 1_000 },
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
  const second = async (query: string) => {
    const { status, body } = await get(`/v2/positions?user=${ann.address}&${query}`);
    const { data, pagination } = body as { data: Row[]; pagination: Row };
    return { status, tokens: data?.map(row => row.token_id), data, pagination };
  };

  it('come page by page; a cursor goes with its filters', async () => {
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

  it('leave out dust and what is archived, unless they are asked for', async () => {
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

describe('a cost', () => {
  it('is without its fees', async () => {
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

describe('questions that are none', () => {
  it('have a code', async () => {
    const conditions = Array.from({ length: 21 }, (_, index) => `0x${index}`).join(',');
    for (const target of [
      '/v2/positions',
      '/v2/approvals?user=0x12',
      `/v2/positions?user=${ann.address}&condition=${conditions}`,
    ])
      expect(await get(target)).toMatchObject({ status: 400, body: { code: expect.any(String), retryable: false } });
  });
});

const dollars = (micros: number) => micros as MicroDollars;

describe('numbers of the Data API', () => {
  it.each([
    [0, '0'],
    [1, '0.000001'],
    [-150_000, '-0.15'],
    [300_000, '0.3'],
    [463_557_745_200, '463557.7452'],
    [123_456_789_012_345, '123456789.012345'],
  ])('%i millionths are %s', (micros, text) => {
    expect(JSON.stringify(exactNumber(dollars(micros)))).toBe(text);
  });

  it.each([
    [1, 3, 1, 0.3333],
    [2, 3, 1, 0.6667],
    [-2, 3, 1, -0.6667],
    [2, 3, 100, 66.6667],
    [5, 0, 1, 0],
    [9_007_199_254_740_991, 9_007_199_254_740_990, 100, 100],
  ] as const)('%i of %i in units of 1/%i is %d', (numerator, denominator, scale, shown) => {
    expect(shownQuotient(numerator, denominator, scale)).toBe(shown);
  });

  it('reads back as what it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e14, max: 1e14 }), micros => {
        const [whole = '', fraction = ''] = JSON.stringify(exactNumber(dollars(micros))).split('.');
        expect(BigInt(whole.replace('-', '') + fraction.padEnd(6, '0'))).toBe(BigInt(Math.abs(micros)));
      }),
    );
  });
});
