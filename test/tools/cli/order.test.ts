// `crossbook order`, `orders`, `positions`, `balance`, `markets` and `protection` against a gateway on the paper exchanges; and against a server that answers as a gateway seldom does.

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { balanceCommand, positionsCommand } from '../../../src/tools/cli/account.ts';
import { marketsCommand } from '../../../src/tools/cli/markets.ts';
import { orderCommand } from '../../../src/tools/cli/order.ts';
import { ordersCommand } from '../../../src/tools/cli/orders.ts';
import { podsCommand } from '../../../src/tools/cli/pods.ts';
import { protectionCommand } from '../../../src/tools/cli/protection.ts';
import { type PaperGateway, startPaperGateway } from '../../clients/paper-gateway.ts';
import { eventually } from '../../support/eventually.ts';
import { CallRig } from './call-rig.ts';
import { CommandRig } from './command-rig.ts';

const UUID = '[0-9a-f-]{36}';

describe('crossbook order', () => {
  let paper: PaperGateway;
  const rig = new CommandRig();
  beforeAll(async () => {
    paper = await startPaperGateway();
  });
  afterAll(async () => {
    rig.remove();
    await paper.close();
  });

  const where = () => ['--url', paper.gateway.httpUrl, '--data-dir', join(paper.folder, 'data')];
  const order = (...args: string[]) => rig.run(orderCommand, ...args, ...where());
  const orders = (...args: string[]) => rig.run(ordersCommand, ...args, ...where());
  const positions = (...args: string[]) => rig.run(positionsCommand, ...args, ...where());
  const rowsIn = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map(line => line.split(/ {2,}/));
  const idIn = (text: string): string => new RegExp(`^${UUID}`).exec(text)?.[0] ?? `no order in ${text}`;
  const places = () => ({
    venue_a: { market: paper.tokenId, side: 'buy', size: '10' },
    venue_b: { market: paper.ticker, side: 'buy-yes', size: '0.22' },
  });

  it.each(['venue_a', 'venue_b'] as const)('places, lists, shows, replaces and cancels at %s', async venue => {
    const { market, side, size } = places()[venue];
    const placed = await order('submit', market, side, size, '--price', '0.01', '--idempotency-key', `mine-${venue}`);
    const words = new RegExp(`^${UUID}  OPEN  .+ – .+: winner\n$`);
    expect(placed).toEqual({ code: 0, out: expect.stringMatching(words), err: '' });
    const orderId = idIn(placed.out);
    const { out: list } = await orders('--market', market);
    const [head, ...rows] = rowsIn(list);
    expect(head).toEqual(['ORDER', 'MARKET', 'SIDE', 'SIZE', 'PRICE', 'FILLED', 'STATUS', 'CREATED', 'TITLE']);
    expect(rows.map(row => row.slice(0, -2))).toContainEqual([orderId, market, side, size, '0.01', '0', 'OPEN']);
    expect(rows[0]?.at(-1)).toMatch(/^.+ – .+: winner$/);
    const [queues, ...queued] = rowsIn((await orders('--market', market, '--venue-queue')).out);
    expect(queues?.slice(-3)).toEqual(['AHEAD', 'AT VENUE', 'TITLE']);
    const ahead = venue === 'venue_b' ? /^\d+(\.\d+)?$/ : /^–$/;
    expect(queued.find(row => row[0] === orderId)?.at(-2)).toMatch(ahead);
    const { orders: views } = JSON.parse((await orders('--market', market, '--json')).out);
    expect(views).toContainEqual(JSON.parse((await order('get', orderId, '--json')).out));
    for (const name of [orderId, `mine-${venue}`]) {
      expect((await order('get', name)).out).toMatch(new RegExp(`^orderId +${orderId}\n[^]*^status +OPEN$`, 'm'));
    }
    const replaced = await order('replace', `mine-${venue}`, '--size', '7.55', '--price', '0.02');
    expect(replaced.out).toMatch(new RegExp(`^${UUID}  OPEN, in place of ${orderId}\n$`));
    expect(await order('cancel', idIn(replaced.out))).toMatchObject({
      code: 0,
      out: `${idIn(replaced.out)}  CANCELLED, filled nothing\n`,
    });
  });

  it('takes what is in the market at once, and says so', async () => {
    const bought = await order('submit', paper.tokenId, 'buy', '2', '--market-order');
    expect(bought.out).toMatch(new RegExp(`^${UUID}  FILLED  .+ – .+: winner\n$`));
    const { out } = await orders('--status', 'filled', '--market', paper.tokenId, '--count', '1');
    expect(out).toContain(idIn(bought.out));
  });

  it('previews: what the book fills at once, and why an order would be refused', async () => {
    const { out } = await order('preview', paper.ticker, 'buy-yes', '2', '--price', '0.99');
    expect(out).toMatch(/^admission\.status +201$/m);
    expect(out).toMatch(/^fill\.isWhole +true$/m);
    const view = JSON.parse((await order('preview', paper.tokenId, 'sell', '50', '--price', '0.5', '--json')).out);
    expect(view).toMatchObject({
      admission: { status: 400, code: 'INSUFFICIENT_BALANCE' },
      queueAhead: { min: expect.any(String), max: expect.any(String) },
    });
  });

  it('cancels all, in one market or everywhere', async () => {
    for (const { market, side, size } of Object.values(places()))
      await order('submit', market, side, size, '--price', '0.01');
    expect((await order('cancel-all', '--market', paper.ticker)).out).toMatch(/^\S+ {2}CANCELLED\n$/);
    expect((await order('cancel-all')).out).toMatch(/^\S+ {2}CANCELLED\n$/);
    expect((await order('cancel-all')).out).toBe('no orders\n');
    expect(await orders()).toEqual({ code: 0, out: 'no orders\n', err: '' });
  });

  it('says why an order is refused, and that one is not there', async () => {
    const refused = await order('submit', paper.ticker, 'buy-yes', '1', '--price', '1.5');
    expect(refused).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^crossbook: price: .*\(INVALID_REQUEST\)\n$/),
    });
    for (const args of [['get'], ['cancel'], ['replace', '--price', '0.5']]) {
      const [name = '', ...options] = args;
      expect((await order(name, 'nothing', ...options)).err).toBe('crossbook: there is no order nothing\n');
    }
  });

  it.each([
    [['submit', 'KX-1', 'buy', '1', '--price', '0.5'], 'SIDE: must be buy-yes'],
    [['submit', 'KX-1', 'buy-yes', '1'], '--price: is required'],
    [['submit', '12', 'buy', '1'], '--price: is required'],
    [['submit', '12', 'buy', '1', '--market-order', '--price', '0.5'], '--price: a market order has --worst-price'],
    [['submit', 'KX-1', 'buy-yes', '1', '--market-order'], '--market-order: requires a token id of venue A'],
    [['submit', 'KX-1'], 'SIDE: is required'],
    [['replace', 'mine'], 'order replace: needs --price or --size'],
    [['cancel'], 'ORDER: is required'],
    [['amend'], 'order: must be followed by submit, preview, get, replace, cancel or cancel-all\n'],
    [['cancell'], 'or cancel-all, did you mean cancel?'],
    [['get', 'mine', '--datadir', 'data'], "Unknown option '--datadir', did you mean --data-dir?"],
  ])('names the mistake in %j', async (args, message) => {
    expect(await order(...args)).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
  });

  it.each(['all', '0', '101'])('lists no %s orders', async count => {
    const err = 'crossbook: --count: must be a whole number from 1 to 100\n';
    expect(await orders('--count', count)).toEqual({ code: 2, out: '', err });
  });

  it('shows what is held, with its title, value and profit', async () => {
    await order('submit', paper.ticker, 'buy-yes', '2', '--price', '0.99', '--time-in-force', 'IOC');
    const [head, ...rows] = rowsIn((await positions()).out);
    expect(head).toEqual(['MARKET', 'SIDE', 'SIZE', 'AVERAGE', 'MARK', 'VALUE USD', 'PROFIT USD', 'TITLE']);
    const row = rows.find(([market]) => market === paper.ticker);
    expect(row?.slice(0, 3)).toEqual([paper.ticker, 'YES', '2']);
    expect(row?.at(-1)).toMatch(/^.+ – .+: winner$/);
    const { venue_b } = JSON.parse((await positions('--json')).out);
    expect(venue_b.positions).toContainEqual(expect.objectContaining({ ticker: paper.ticker, size: row?.[2] }));
  });

  it('shows the cash at both venues', async () => {
    const balance = (...args: string[]) => rig.run(balanceCommand, ...args, ...where());
    const { venue_a, venue_b } = JSON.parse((await balance('--json')).out);
    const rows = rowsIn((await balance()).out);
    expect(rows).toContainEqual(['venue_a', 'available', String(venue_a.available)]);
    expect(rows).toContainEqual(['venue_b', 'available', String(venue_b.available)]);
  });

  it('finds the markets of both venues, and the ids that orders name', async () => {
    const markets = (...args: string[]) => rig.run(marketsCommand, ...args, ...where());
    for (const address of [paper.tokenId, paper.ticker]) {
      const { code, out, err } = await markets('--search', address, '--executable');
      expect([code, err]).toEqual([0, '']);
      expect(out).toMatch(new RegExp(`^.+: winner {2}\\(\\S+:moneyline\\)\n[^]* ${address}\\b`));
    }
    const { markets: listed } = JSON.parse((await markets('--venue', 'VENUE-B', '--count', '1', '--json')).out);
    expect(listed).toHaveLength(1);
    expect(await markets('--search', 'nothing like this')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^no market/),
    });
    const wrong = 'crossbook: --venue: must be venue_a or venue_b\n';
    expect(await markets('--venue', 'kalshi')).toEqual({ code: 2, out: '', err: wrong });
  });

  describe('crossbook protection', () => {
    const protection = (...args: string[]) => rig.run(protectionCommand, ...args, ...where());
    const buy = (price: string) => order('submit', paper.ticker, 'buy-yes', '1', '--price', price);
    it('sets, lists and ends those of a venue and of a market', async () => {
      expect(await protection('list')).toEqual({ code: 0, out: 'no protections\n', err: '' });
      const { ticker, tokenId } = paper;
      expect(await protection('set', 'venue_b', '--fills-max', '3', '--window-ms', '2000')).toEqual({
        ...{ code: 0, err: '' },
        out: 'venue_b  ARMED, at most 3 fills within 2000 ms\n',
      });
      const ofToken = await protection('set', tokenId, '--shares-max', '2.5', '--window-ms', '500');
      expect(ofToken.out).toBe(`${tokenId}  ARMED, at most 2.5 shares within 500 ms\n`);
      expect(rowsIn((await protection('list')).out)).toEqual([
        ['VENUE', 'MARKET', 'AT MOST', 'WINDOW MS', 'STATE', 'FILLS', 'SHARES', 'TRIGGERED'],
        ['venue_a', tokenId, '2.5 shares', '500', 'ARMED', '0', '0'],
        ['venue_b', 'all', '3 fills', '2000', 'ARMED', '0', '0'],
      ]);
      expect((await protection('end', tokenId)).out).toBe(`${tokenId}  ended\n`);
      expect((await protection('end', 'venue_b')).out).toBe('venue_b  ended\n');
      expect(await protection('end', ticker)).toMatchObject({
        code: 1,
        err: 'crossbook: venue, address: no such protection (NOT_FOUND)\n',
      });
    });

    it('resets one that was triggered', async () => {
      await protection('set', paper.ticker, '--fills-max', '0', '--window-ms', '1000');
      expect((await buy('0.99')).out).toMatch(/ {2}FILLED {2}/);
      await eventually(async () => {
        const [, row = []] = rowsIn((await protection('list')).out);
        expect(row.slice(0, -1)).toEqual(['venue_b', paper.ticker, '0 fills', '1000', 'TRIGGERED', '1', '1']);
        expect(row.at(-1)).toMatch(/^20\d\d-.*Z$/);
      });
      expect((await buy('0.01')).err).toMatch(/^crossbook: the protection of venue_b .* is triggered/);
      expect(await protection('reset', paper.ticker)).toMatchObject({
        code: 0,
        out: `${paper.ticker}  ARMED, at most 0 fills within 1000 ms\n`,
      });
      expect((await buy('0.01')).out).toMatch(/ {2}OPEN {2}/);
    });

    it.each([
      [['set', 'venue_b', '--window-ms', '1000'], 2, 'protection set: needs either --fills-max or --shares-max'],
      [
        ['set', 'venue_b', '--fills-max', '1', '--shares-max', '1', '--window-ms', '1000'],
        2,
        'protection set: needs either',
      ],
      [['set', 'venue_b', '--fills-max', 'many', '--window-ms', '1000'], 2, '--fills-max: must be a whole number'],
      [['set', 'venue_b', '--fills-max', '1'], 2, '--window-ms: is required'],
      [['set', 'venue_b', '--fills-max', '1', '--window-ms', '1'], 1, 'windowMs: must be an integer from 100'],
      [['set', 'KXNOTHING', '--fills-max', '1', '--window-ms', '1000'], 1, 'address: no such market (NOT_FOUND)'],
      [['reset'], 2, 'PLACE: is required'],
    ])('%j is refused', async (args, code, words) => {
      const refused = await protection(...args);
      expect([refused.code, refused.out, refused.err]).toEqual([
        code,
        '',
        expect.stringContaining(`crossbook: ${words}`),
      ]);
    });
  });
});

describe('an outcome that is not known', () => {
  it('is followed by what to do, with the same key', async () => {
    const rig = await CallRig.start();
    const orderId = '5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38';
    const error = { code: 'ORDER_RECONCILIATION_REQUIRED', message: 'no answer', orderId };
    rig.server.answer = ({ method }) =>
      method === 'GET'
        ? { body: { orderId } }
        : { status: 504, body: { error, replaces: { orderId, status: 'OPEN' } } };
    const run = (...args: string[]) => rig.run(orderCommand, ...args, '--url', rig.server.url);
    const words = `no answer: it may have taken effect; order ${orderId} is OPEN; read it: crossbook order get ${orderId}`;
    const replaced = await run('replace', orderId, '--price', '0.5', '--idempotency-key', 'mine');
    expect(replaced).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${words}; the same command with --idempotency-key mine`),
    });
    const cancelled = await run('cancel', orderId);
    expect(cancelled).toMatchObject({ code: 1, err: `crossbook: ${words}\n` });
    await rig.end();
  });

  it('is not reported if no gateway was reached: nothing was sent', async () => {
    const rig = await CallRig.start();
    const { err } = await rig.run(orderCommand, 'get', 'mine', '--unix', '/nowhere.sock');
    expect(err).toMatch(/ENOENT.*; nothing was sent\. Does the gateway run/);
    await rig.end();
  });
});

it('a venue that does not state the queues is named once, beside the orders', async () => {
  const rig = await CallRig.start();
  const fault = 'venue B: HTTP 503';
  const view = {
    side: 'YES',
    action: 'BUY',
    size: '1',
    price: '0.5',
    status: 'OPEN',
    createdAt: '2026-11-20T18:00:00Z',
  };
  const queues = { queueAhead: { low: '1', high: '2' }, queueAtVenue: { ahead: null, fault } };
  const asked: string[] = [];
  rig.server.answer = ({ target }) => {
    asked.push(target);
    const orders = target.startsWith('/v1/venue-b/')
      ? ['1', '2'].map(orderId => ({ ...view, ...queues, orderId }))
      : [];
    return { body: { orders, markets: [], nextPageToken: null } };
  };
  const { out, err } = await rig.run(ordersCommand, '--venue-queue', '--url', rig.server.url);
  expect([out.match(/1–2 +unknown/g)?.length, err]).toEqual([2, `${fault}\n`]);
  expect(asked.filter(it => it.includes('/orders'))).toEqual([
    expect.stringContaining('queue=true'),
    expect.stringContaining('queue=venue'),
  ]);
  await rig.end();
});

describe('a note of the gateway beside its answer', () => {
  it('is printed once', async () => {
    const rig = await CallRig.start();
    const orderId = '5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38';
    rig.server.answer = ({ method }) =>
      method === 'GET'
        ? { body: { orderId, orders: [] }, headers: { 'SVC-Current': 'false' } }
        : { body: { orderId, status: 'CANCELLED', filledCount: null }, headers: { 'SVC-Recorded': 'false' } };
    const where = ['--url', rig.server.url];
    const run = (...args: string[]) => rig.run(orderCommand, ...args, ...where);
    const behind = 'this may lack what the venue has reported (SVC-Current): crossbook status says why\n';
    expect(await rig.run(ordersCommand, ...where)).toEqual({ code: 0, out: 'no orders\n', err: behind });
    const unrecorded = 'done at the venue and not recorded by the gateway (SVC-Recorded): crossbook status says why\n';
    expect(await run('cancel', orderId)).toEqual({
      code: 0,
      out: `${orderId}  CANCELLED, filled nothing\n`,
      err: `${behind}${unrecorded}`,
    });
    await rig.end();
  });
});

// If one venue had many more orders, its next orders were missing between older orders of the other venue.
describe('3256: the newest orders of both venues', () => {
  let rig: CallRig;
  beforeAll(async () => {
    rig = await CallRig.start();
  });
  afterAll(() => rig.end());

  const ordersAt = (...minutes: readonly number[]) =>
    minutes.map(minute => ({
      ...{
        orderId: `order-${minute}`,
        ticker: 'KX-1',
        action: 'BUY',
        side: 'YES',
        count: 1,
        price: '0.5',
        status: 'OPEN',
      },
      createdAt: `2026-11-20T18:0${minute}:00.000Z`,
    }));

  const listed = async (count: string) => {
    const { out, err } = await rig.run(ordersCommand, '--count', count, '--url', rig.server.url);
    return [out.match(/order-\d/g), err] as const;
  };

  it('are as many as asked for, without a gap', async () => {
    rig.server.answer = ({ target }) =>
      target.startsWith('/v1/venue-a/')
        ? { body: { orders: ordersAt(3, 1), markets: [], nextPageToken: null } }
        : { body: { orders: ordersAt(5, 4), markets: [], nextPageToken: 'more' } };
    expect(await listed('2')).toEqual([['order-5', 'order-4'], 'there are more: --count\n']);
  });

  it('are said to be all only where they are', async () => {
    rig.server.answer = ({ target }) => ({
      body: { orders: ordersAt(target.startsWith('/v1/venue-a/') ? 3 : 5), markets: [], nextPageToken: null },
    });
    expect(await listed('1')).toEqual([['order-5'], 'there are more: --count\n']);
    expect(await listed('2')).toEqual([['order-5', 'order-3'], '']);
  });
});

// The command created the missing folder with the id of a new gateway in it, and gave the pod to that gateway. From then on the real owner of the pod
// was refused, and nobody traded.
describe('3307: a pod taken for no gateway', () => {
  let rig: CommandRig;
  beforeEach(() => {
    rig = new CommandRig();
    rig.env = {
      CROSSBOOK_DURABILITY: 'replicated',
      CROSSBOOK_NATS: 'nats://127.0.0.1:1',
      CROSSBOOK_PUBLIC_URL: 'http://standby.example:8080',
    };
  });
  afterEach(() => rig.remove());

  it('is refused where there is no data directory, and makes none', async () => {
    const { code, err } = await rig.run(podsCommand, 'take', 'desk');
    expect([code, err]).toEqual([2, expect.stringContaining(`${rig.dataDir} has no pods/desk.secret`)]);
    expect(existsSync(rig.dataDir)).toBe(false);
  });

  it('is refused where the data directory is of other pods', async () => {
    mkdirSync(rig.dataDir);
    expect((await rig.run(podsCommand, 'take', 'desk')).code).toBe(2);
    expect(readdirSync(rig.dataDir)).toEqual([]);
  });
});
