// One caller with a connection to each order taker: the gateway, the venue behind it, and others for comparison. Each request is answered before
// the next is sent. Takers alternate after a few dozen requests, so that other work on the machine slows all alike. Requests are signed before
// timing, so no path includes the caller's own signing.

import { parentPort, workerData } from 'node:worker_threads';
import { signedRequests } from './http-signing.ts';
import { type Answered, OneByOne } from './one-by-one.ts';
import type { OneCallerAnswer, OneCallerData, OneCallerRequest } from './order-messages.ts';
import { bodyOf } from './order-taker.ts';
import { openTaker } from './order-takers.ts';
import { stagesOf } from './server-timing.ts';

/** The requests to one taker, and its answers. */
class Exchanges {
  readonly requests: Buffer[] = [];
  readonly answers: Answered[] = [];
}

type Way = keyof OneCallerData;
type OfEach = ReadonlyMap<Way, Exchanges>;

const HTTP_OK = 200;
const WHOAMI = '/v1/whoami';

const takers = new Map(Object.entries(workerData as OneCallerData).map(([way, data]) => [way, openTaker(data, true)]));
const gateway = takers.get('gateway')!;
let submitted: OfEach = new Map();

async function perform(request: OneCallerRequest): Promise<OneCallerAnswer> {
  switch (request.op) {
    case 'submit':
      return submit(request.count, request.block);
    case 'replay':
      return replay(submitted.get('gateway')!, request.block);
    case 'cancel':
      return cancel(submitted, request.block);
  }
}

async function submit(count: number, block: number): Promise<OneCallerAnswer> {
  submitted = await inTurns(count, block, way => takers.get(way)!.order());
  for (const [way, exchanges] of submitted) expectStatus(exchanges, takers.get(way)!.madeStatus);
  return answerOf(submitted);
}

async function replay(first: Exchanges, block: number): Promise<OneCallerAnswer> {
  const data = (workerData as OneCallerData).gateway!;
  if (data.taker !== 'gateway') throw new Error('only the gateway knows its orders by their keys');
  const caller = await OneByOne.open(gateway.port);
  const [again, whoami] = [new Exchanges(), new Exchanges()];
  const signed = signedRequests([data.key], WHOAMI);
  for (let at = 0; at < first.requests.length; at += block) {
    const requests = first.requests.slice(at, at + block);
    for (const request of requests) again.answers.push(await caller.ask(request));
    for (const index of requests.keys()) whoami.answers.push(await caller.ask(signed[index % signed.length]!));
  }
  caller.close();
  expectStatus(again, gateway.madeStatus);
  expectStatus(whoami, HTTP_OK);
  for (const [index, { answer }] of again.answers.entries()) {
    const isSame = bodyOf(answer).orderId === bodyOf(first.answers[index]!.answer).orderId;
    if (!isSame || !answer.includes('Idempotency-Replayed: true')) throw new Error(`no replay: ${answer}`);
  }
  return answerOf(
    new Map([
      ['gateway', again],
      ['whoami', whoami],
    ]),
  );
}

async function cancel(made: OfEach, block: number): Promise<OneCallerAnswer> {
  const cancelled = await inTurns(made.get('gateway')!.answers.length, block, (way, index) =>
    takers.get(way)!.cancel(bodyOf(made.get(way)!.answers[index]!.answer)),
  );
  for (const exchanges of cancelled.values()) expectStatus(exchanges, HTTP_OK);
  return answerOf(cancelled);
}

/** Sends `count` requests to each taker. The order reverses from turn to turn. The requests of a turn are made before the turn starts. */
async function inTurns(
  count: number,
  block: number,
  request: (way: Way, index: number) => Promise<Buffer>,
): Promise<OfEach> {
  const callers = new Map<Way, OneByOne>();
  for (const [way, { port }] of takers) callers.set(way, await OneByOne.open(port));
  const ways = [...takers.keys()];
  const exchanges = new Map(ways.map(way => [way, new Exchanges()]));
  for (let first = 0, turn = 0; first < count; first += block, turn++) {
    for (const way of turn % 2 === 0 ? ways : ways.toReversed()) {
      const { requests, answers } = exchanges.get(way)!;
      const caller = callers.get(way)!;
      const end = Math.min(first + block, count);
      for (let index = first; index < end; index++) requests.push(await request(way, index));
      for (let index = first; index < end; index++) answers.push(await caller.ask(requests[index]!));
    }
  }
  for (const caller of callers.values()) caller.close();
  return exchanges;
}

function expectStatus({ answers }: Exchanges, expected: number): void {
  const other = answers.find(({ status }) => status !== expected);
  if (other !== undefined) throw new Error(`not ${expected}: ${other.answer.toString('latin1')}`);
}

function answerOf(exchanges: OfEach): OneCallerAnswer {
  return {
    us: Object.fromEntries([...exchanges].map(([way, { answers }]) => [way, answers.map(it => it.us)])),
    stages: exchanges.get('gateway')!.answers.map(it => stagesOf(it.answer)),
  };
}

parentPort!.on('message', async (request: OneCallerRequest) => {
  parentPort!.postMessage(await perform(request));
});
