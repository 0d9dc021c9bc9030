// One caller of /v1/trade beside callers of REST and of the venue itself. Lone orders go to all three in turns. A flood keeps a number of
// orders under way: on one connection of /v1/trade, or on as many of REST. Requests are made before timing.

import { parentPort, workerData } from 'node:worker_threads';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { signRequest } from '../../src/tools/client/signer.ts';
import { UuidV7Source } from '../../src/tools/client/uuid-v7.ts';
import { monotonicMs } from './clock.ts';
import { OneByOne } from './one-by-one.ts';
import type { GatewayData, OrderTakerData } from './order-taker.ts';
import { openTaker } from './order-takers.ts';
import { RawWebSocket } from './raw-websocket.ts';
import { LONE_WAYS, type LoneWay, type TradeAnswer, type TradeData, type TradeRequest } from './trade-messages.ts';

const { gateway, venue, door, least } = workerData as TradeData;
const keys = new UuidV7Source(Date.now);
const MADE = '"status":201';

/** A connection of /v1/trade. Its requests are numbered; results come in any sequence. */
class Session {
  readonly #waiting = new Map<string, () => void>();
  readonly #socket: RawWebSocket;

  private constructor(url: string, headers: Readonly<Record<string, string>>, opened: () => void) {
    this.#socket = new RawWebSocket(url, headers, {
      onOpen: opened,
      onRead: () => {},
      onMessage: (bytes, start, end) => this.#heard(bytes.toString('latin1', start, end)),
      onClose: detail => {
        if (this.#waiting.size > 0) throw new Error(`the caller was disconnected: ${detail}`);
      },
    });
  }

  static async open({ port, key }: GatewayData): Promise<Session> {
    const request = {
      method: 'GET',
      target: '/v1/trade',
      body: new Uint8Array(0),
      idempotencyKey: '',
      notAfterMillis: null,
    };
    const headers = await signRequest(nodeSigner(key), request, Date.now());
    const opened = Promise.withResolvers<void>();
    const session = new Session(`ws://127.0.0.1:${port}/v1/trade`, headers, opened.resolve);
    await opened.promise;
    return session;
  }

  /** Resolves with the result of the order. */
  ask({ id, text }: Frame): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.set(id, resolve);
      this.#socket.send(text);
    });
  }

  close(): void {
    this.#socket.close();
  }

  #heard(text: string): void {
    if (!text.includes(MADE)) throw new Error(`not made: ${text}`);
    const [, id = ''] = /"id":"(\d+)"/.exec(text) ?? [];
    this.#waiting.get(id)!();
    this.#waiting.delete(id);
  }
}

interface Frame {
  readonly id: string;
  readonly text: string;
}

let frames = 0;

function frame({ market }: GatewayData): Frame {
  if (market.venue !== 'venue_b') throw new Error('orders of this suite go to venue B');
  const order = { ticker: market.ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 };
  const id = String(++frames);
  return { id, text: JSON.stringify({ op: 'submit', id, venue: 'venue_b', idempotencyKey: keys.next(), order }) };
}

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
  const session = await Session.open(data);
  const send = async (orders: number): Promise<void> => {
    const requests = Array.from({ length: orders }, () => frame(data));
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

/** `asks`: one for each order under way, each of which sends its next once it is answered. */
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
  const session = await Session.open(gateway);
  const requests = Array.from({ length: count }, () => frame(gateway));
  const answer = await flood(
    requests,
    Array.from({ length: width }, () => (request: Frame) => session.ask(request)),
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
