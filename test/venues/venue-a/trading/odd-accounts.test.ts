// An account and its markets if the venue answers oddly or in part. A scripted line answers.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import type { PrivateEvent } from '../../../../src/venues/venue.ts';
import { readMarketTerms } from '../../../../src/venues/venue-a/trading/market-terms.ts';
import { fillsOf } from '../../../../src/venues/venue-a/trading/trades.ts';
import { SECOND_PROTOCOL } from '../../../paper/venue-a/venue-a-rig.ts';
import { partiesThat, tradeIn } from './reported-trades.ts';
import {
  ACCOUNT,
  CONDITION,
  holdingsOf,
  idOf,
  listOf,
  makerRow,
  NOTHING_LISTED,
  orderAt,
  pageOf,
  type Script,
  tradeRow,
  tradingOn,
} from './scripted-line.ts';
import { FIRST, marketBuy, SECOND, shares } from './trading-rig.ts';

const OTHER = `0x${'9'.repeat(40)}`;

describe('an account', () => {
  const held = { token_id: FIRST, current_size: 2, redeemable: true, current_price: 1 };
  const readable: Script = {
    '/balance-allowance': () => ({ body: { balance: '10000000' } }),
    '/data/orders': () => NOTHING_LISTED,
    '/v2/positions': () => pageOf([held]),
  };

  it('has what is there, and claims what its shares of resolved markets pay', async () => {
    const open = { token_id: SECOND, current_size: 3, redeemable: false, current_price: 0.5 };
    const { trading } = tradingOn({ ...readable, '/v2/positions': holdingsOf([held, open]) });
    const value = { available: 10_000_000, committed: 0, committedTo: [], claimable: 2_000_000, unconverted: 0 };
    expect(await trading.balance()).toEqual({ ok: true, value });
  });

  it.each<[string, string, Script[string]]>([
    ['a balance', '/balance-allowance', () => ({ body: { balance: 'some' } })],
    ['a balance', '/balance-allowance', () => ({ body: { balance: '9007199254740993' } })],
    ['a balance', '/balance-allowance', () => ({ body: null })],
    ['open orders', '/data/orders', () => ({ status: 500, body: {} })],
    ['a list of holdings', '/v2/positions', () => ({ body: {} })],
    ['a list of holdings', '/v2/positions', () => ({ status: 500, body: [] })],
    ['a list of holdings', '/v2/positions', () => 'lost'],
    ['a holding', '/v2/positions', () => pageOf([held, null])],
    ['a holding', '/v2/positions', () => pageOf([held, { ...held, token_id: 'FIRST' }])],
    ['a holding', '/v2/positions', () => pageOf([held, { ...held, current_size: 'two' }])],
    ['what a holding pays', '/v2/positions', () => pageOf([held, { ...held, current_price: 'all' }])],
  ])('is not shown without %s (%s) that can be read', async (what, path, answer) => {
    const { trading } = tradingOn({ ...readable, [path]: answer });
    const error = { kind: 'unavailable', message: expect.stringMatching(/^venue A: /) };
    expect(await trading.balance()).toEqual({ ok: false, error });
    if (what === 'a list of holdings') expect(await trading.positions()).toMatchObject({ ok: false });
    else if (path === '/v2/positions') {
      const rows = [{ address: FIRST, size: shares(2) }];
      expect(await trading.positions()).toMatchObject({ value: { rows, unread: [{ about: 'position' }] } });
    }
  });

  it('is asked for once more where a connection breaks', async () => {
    let asked = 0;
    const { trading } = tradingOn({
      ...readable,
      '/v2/positions': () => {
        asked += 1;
        return asked === 1 ? 'lost' : pageOf([held]);
      },
    });
    const position = { address: FIRST, size: shares(2), isRedeemable: true };
    expect(await trading.positions()).toEqual({ ok: true, value: { rows: [position], unread: [] } });
  });

  describe.each([
    ['its key', { owner: ACCOUNT.apiKey, maker_address: OTHER }],
    ['its wallet, with another key', { owner: 'another', maker_address: ACCOUNT.funder }],
  ])('has the fills of %s', (_what, party) => {
    const maker = { ...makerRow('1', '5', '0.51'), side: 'SELL' };
    const others = { owner: 'other', maker_address: OTHER };
    const read = async (taker: object, makers: object) => {
      const row = tradeRow({ size: '5', price: '0.51', ...taker, maker_orders: [{ ...maker, ...makers }] });
      const { trading, line } = tradingOn({ '/data/trades': () => listOf(row) });
      return { fills: await trading.fillsSince(1_999 as UnixMillis, 5_001 as UnixMillis), line };
    };

    it.each([
      ['a taker', party, others, { liquidity: 'TAKER', positionChange: shares(5) }],
      ['a maker', others, party, { liquidity: 'MAKER', positionChange: -shares(5) }],
    ])('as %s', async (_role, taker, makers, fill) => {
      expect((await read(taker, makers)).fills).toMatchObject({ value: { rows: [fill], unread: [] } });
    });

    // A trade that has failed was asked for from its own second on, which the venue may leave out (venue-a.md §3.6).
    it('6210: from the second before, up to the whole second that follows', async () => {
      const { line } = await read(party, others);
      const asked = new URLSearchParams(line.requests[0]!.target.split('?')[1]);
      expect([asked.get('after'), asked.get('before')]).toEqual(['0', '7']);
    });
  });

  it('pays as a maker what its market takes of makers', async () => {
    const maker = { ...makerRow('B', '5'), side: 'SELL', owner: ACCOUNT.apiKey };
    const reported = tradeIn(tradeRow({ taker_order_id: idOf('A'), size: '5', owner: 'other', maker_orders: [maker] }));
    const feesOf = (to: boolean) => {
      const market = { t: [{ t: FIRST }, { t: SECOND }], mts: 0.01, mos: 5, fd: { r: 0.05, e: 1, to } };
      return readMarketTerms(market, CONDITION, 0 as UnixMillis)!.fees;
    };
    const ours = partiesThat(it => it.owner === ACCOUNT.apiKey);
    const paid = (to: boolean) => fillsOf(reported, ours, feesOf(to));
    expect([paid(true), paid(false)]).toMatchObject([[{ fee: 0 }], [{ fee: 62_500 }]]);
    // The fill has the same id whether the venue writes order ids in upper or lower case.
    expect(paid(true)).toMatchObject([{ fillId: `t-1:${idOf('b')}:${idOf('a')}` }]);
  });

  it.each<[string, string, number | null, object]>([
    ['none, by the name of its protocol', FIRST, 0, { ok: true, value: 0 }],
    ['some of protocol V2, by its name there', SECOND_PROTOCOL.tokens[0], 5, { ok: true, value: 5 }],
    ['nobody knows what, if the venue does not know it', FIRST, null, { ok: false }],
  ])('has of a token %s', async (_what, token, balance, expected) => {
    const asked: string[] = [];
    const { trading } = tradingOn({
      '/balance-allowance': ({ target }) => {
        asked.push(target);
        return balance === null ? { status: 400, body: { error: 'no' } } : { body: { balance: String(balance) } };
      },
    });
    expect(await trading.holding(token)).toMatchObject(expected);
    // The first request makes the venue refresh the balance before the second request reads it.
    const type = token === FIRST ? 'CONDITIONAL' : 'CONDITIONAL-V2';
    const query = `asset_type=${type}&token_id=${token}&signature_type=0`;
    expect(asked).toEqual([`/balance-allowance/update?${query}`, `/balance-allowance?${query}`]);
  });

  it('has no fills while they cannot be read', async () => {
    const { trading } = tradingOn({ '/data/trades': () => ({ status: 500, body: {} }) });
    expect(await trading.fillsSince(0 as UnixMillis)).toMatchObject({ ok: false });
  });

  it('whose holdings cannot be read hears what they pay at the next look', async () => {
    let isUp = false;
    const { trading, timers } = tradingOn({
      '/v2/positions': () => (isUp ? pageOf([held]) : { status: 503, body: {} }),
    });
    const heard: PrivateEvent[] = [];
    trading.listen(event => heard.push(event));
    await timers.settle(1);
    expect(heard).toEqual([]);
    isUp = true;
    await timers.settle(limits.venueASettlementPollMs);
    expect(heard).toMatchObject([
      { type: 'settled', address: FIRST, value: 10_000 },
      { type: 'redeemable', addresses: [FIRST] },
    ]);
  });

  it('that nobody listens to any more hears nothing of earlier reads', async () => {
    const { trading, timers, line } = tradingOn({ '/v2/positions': () => pageOf([held]) });
    const heard: PrivateEvent[] = [];
    const stop = trading.listen(event => heard.push(event));
    stop();
    await timers.settle(limits.venueASettlementPollMs);
    expect(heard).toEqual([]);
    expect(line.requests.filter(({ target }) => target.startsWith('/v2/positions'))).toHaveLength(2);
  });
});

describe('a market', () => {
  const described = { t: [{ t: FIRST }, { t: SECOND }], mts: 0.01, mos: 5, ao: true };
  const unknown = { ok: false, error: { type: 'unknown-market' } };
  const unavailable = { ok: false, error: { type: 'unavailable' } };
  const clob = (body: unknown): Script => ({ '/clob-markets/': () => ({ body }) });
  const elsewhere = { '/markets-by-token/': () => ({ body: { condition_id: '../order' } }) };

  it.each<[string, Script, object]>([
    ['that its token is not of', clob({ ...described, t: [{ t: '1' }, { t: '2' }] }), unknown],
    ['that is not described as expected', clob({ t: [] }), unavailable],
    ['whose id is not known', { '/markets-by-token/': () => ({ body: {} }) }, unavailable],
    ['with an id that leads elsewhere', elsewhere, unavailable],
    ['that is not described at all', clob(undefined), unavailable],
  ])('%s has no facts, and takes no order', async (_what, script, refusal) => {
    const { trading, timers } = tradingOn(script);
    expect(await trading.facts(FIRST)).toMatchObject(refusal);
    const kind = refusal === unknown ? 'notFound' : 'unavailable';
    expect(await trading.prepare(orderAt(timers), 'key')).toMatchObject({ ok: false, error: { kind } });
  });

  it('whose book cannot be read takes no order at the market', async () => {
    const { trading, timers } = tradingOn({ '/book': () => ({ body: { asks: 'many' } }) });
    const prepared = await trading.prepare(orderAt(timers, marketBuy(10, 'FAK')), 'key');
    expect(prepared).toMatchObject({ ok: false, error: { kind: 'unavailable', error: { code: 'UNKNOWN' } } });
  });

  it('takes no order for more shares than can be counted', async () => {
    const { trading, timers } = tradingOn({});
    const order = orderAt(timers, marketBuy(9_000_000_000, 'FAK', 1));
    const refusal = { kind: 'invalid', error: { code: 'INVALID_ORDER', message: 'amount: too much' } };
    expect(await trading.prepare(order, 'key')).toMatchObject({ ok: false, error: refusal });
  });
});
