// Plays a session that was recorded at the venue (venue-b/kalshi-fortuna, June 2026) to the paper venue B. Every request comes in order, at the
// recorded time, in a scene prepared so that the recorded answers arise. Status, fields and types must equal the recording. All values except ids and
// times must equal it, too, if the answer is about markets that we list. One table has the venue's changes since then, with the reason for each.
// Skipped if the recordings are absent.

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject, type JsonObject, objectsOf, textOf } from '../../../src/core/domain/json.ts';
import type { Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { type ListedEvent, listedEvent } from './venue-b-listings.ts';
import { type Answer, newOrder, type RigUser, VenueBRig } from './venue-b-rig.ts';

const FOLDER = recordingPath('venue-b/kalshi-fortuna/fixtures/kalshi');
const ORDERS = '/portfolio/events/orders';
const TICKER = 'KXWTACHALLENGERMATCH-26JUN11JIMLEP-LEP';

interface Pair {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly auth: string;
  readonly at: number;
  readonly request: unknown;
  readonly body: unknown;
}

/** The fields that were added or removed after June 2026, or that we deliberately show in another way. */
const CHANGES: readonly {
  readonly of: RegExp;
  readonly gone?: readonly string[];
  readonly added?: readonly string[];
  readonly why: string;
}[] = [
  { of: /./, gone: ['service'], why: 'errors do not name the service since 2026-08-06 (venue-b.md §7)' },
  {
    of: /^(orders|portfolio|fills|cleanup|markets)__/,
    added: ['exchange_index'],
    why: 'shards came in summer 2026 (§3)',
  },
  {
    of: /^markets__/,
    gone: ['fractional_trading_enabled', 'response_price_units', 'tick_size', 'primary_participant_key'],
    why: 'gone by August 2026 (§3.1), or not of games',
  },
  {
    of: /^markets__/,
    gone: ['mve_collection_ticker', 'mve_selected_legs', 'is_provisional'],
    why: 'only of combos and provisional markets, of which the scene has none',
  },
  {
    of: /^markets__/,
    gone: ['liquidity_dollars'],
    added: ['settlement_bounds_type'],
    why: 'gone, and required, since 2026-10-01 (§4.2)',
  },
  { of: /^portfolio__positions/, gone: ['resting_orders_count'], why: 'dropped after June 2026 (§6)' },
  {
    of: /^portfolio__orders_list/,
    gone: ['self_trade_prevention_type'],
    why: 'one of the recorded orders came by a call that is removed, which did not ask for it',
  },
  {
    of: /^exchange__status/,
    added: ['exchange_index_statuses', 'intra_exchange_transfers_active'],
    why: 'sent since shards came (§4.1)',
  },
];

/** The calls that the venue has removed since then. They now answer 410 (§5.8). */
const REMOVED = ['orders__legacy_create', 'orders__legacy_cancel'];

/** The delay of the venue's reads, by request. This read was behind a cancel that the venue had answered 360 ms before (§5.6). */
const STALE_MS: Readonly<Record<string, number>> = { orders__get_after_cancel: 450 };

/** The values that are not compared: random values, times, and values about markets that were not recorded. */
const NOT_COMPARED = /(^|_)(id|ts|ts_ms|time|cursor)$|^(portfolio_value|endpoint_costs|last_updated_ts)$/;
const COMPARED = /^(auth|orders|cleanup|fills|portfolio|settlements|account|orderbook|exchange|series)__/;

function readPairs(): Pair[] {
  const names = readdirSync(FOLDER).flatMap(file => (file.endsWith('.meta.json') ? [file.slice(0, -10)] : []));
  const json = (file: string): JsonObject => JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as JsonObject;
  return names
    .map(name => ({ name, meta: json(`${name}.meta.json`) }))
    .filter(({ meta }) => typeof meta.method === 'string')
    .map(({ name, meta }) => ({
      name,
      method: textOf(meta.method),
      path: textOf(meta.path).replace('/trade-api/v2', ''),
      status: meta.status as number,
      auth: textOf(meta.auth),
      at: (meta.recorded_at_epoch_ms as number | undefined) ?? Number.MAX_SAFE_INTEGER,
      request: meta.request_body ?? undefined,
      body: json(`${name}.json`),
    }))
    .sort((a, b) => a.at - b.at);
}

/** The start of the rehearsal before the session. The order list of the session includes the rehearsal, which left the user two contracts. */
const REHEARSAL_STARTS = Date.parse('2026-06-11T06:25:14.321Z') as UnixMillis;

class Scene {
  readonly timers = new VirtualTimers(REHEARSAL_STARTS);
  rig!: VenueBRig;
  user!: RigUser;
  staleMs = 0;
  /** The paper venue's names for the recorded ids and cursors. */
  readonly names = new Map<string, string>();

  async prepare(): Promise<void> {
    const now = this.timers.now();
    const list = (eventTicker: string, count: number, changes: Partial<ListedEvent> = {}) => {
      const tickers = Array.from({ length: count }, (_, n) => `${eventTicker}-${n}`);
      return listedEvent({ eventTicker, tickers, now, ...changes });
    };
    const strike = { type: 'greater', floor: 1.5 };
    const closed = list('KXMLBHIT-26JUN10CLOSED', 6, { opensInH: -48, closesInH: -24, strike });
    const settled = list('KXWTAMATCH-26JUN09SETTLED', 6, { opensInH: -72, closesInH: -48 });
    this.rig = await VenueBRig.start({
      timers: this.timers,
      // A market that is determined at the start has settled when the session asks for it; a market that is determined later has not.
      faults: { staleMs: () => this.staleMs, settlementDelayMs: () => 230_000 },
      events: [
        list('KXMLBHIT-26JUN111310AZMIA', 13, { opensInH: 2, strike }),
        listedEvent({ eventTicker: TICKER.slice(0, -4), tickers: [TICKER], now }),
        listedEvent({ eventTicker: 'KXPGATOUR-USO26', tickers: ['KXPGATOUR-USO26-JDAY'], now }),
        list('KXMLBHIT-26JUN11OPEN', 6, { strike }),
        list('KXWTAMATCH-26JUN11', 200),
        closed,
        settled,
      ],
    });
    const { exchange } = this.rig;
    for (const { ticker } of settled.markets) exchange.life.determine(this.rig.market(ticker), 10_000 as Ticks);
    this.user = this.rig.user({ cents: 10_000, tier: 'basic' });
    await this.rehearse();
    this.rig.house('bid 0.47 x 3', 'rest', TICKER);
    this.rig.house('ask 0.52 x 3', 'rest', TICKER);
    for (const count of [1, 2, 3]) {
      this.rig.house(`ask 0.03 x ${count}`, 'rest', 'KXPGATOUR-USO26-JDAY');
      this.rig.house(`bid 0.03 x ${count}`, 'take', 'KXPGATOUR-USO26-JDAY');
    }
    this.timers.advance(1);
    for (const { ticker } of closed.markets) exchange.life.determine(this.rig.market(ticker), 0 as Ticks);
  }

  async rehearse(): Promise<void> {
    const ioc = { time_in_force: 'immediate_or_cancel' };
    this.rig.house('ask 0.99 x 2', 'rest', TICKER);
    await this.placeAt('06:25:14.321', {}, 'and cancel');
    await this.placeAt('06:25:23.609', { price: '0.9900', ...ioc });
    await this.placeAt('06:25:31.922', { price: '0.9900', post_only: true });
    const own = await this.placeAt('06:25:33.331', { price: '0.0200' });
    await this.placeAt('06:25:34.746', { price: '0.0200', side: 'ask', ...ioc });
    await this.user.send('DELETE', `${ORDERS}/${own}`);
    await this.placeAt('06:25:36.973', {}, 'and cancel');
    await this.placeAt('06:25:38.796', { price: '0.9900', ...ioc });
  }

  async placeAt(time: string, changes: Record<string, unknown>, then?: 'and cancel'): Promise<string> {
    this.moveTo(Date.parse(`2026-06-11T${time}Z`));
    const { body } = await this.user.send('POST', ORDERS, newOrder({ ticker: TICKER, ...changes }));
    const orderId = isObject(body) ? textOf(body.order_id) : '';
    if (then !== undefined) await this.user.send('DELETE', `${ORDERS}/${orderId}`);
    return orderId;
  }

  moveTo(at: number): void {
    this.timers.advance(Math.max(0, at - this.timers.now()));
  }

  async play(pair: Pair): Promise<Answer> {
    if (pair.at < Number.MAX_SAFE_INTEGER) this.moveTo(pair.at);
    this.staleMs = STALE_MS[pair.name] ?? 0;
    let path = pair.path;
    for (const [recorded, ours] of this.names) path = path.replace(recorded, ours);
    const answer = await this.rig.fetch(pair.method, path, pair.request, this.headers(pair, path));
    this.remember(pair.body, answer.body);
    return answer;
  }

  headers(pair: Pair, path: string): Record<string, string> {
    const skew = /skew_(plus|minus)(\d+)(s|min)$/.exec(pair.name);
    const skewMs =
      Number(`${skew?.[1] === 'minus' ? '-' : ''}${skew?.[2] ?? 0}`) * (skew?.[3] === 'min' ? 60_000 : 1_000);
    const headers = this.user.headers(pair.method, pair.auth === 'bad-signature' ? '/wrong' : path, skewMs);
    if (pair.auth === 'unknown-key-id') headers['KALSHI-ACCESS-KEY'] = '00000000-0000-0000-0000-000000000000';
    if (pair.auth === 'missing-signature-header') delete headers['KALSHI-ACCESS-SIGNATURE'];
    return /^(NONE|unauthenticated)/.test(pair.auth) ? {} : headers;
  }

  remember(recorded: unknown, ours: unknown): void {
    if (!isObject(recorded) || !isObject(ours)) return;
    for (const key of ['order_id', 'cursor']) {
      const [name, value] = [textOf(recorded[key]), textOf(ours[key])];
      if (name !== '' && value !== '') this.names.set(name, value);
    }
  }
}

/** Returns the fields and their types. The fields of a list are those of all its items together. */
function shapeOf(value: unknown, path = ''): Map<string, string> {
  const shape = new Map<string, string>([[path, Array.isArray(value) ? 'array' : typeof value]]);
  const add = (parts: Map<string, string>): void => {
    for (const [name, type] of parts) shape.set(name, type);
  };
  if (Array.isArray(value)) for (const item of value) add(shapeOf(item, `${path}[]`));
  // The names in `custom_strike` depend on the market.
  else if (isObject(value) && !path.endsWith('custom_strike')) {
    for (const [key, item] of Object.entries(value)) add(shapeOf(item, `${path}.${key}`));
  }
  return shape;
}

/** Expects the recorded shape as the venue would answer today. Fields that were added since then may be present. */
function expectShape(name: string, recorded: unknown, ours: unknown): void {
  const changes = CHANGES.filter(({ of }) => of.test(name));
  const isOf = (fields: readonly string[], path: string): boolean =>
    fields.some(field => path.split(/[.[\]]+/).includes(field));
  const gone = changes.flatMap(change => change.gone ?? []);
  const added = changes.flatMap(change => change.added ?? []);
  const wanted = [...shapeOf(recorded)].filter(([path]) => !isOf(gone, path) && !isOf(added, path));
  const got = [...shapeOf(ours)].filter(([path]) => !isOf(added, path) && !isOf(gone, path));
  expect(new Map(got.sort())).toEqual(new Map(wanted.sort()));
}

/** Returns a value without random values and times. */
function facts(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => facts(name, item));
  if (!isObject(value)) return value;
  const gone = CHANGES.filter(({ of }) => of.test(name)).flatMap(({ gone = [], added = [] }) => [...gone, ...added]);
  const kept = Object.entries(value).filter(([key]) => !NOT_COMPARED.test(key) && !gone.includes(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, facts(name, item)]));
}

describe.skipIf(!recordingsPresent)('recorded requests and answers of venue B (needs the recordings)', () => {
  const pairs = recordingsPresent ? readPairs() : [];
  const scene = new Scene();
  beforeAll(() => scene.prepare());
  afterAll(() => scene.rig.close());

  it('are all there', () => {
    expect(pairs).toHaveLength(57);
  });

  it.each(pairs)('$name', async pair => {
    const answer = await scene.play(pair);
    if (REMOVED.includes(pair.name)) {
      expect([answer.status, answer.body]).toMatchObject([410, { error: { code: 'deprecated_v1_order_endpoint' } }]);
      return;
    }
    expect(answer.status, answer.text).toBe(pair.status);
    expectShape(pair.name, pair.body, answer.body);
    if (COMPARED.test(pair.name)) expect(facts(pair.name, answer.body)).toEqual(facts(pair.name, pair.body));
    if (pair.status >= 400) expect(objectsOf([answer.body])).toHaveLength(1);
  });
});
