// The operations whose work is counted. Each is sent alone, and waits for its answer.

import { OneByOne } from '../../bench/load/one-by-one.ts';
import type { Desk, OrderRig } from '../../bench/load/order-rig.ts';
import { bodyOf, type GatewayData } from '../../bench/load/order-taker.ts';
import { openTaker, requestsTo } from '../../bench/load/order-takers.ts';
import { TradeSession, tradeFrame } from '../../bench/load/trade-session.ts';
import { type ActorLimits, NO_LIMITS } from '../../src/core/domain/identity.ts';
import { type JsonObject, textOf } from '../../src/core/domain/json.ts';
import type { MicroDollars, MicroShares } from '../../src/core/domain/numbers.ts';
import { limits } from '../../src/limits.ts';
import { UuidV7Source } from '../../src/tools/client/uuid-v7.ts';

export const DESKS = {
  venueA: { name: 'venue-a', venue: 'venue_a' },
  venueB: { name: 'venue-b', venue: 'venue_b' },
} as const satisfies Readonly<Record<string, Desk>>;

/** Every limit of an actor, so wide that it refuses nothing. */
export const EVERY_LIMIT: ActorLimits = {
  ...NO_LIMITS,
  notionalMax: 1e12 as MicroDollars,
  openOrdersMax: 1e6,
  positionMax: 1e15 as MicroShares,
  sizeMax: 1e12 as MicroShares,
  collarTicks: 10_000,
  collarPercent: 1_000,
  collarWithoutBook: 'PASS',
  orderRateMax: 1e6,
  orderBurstMax: 1e6,
  cancelRateMax: 1e6,
  cancelBurstMax: 1e6,
  exposureMax: 1e15 as MicroDollars,
};

interface Opened {
  /** One operation, until its answer. */
  perform(): Promise<void>;
  close(): void;
}

export interface Operation {
  readonly name: string;
  readonly desk: Desk;
  /** For `count` of them. */
  open(rig: OrderRig, count: number): Promise<Opened>;
}

const keys = new UuidV7Source(Date.now);
const PATH = '/v1/venue-b/orders';
const PRICES = ['0.02', '0.01'];

export const OPERATIONS: readonly Operation[] = [
  limit('venue B limit', DESKS.venueB),
  limit('venue A limit', DESKS.venueA),
  { name: 'cancel', desk: DESKS.venueB, open: openCancel },
  { name: 'replace', desk: DESKS.venueB, open: openReplace },
  { name: `batch of ${limits.batchOrdersMax}`, desk: DESKS.venueB, open: openBatch },
  { name: '/v1/trade', desk: DESKS.venueB, open: rig => openTrade(gatewayOf(rig, DESKS.venueB)) },
  {
    name: 'door',
    desk: DESKS.venueB,
    open: rig => openTrade({ ...gatewayOf(rig, DESKS.venueB), port: rig.gateway.doorPort }),
  },
];

function gatewayOf(rig: OrderRig, desk: Desk): GatewayData {
  return rig.waysOf(desk).gateway;
}

function limit(name: string, desk: Desk): Operation {
  return {
    name,
    desk,
    async open(rig) {
      const { submit, caller } = await submitting(rig, desk);
      return { perform: async () => void (await submit()), close: () => caller.close() };
    },
  };
}

async function submitting(rig: OrderRig, desk: Desk) {
  const taker = openTaker(gatewayOf(rig, desk));
  const caller = await OneByOne.open(taker.port);
  const submit = async (): Promise<JsonObject> => asked(caller, await taker.order(), taker.madeStatus);
  return { submit, caller, taker };
}

async function asked(caller: OneByOne, request: Buffer, status: number): Promise<JsonObject> {
  const answered = await caller.ask(request);
  if (answered.status !== status) throw new Error(`not ${status}: ${answered.answer.toString('latin1')}`);
  return bodyOf(answered.answer);
}

async function openCancel(rig: OrderRig, count: number): Promise<Opened> {
  const { submit, caller, taker } = await submitting(rig, DESKS.venueB);
  const made: JsonObject[] = [];
  while (made.length < count) made.push(await submit());
  return {
    perform: async () => void (await asked(caller, await taker.cancel(made.pop()!), 200)),
    close: () => caller.close(),
  };
}

async function openReplace(rig: OrderRig): Promise<Opened> {
  const { submit, caller } = await submitting(rig, DESKS.venueB);
  const signed = requestsTo(gatewayOf(rig, DESKS.venueB));
  let orderId = textOf((await submit()).orderId);
  let replaced = 0;
  return {
    async perform() {
      const body = new TextEncoder().encode(JSON.stringify({ price: PRICES[replaced++ % PRICES.length] }));
      const target = `${PATH}/${orderId}/replace`;
      const request = await signed('POST', { target, body, idempotencyKey: keys.next() });
      orderId = textOf((await asked(caller, request, 201)).orderId);
    },
    close: () => caller.close(),
  };
}

async function openBatch(rig: OrderRig): Promise<Opened> {
  const gateway = gatewayOf(rig, DESKS.venueB);
  const signed = requestsTo(gateway);
  const caller = await OneByOne.open(gateway.port);
  const { market } = gateway;
  if (market.venue !== 'venue_b') throw new Error('the desk trades at venue B');
  const order = { ticker: market.ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 };
  return {
    async perform() {
      const orders = Array.from({ length: limits.batchOrdersMax }, () => ({ idempotencyKey: keys.next(), ...order }));
      const body = new TextEncoder().encode(JSON.stringify({ orders }));
      const answer = await asked(caller, await signed('POST', { target: `${PATH}/batch`, body }), 200);
      const isMade = JSON.stringify(answer).split('"status":201').length === limits.batchOrdersMax + 1;
      if (!isMade) throw new Error(`not made: ${JSON.stringify(answer)}`);
    },
    close: () => caller.close(),
  };
}

async function openTrade(gateway: GatewayData): Promise<Opened> {
  const session = await TradeSession.open(gateway);
  return { perform: () => session.ask(tradeFrame(gateway)), close: () => session.close() };
}
