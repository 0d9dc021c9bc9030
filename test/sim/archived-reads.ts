// Venue B's reads of orders and fills, for the adapter's own look-up. Rows are as the venue writes them. They stand in lists that lag, or
// in an archive that does not (venue-b.md §4.5). Ended orders and fills are archived after times of their own. What is archived may still
// be in a list that lags.

import { type MicroDollars, type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../../src/core/domain/numbers.ts';
import { addressOf, directionOf, priceInFrame } from '../../src/core/domain/order-frame.ts';
import { expiresAtOf } from '../../src/core/domain/order-request.ts';
import { fail, ok, type Result } from '../../src/core/domain/result.ts';
import { countText, moneyText, priceText } from '../../src/paper/venue-b/wire-text.ts';
import type { VenueBReads } from '../../src/venues/venue-b/trading/archive.ts';
import type { ReadAnswer } from '../../src/venues/venue-b/trading/rest.ts';
import { openSize, ordersAsOf, type TrueFill, type TrueOrder } from './true-order.ts';
import type { Wire } from './wire.ts';

const TIMEOUT_MS = 5_000;

/** Reads the state at a time that may lie before the present. Gives `late` after the deadline. */
type Read = <T>(deadline: number | null, late: T, read: (asOf: number) => T) => Promise<T>;

interface Question {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly asOf: number;
}

const UNAVAILABLE: ReadAnswer = { type: 'unavailable', isRefused: false, message: 'no answer' };
const MISSING: ReadAnswer = { type: 'missing', message: 'not found' };

export function archivedReads(wire: Wire, read: Read): VenueBReads {
  const { schedule } = wire;
  const asked = <T>(
    target: string,
    deadline: number | null,
    late: T,
    answer: (question: Question) => T,
  ): Promise<T> => {
    const { pathname: path, searchParams: query } = new URL(target, 'http://venue.test');
    const isLost = wire.chance(0.03);
    return read(deadline, late, asOf => (isLost ? late : answer({ path, query, asOf })));
  };
  return {
    deadline: () => (schedule.now() + TIMEOUT_MS) as ReturnType<VenueBReads['deadline']>,
    read: (target, deadline) => asked(target, deadline, UNAVAILABLE, question => answerTo(wire, question)),
    readList: (target, _name, deadline = null) =>
      asked<Result<readonly unknown[], string>>(target, deadline, fail('no answer'), question =>
        ok(rowsFor(wire, question)),
      ),
  };
}

function answerTo({ exchange, liveMs, schedule }: Wire, { path, asOf }: Question): ReadAnswer {
  if (path === '/exchange/user_data_timestamp') return { type: 'body', body: { as_of_time: timeText(asOf) } };
  if (path === '/historical/cutoff') {
    const [orders, fills] = [liveMs.orders, liveMs.fills].map(ms => timeText(schedule.now() - ms));
    return { type: 'body', body: { orders_updated_ts: orders, trades_created_ts: fills } };
  }
  const order = ordersAsOf(exchange.orders.values(), asOf).find(it => path === `/portfolio/orders/${it.venueOrderId}`);
  return order === undefined || isArchived(order, asOf - liveMs.orders)
    ? MISSING
    : { type: 'body', body: { order: orderRow(order) } };
}

/** Returns the rows, newest first. */
function rowsFor({ exchange, liveMs, schedule }: Wire, { path, query, asOf }: Question): readonly unknown[] {
  const inArchive = path.startsWith('/historical/');
  const at = inArchive ? schedule.now() : asOf;
  const orders = ordersAsOf(exchange.orders.values(), at).filter(it => addressOf(it.request) === query.get('ticker'));
  if (path.endsWith('/orders'))
    return orders
      .filter(order => isArchived(order, at - liveMs.orders) === inArchive && isWithin(order.history[0]!.at, query))
      .map(orderRow)
      .toReversed();
  return orders
    .filter(({ venueOrderId }) => (query.get('order_id') ?? venueOrderId) === venueOrderId)
    .flatMap(order => order.fills.map(traded => ({ order, traded })))
    .filter(({ traded }) => traded.fill.executedAt < at - liveMs.fills === inArchive)
    .sort((one, other) => other.traded.fill.executedAt - one.traded.fill.executedAt)
    .map(({ order, traded }) => fillRow(order, traded));
}

function isArchived({ state, history }: TrueOrder, cutoff: number): boolean {
  return state === 'gone' && history.at(-1)!.at < cutoff;
}

function isWithin(at: number, query: URLSearchParams): boolean {
  const [from, until] = [query.get('min_ts'), query.get('max_ts')];
  return (from === null || at >= Number(from) * 1_000) && (until === null || at <= Number(until) * 1_000);
}

function orderRow(order: TrueOrder): Readonly<Record<string, unknown>> {
  const { venueOrderId, clientOrderId, request, price, size, fills, history, state } = order;
  const left = openSize(order);
  const expiresAt = expiresAtOf(request);
  const isAtOnce = history[0]!.state === 'gone';
  return {
    order_id: venueOrderId,
    client_order_id: clientOrderId,
    ticker: addressOf(request),
    status: state === 'gone' ? (left === 0 ? 'executed' : 'canceled') : 'resting',
    book_side: sideOf(order),
    yes_price_dollars: priceText(priceInFrame(request, price)),
    initial_count_fp: countText(size as MicroShares),
    fill_count_fp: countText((size - left) as MicroShares),
    remaining_count_fp: countText((state === 'gone' ? 0 : left) as MicroShares),
    taker_fill_cost_dollars: costOf(order, fills.filter(isTaker)),
    maker_fill_cost_dollars: costOf(
      order,
      fills.filter(fill => !isTaker(fill)),
    ),
    taker_fees_dollars: feesOf(fills.filter(isTaker)),
    maker_fees_dollars: feesOf(fills.filter(fill => !isTaker(fill))),
    created_time: timeText(history[0]!.at),
    last_update_time: timeText(history.at(-1)!.at, isAtOnce ? 0 : 1),
    ...(expiresAt === null ? {} : { expiration_time: timeText(expiresAt) }),
  };
}

/** Makes the row of a fill. No list of fills has our names (venue-b.md §6). */
function fillRow(order: TrueOrder, { fill }: TrueFill): Readonly<Record<string, unknown>> {
  return {
    trade_id: fill.venueTradeId,
    order_id: order.venueOrderId,
    market_ticker: fill.address,
    book_side: sideOf(order),
    yes_price_dollars: priceText(fill.addressPrice),
    count_fp: countText(fill.size),
    fee_cost: moneyText(fill.fee),
    is_taker: fill.liquidity === 'TAKER',
    created_time: timeText(fill.executedAt),
  };
}

function sideOf({ request }: TrueOrder): 'bid' | 'ask' {
  return directionOf(request) === 1 ? 'bid' : 'ask';
}

function isTaker({ fill }: TrueFill): boolean {
  return fill.liquidity === 'TAKER';
}

/** Returns the cost on the order's own side: YES for a bid, NO for an ask. */
function costOf(order: TrueOrder, fills: readonly TrueFill[]): string {
  const isBid = sideOf(order) === 'bid';
  const own = (yes: Ticks): number => (isBid ? yes : TICKS_PER_DOLLAR - yes);
  const cost = fills.reduce((sum, { fill }) => sum + (own(fill.addressPrice) * fill.size) / TICKS_PER_DOLLAR, 0);
  return moneyText(cost as MicroDollars);
}

function feesOf(fills: readonly TrueFill[]): string {
  return moneyText(fills.reduce((sum, { fill }) => sum + fill.fee, 0) as MicroDollars);
}

/** Writes a time with microseconds. */
function timeText(at: number, micros = 0): string {
  return new Date(at).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
