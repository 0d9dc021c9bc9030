// One caller of /v1/trade beside callers of REST and of the venue itself. Lone orders go to all three in turns. A flood keeps a number of orders in
// flight: on one connection of /v1/trade, or on as many connections of REST. Requests are made before timing.

import { parentPort, workerData } from 'node:worker_threads';
import { monotonicMs } from './clock.ts';
import { OneByOne } from './one-by-one.ts';
import type { GatewayData, OrderTakerData } from './order-taker.ts';
import { openTaker } from './order-takers.ts';
import { LONE_WAYS, type LoneWay, type TradeAnswer, type TradeData, type TradeRequest } from './trade-messages.ts';
import { type TradeFrame, TradeSession, tradeFrame } from './trade-session.ts';

const { gateway, venue, door, least } = workerData as TradeData;

async function lone(count: number, block: number): Promise<TradeAnswer> {
  const us = noTimes();
  const ways: Lone[] = [
    await overTrade(gateway, us.trade),
    await overHttp(gateway, us.rest),
    await overTrade(door, us['door trade']),
    await overHttp(door, us['door rest']),
    await overHttp(least, us.least),
    await overHttp(venue, us.venue),
  ];
  for (let done = 0, turn = 0; done < count; done += block, turn++) {
    for (const way of turn % 2 === 0 ? ways : ways.toReversed()) await way.send(block);
  }
  for (const way of ways) way.close();
  return { us, seconds: 0 };
}

/** A caller that waits for each answer before its next order. */
interface Lone {
  send(orders: number): Promise<void>;
  close(): void;
}

async function overHttp(data: OrderTakerData, us: number[]): Promise<Lone> {
  const taker = openTaker(data);
  const caller = await OneByOne.open(taker.port);
  const send = async (orders: number): Promise<void> => {
    const requests = await Promise.all(Array.from({ length: orders }, () => taker.order()));
    for (const request of requests) {
      const answered = await caller.ask(request);
      if (answered.status !== taker.madeStatus) throw new Error(`not made: ${answered.answer.toString('latin1')}`);
      us.push(answered.us);
    }
  };
  return { send, close: () => caller.close() };
}

async function overTrade(data: GatewayData, us: number[]): Promise<Lone> {
  const session = await TradeSession.open(data);
  const send = async (orders: number): Promise<void> => {
    const requests = Array.from({ length: orders }, () => tradeFrame(data));
    for (const request of requests) {
      const sentMs = monotonicMs();
      await session.ask(request);
      us.push((monotonicMs() - sentMs) * 1_000);
    }
  };
  return { send, close: () => session.close() };
}

function noTimes(): Record<LoneWay, number[]> {
  return Object.fromEntries(LONE_WAYS.map(way => [way, [] as number[]])) as Record<LoneWay, number[]>;
}

/** `asks` has one function for each order in flight. Each sends its next order once the last is answered. */
async function flood<Request>(
  requests: Request[],
  asks: readonly ((request: Request) => Promise<void>)[],
): Promise<TradeAnswer> {
  const startedMs = monotonicMs();
  const caller = async (ask: (request: Request) => Promise<void>): Promise<void> => {
    for (let request = requests.pop(); request !== undefined; request = requests.pop()) await ask(request);
  };
  await Promise.all(asks.map(caller));
  return { us: noTimes(), seconds: (monotonicMs() - startedMs) / 1_000 };
}

async function floodTrade(count: number, width: number): Promise<TradeAnswer> {
  const session = await TradeSession.open(gateway);
  const requests = Array.from({ length: count }, () => tradeFrame(gateway));
  const answer = await flood(
    requests,
    Array.from({ length: width }, () => (request: TradeFrame) => session.ask(request)),
  );
  session.close();
  return answer;
}

async function floodRest(count: number, width: number): Promise<TradeAnswer> {
  const taker = openTaker(gateway);
  const callers = await Promise.all(Array.from({ length: width }, () => OneByOne.open(taker.port)));
  const requests = await Promise.all(Array.from({ length: count }, () => taker.order()));
  const answer = await flood(
    requests,
    callers.map(caller => async (request: Buffer) => {
      const { status, answer: text } = await caller.ask(request);
      if (status !== taker.madeStatus) throw new Error(`not made: ${text.toString('latin1')}`);
    }),
  );
  for (const caller of callers) caller.close();
  return answer;
}

parentPort!.on('message', async (request: TradeRequest) => {
  const { op, count } = request;
  if (op === 'lone') parentPort!.postMessage(await lone(count, request.block));
  else parentPort!.postMessage(await (op === 'flood-trade' ? floodTrade : floodRest)(count, request.width));
});
