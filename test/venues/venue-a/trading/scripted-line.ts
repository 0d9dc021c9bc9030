// Our adapter on a line with scripted answers, for answers that the paper exchange never gives.

import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { createOrder, type Order, type OrderId } from '../../../../src/core/domain/order.ts';
import type { VenueAOrderRequest } from '../../../../src/core/domain/order-request.ts';
import type { VenueAAccount } from '../../../../src/core/domain/pod-accounts.ts';
import type { OutboundOutcome, OutboundPool, OutboundRequest } from '../../../../src/core/net/outbound.ts';
import { silentLog } from '../../../../src/core/runtime/log.ts';
import type { VenueTrading } from '../../../../src/venues/venue.ts';
import { createVenueATrading } from '../../../../src/venues/venue-a/trading.ts';
import { outcomeOf } from '../../../support/order-outcome.ts';
import { TEST_ADDRESS, TEST_KEY_TEXT } from '../../../support/venue-a-orders.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { FIRST, limit, SECOND } from './trading-rig.ts';

/** An answer. `lost` means that the connection breaks instead. */
type Reply = { readonly status?: number; readonly body: unknown } | 'lost';
export type Script = Readonly<Record<string, (request: OutboundRequest) => Reply>>;

export const ACCOUNT: VenueAAccount = {
  restUrl: '',
  userStreamUrl: '',
  dataUrl: '',
  chainId: 137,
  privateKey: TEST_KEY_TEXT,
  funder: TEST_ADDRESS,
  signatureType: 0,
  apiKey: 'key',
  secret: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  passphrase: 'pass',
};
/** A deadline later than any time in a test. */
export const SOON = 4e12 as UnixMillis;
export const CONDITION = `0x${'c'.repeat(64)}`;
const MARKET: Script = {
  '/markets-by-token': () => ({ body: { condition_id: CONDITION } }),
  '/clob-markets': () => ({ body: { t: [{ t: FIRST }, { t: SECOND }], mts: 0.01, mos: 5, ao: true } }),
};

/** Answers by the beginning of the target. A target in no script is not found. */
export class ScriptedLine implements OutboundPool {
  readonly requests: OutboundRequest[] = [];
  readonly #script: Script;

  constructor(script: Script) {
    this.#script = script;
  }

  async request(request: OutboundRequest): Promise<OutboundOutcome> {
    this.requests.push(request);
    const answer = Object.entries(this.#script).find(([start]) => request.target.startsWith(start))?.[1];
    const reply = answer?.(request) ?? { status: 404, body: { error: 'market not found' } };
    if (reply === 'lost') return { type: 'lost', message: 'socket hang up' };
    const { status = 200, body } = reply;
    return { type: 'answer', status, headers: new Map(), body: body === undefined ? '' : JSON.stringify(body) };
  }

  send(request: OutboundRequest, _timeoutMs: number, done: (outcome: OutboundOutcome) => void): void {
    void this.request(request).then(done);
  }

  async warmUp(): Promise<void> {}
  async close(): Promise<void> {}
}

export function tradingOn(script: Script): { trading: VenueTrading; line: ScriptedLine; timers: VirtualTimers } {
  const line = new ScriptedLine({ ...script, ...MARKET });
  const timers = new VirtualTimers();
  const connect = () => ({ send: () => {}, terminate: () => {} });
  const parts = { outbound: line, outboundData: line, connect, timers, random: () => 0, log: silentLog };
  return { trading: createVenueATrading(ACCOUNT, parts), line, timers };
}

export function orderAt(timers: VirtualTimers, request = limit('BUY', 50, 10)): Order<'PENDING'> {
  const orderId = '01234567-89ab-8cde-8f01-23456789abcd' as OrderId;
  const names = { podId: 'p', actorId: 'a', keyId: 'k', idempotencyKey: 'i' };
  return createOrder({ orderId, ...names, request, at: timers.now() });
}

export async function prepared(script: Script, request?: VenueAOrderRequest, key = 'key') {
  const { trading, line, timers } = tradingOn(script);
  const order = orderAt(timers, request);
  const intent = await trading.prepare(order, key);
  if (!intent.ok) throw new Error(intent.error.message);
  return { trading, line, timers, order, intent: intent.value };
}

export async function submitted(script: Script, request?: VenueAOrderRequest, key = 'key') {
  const rig = await prepared(script, request, key);
  const outcome = await outcomeOf(rig.trading, rig.order, rig.intent, (rig.timers.now() + 1_000) as UnixMillis);
  return { ...rig, outcome };
}

export const idOf = (digit: string): string => `0x${digit.repeat(64)}`;
/** Returns the last page of a list of the CLOB. */
export const listOf = (...data: readonly unknown[]) => ({ body: { data, next_cursor: 'LTE=' } });
export const NOTHING_LISTED = listOf();
/** A script of a venue that shows neither an order nor a trade. */
export const SILENCE: Script = {
  '/data/order/': () => ({ body: null }),
  '/data/orders': () => NOTHING_LISTED,
  '/data/trades': () => NOTHING_LISTED,
};

const BID = { market: CONDITION, asset_id: FIRST, side: 'BUY', price: '0.5' };

/** Returns a listed order: a bid at 50 cents for ten shares of the first token, which rests. */
export function orderRow(change: object = {}) {
  return {
    id: idOf('b'),
    status: 'LIVE',
    ...BID,
    original_size: '10',
    size_matched: '0',
    order_type: 'GTC',
    ...change,
  };
}

export function makerRow(digit = '7', amount = '10', price = '0.5') {
  return { order_id: idOf(digit), owner: 'other', asset_id: FIRST, matched_amount: amount, price };
}

/** Returns a listed trade: the account takes ten shares of the first token from one maker at 50 cents. */
export function tradeRow(change: object = {}) {
  const trade = { id: 't-1', status: 'MATCHED', match_time: '1790000000', taker_order_id: idOf('a') };
  return { ...trade, ...BID, size: '10', owner: ACCOUNT.apiKey, maker_orders: [makerRow()], ...change };
}

/** Returns the last page of the Data API, with these rows. */
export function pageOf(rows: readonly unknown[]): { readonly body: object } {
  return { body: { data: rows, pagination: { has_more: false, next_cursor: null } } };
}

interface HeldRow {
  readonly token_id: string;
  readonly current_size: number;
  readonly redeemable: boolean;
  readonly current_price?: number;
}

/** Returns an answer that lists holdings in pages by cursor, each row in the lists of its status. */
export function holdingsOf(held: readonly HeldRow[]): Script[string] {
  return ({ target }) => {
    const query = new URLSearchParams(target.split('?')[1]);
    const status = query.get('status');
    const rows = held.filter(({ redeemable, current_price = 0 }) => {
      const own = redeemable ? (current_price > 0 ? 'REDEEMABLE' : 'REDEEMABLE_LOST') : 'OPEN';
      return status === 'OPEN' || status === own;
    });
    const [offset, limit] = [Number(query.get('cursor')), Number(query.get('limit'))];
    const next_cursor = offset + limit < rows.length ? String(offset + limit) : null;
    return { body: { data: rows.slice(offset, offset + limit), pagination: { next_cursor } } };
  };
}
