// One caller, one connection to the gateway and one to the venue behind it, each request answered before the next is sent. The two
// take turns of a few dozen requests, so that whatever else the machine does slows both alike. Requests are signed before they
// are timed: neither path holds the caller's own signing.

import { parentPort, workerData } from 'node:worker_threads';
import { isObject, type JsonObject, parseJson } from '../../src/domain/json.ts';
import { type Answered, OneByOne } from './one-by-one.ts';
import type { OneCallerAnswer, OneCallerData, OneCallerRequest } from './order-messages.ts';
import type { OrderTaker } from './order-taker.ts';
import { openTaker } from './order-takers.ts';
import { stagesOf } from './server-timing.ts';

/** What one of the two was asked, and how it answered. */
class Exchanges {
  readonly requests: Buffer[] = [];
  readonly answers: Answered[] = [];
}

interface Both<T> {
  readonly gateway: T;
  readonly venue: T;
}
type Side = keyof Both<unknown>;

const SIDES = ['gateway', 'venue'] as const;
const HTTP_OK = 200;

const data = workerData as OneCallerData;
const takers: Both<OrderTaker> = { gateway: openTaker(data.gateway), venue: openTaker(data.venue) };
let submitted: Both<Exchanges> | null = null;

async function perform(request: OneCallerRequest): Promise<OneCallerAnswer> {
  switch (request.op) {
    case 'submit':
      return submit(request.count, request.block);
    case 'replay':
      return replay(submitted!);
    case 'cancel':
      return cancel(submitted!, request.block);
  }
}

async function submit(count: number, block: number): Promise<OneCallerAnswer> {
  submitted = await alternate(count, block, side => takers[side].order());
  expectStatus(submitted.gateway, takers.gateway.madeStatus);
  expectStatus(submitted.venue, takers.venue.madeStatus);
  return answerOf(submitted);
}

async function replay({ gateway: first }: Both<Exchanges>): Promise<OneCallerAnswer> {
  const caller = await OneByOne.open(takers.gateway.port);
  const again = new Exchanges();
  for (const request of first.requests) again.answers.push(await caller.ask(request));
  caller.close();
  expectStatus(again, takers.gateway.madeStatus);
  for (const [index, { answer }] of again.answers.entries()) {
    const isSame = bodyOf(answer).orderId === bodyOf(first.answers[index]!.answer).orderId;
    if (!isSame || !answer.includes('Idempotency-Replayed: true')) throw new Error(`no replay: ${answer}`);
  }
  return answerOf({ gateway: again, venue: new Exchanges() });
}

async function cancel(made: Both<Exchanges>, block: number): Promise<OneCallerAnswer> {
  const cancelled = await alternate(made.gateway.answers.length, block, (side, index) =>
    takers[side].cancel(bodyOf(made[side].answers[index]!.answer)),
  );
  expectStatus(cancelled.gateway, HTTP_OK);
  expectStatus(cancelled.venue, HTTP_OK);
  return answerOf(cancelled);
}

/** `count` requests of each; who goes first changes from turn to turn. The requests of a turn are made before it begins. */
async function alternate(
  count: number,
  block: number,
  request: (side: Side, index: number) => Promise<Buffer>,
): Promise<Both<Exchanges>> {
  const callers = { gateway: await OneByOne.open(takers.gateway.port), venue: await OneByOne.open(takers.venue.port) };
  const exchanges = { gateway: new Exchanges(), venue: new Exchanges() };
  for (let first = 0, turn = 0; first < count; first += block, turn++) {
    for (const side of turn % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const { requests, answers } = exchanges[side];
      const end = Math.min(first + block, count);
      for (let index = first; index < end; index++) requests.push(await request(side, index));
      for (let index = first; index < end; index++) answers.push(await callers[side].ask(requests[index]!));
    }
  }
  callers.gateway.close();
  callers.venue.close();
  return exchanges;
}

function expectStatus({ answers }: Exchanges, expected: number): void {
  const other = answers.find(({ status }) => status !== expected);
  if (other !== undefined) throw new Error(`not ${expected}: ${other.answer.toString('latin1')}`);
}

function bodyOf(answer: Buffer): JsonObject {
  const body = parseJson(answer.toString('utf8', answer.indexOf('\r\n\r\n')));
  if (!isObject(body)) throw new Error(`no JSON: ${answer.toString('latin1')}`);
  return body;
}

function answerOf({ gateway, venue }: Both<Exchanges>): OneCallerAnswer {
  return {
    gatewayUs: gateway.answers.map(it => it.us),
    venueUs: venue.answers.map(it => it.us),
    stages: gateway.answers.map(it => stagesOf(it.answer)),
  };
}

parentPort!.on('message', async (request: OneCallerRequest) => {
  parentPort!.postMessage(await perform(request));
});
