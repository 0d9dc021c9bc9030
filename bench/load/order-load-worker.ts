// Many callers on one thread that place orders and cancel them. Requests are signed before timing, and answers are checked
// afterwards.

import { parentPort, workerData } from 'node:worker_threads';
import { HttpLoad, type RequestSource } from './http-load.ts';
import type { OrderLoadAnswer, OrderLoadPlan, OrderLoadRequest } from './order-messages.ts';
import { bodyOf, type OrderTakerData } from './order-taker.ts';
import { openTaker } from './order-takers.ts';
import { type Stages, stagesOf } from './server-timing.ts';

const HTTP_OK = 200;

const data = workerData as OrderTakerData;
const taker = openTaker(data, true);

class Requests implements RequestSource {
  readonly answers: Buffer[] = [];
  readonly #requests: readonly Buffer[];
  readonly #status: number;
  readonly #latenciesUs: number[] = [];
  #sent = 0;

  /** `status` is the expected status of every answer. */
  constructor(requests: readonly Buffer[], status: number) {
    this.#requests = requests;
    this.#status = status;
  }

  next(): Buffer | null {
    return this.#requests[this.#sent++] ?? null;
  }

  answered(status: number, answer: Buffer, us: number): void {
    if (status !== this.#status) throw new Error(`not ${this.#status}: ${answer.toString('latin1')}`);
    this.answers.push(Buffer.from(answer));
    this.#latenciesUs.push(us);
  }

  /** Returns the stages, which only the gateway's answers have. */
  stages(): readonly Stages[] {
    if (data.taker !== 'gateway') return [];
    return this.answers.map((answer, index) => {
      const stages = stagesOf(answer);
      return { ...stages, outside: this.#latenciesUs[index]! - stages.total! };
    });
  }
}

interface Prepared {
  readonly plan: OrderLoadPlan;
  readonly orders: Requests;
  readonly load: HttpLoad;
}

let prepared: Prepared | null = null;

async function prepare(plan: OrderLoadPlan): Promise<null> {
  const requests: Buffer[] = [];
  while (requests.length < plan.count) requests.push(await taker.order());
  const orders = new Requests(requests, taker.madeStatus);
  const { connections, ordersPerSecond } = plan;
  const shape = { port: taker.port, connections, requestsPerSecond: ordersPerSecond };
  prepared = { plan, orders, load: await HttpLoad.prepare(shape, orders) };
  return null;
}

async function run({ load, orders }: Prepared): Promise<OrderLoadAnswer> {
  const answer = await load.run();
  return { ...answer, stages: orders.stages() };
}

/** Cancels all orders of the last run, on as many connections. */
async function cancel({ plan: { connections }, orders }: Prepared): Promise<null> {
  const requests: Buffer[] = [];
  for (const made of orders.answers) requests.push(await taker.cancel(bodyOf(made)));
  const shape = { port: taker.cancelPort, connections, requestsPerSecond: null };
  await (await HttpLoad.prepare(shape, new Requests(requests, HTTP_OK))).run();
  return null;
}

function answerTo(request: OrderLoadRequest): Promise<OrderLoadAnswer | null> {
  switch (request.op) {
    case 'prepare':
      return prepare(request.plan);
    case 'run':
      return run(prepared!);
    case 'cancel':
      return cancel(prepared!);
  }
}

parentPort!.on('message', async (request: OrderLoadRequest) => {
  parentPort!.postMessage(await answerTo(request));
});
