// Many callers with new orders, all on one thread. Orders are signed before they are timed, and looked at afterwards.

import { parentPort, workerData } from 'node:worker_threads';
import { HttpLoad, type RequestSource } from './http-load.ts';
import type { OrderLoadAnswer, OrderLoadPlan, OrderLoadRequest } from './order-messages.ts';
import type { OrderTakerData } from './order-taker.ts';
import { openTaker } from './order-takers.ts';
import { type Stages, stagesOf } from './server-timing.ts';

const data = workerData as OrderTakerData;
const taker = openTaker(data);

class Orders implements RequestSource {
  readonly #requests: readonly Buffer[];
  readonly #answers: Buffer[] = [];
  readonly #latenciesUs: number[] = [];
  #sent = 0;

  static async sign(count: number): Promise<Orders> {
    const requests: Buffer[] = [];
    while (requests.length < count) requests.push(await taker.order());
    return new Orders(requests);
  }

  private constructor(requests: readonly Buffer[]) {
    this.#requests = requests;
  }

  next(): Buffer | null {
    return this.#requests[this.#sent++] ?? null;
  }

  answered(status: number, answer: Buffer, us: number): void {
    if (status !== taker.madeStatus) throw new Error(`not ${taker.madeStatus}: ${answer.toString('latin1')}`);
    this.#answers.push(Buffer.from(answer));
    this.#latenciesUs.push(us);
  }

  /** Of the gateway's answers only. */
  stages(): readonly Stages[] {
    if (data.taker !== 'gateway') return [];
    return this.#answers.map((answer, index) => {
      const stages = stagesOf(answer);
      return { ...stages, outside: this.#latenciesUs[index]! - stages.total! };
    });
  }
}

let prepared: { readonly orders: Orders; readonly load: HttpLoad } | null = null;

async function prepare({ count, connections, ordersPerSecond }: OrderLoadPlan): Promise<void> {
  const orders = await Orders.sign(count);
  const plan = { port: taker.port, connections, requestsPerSecond: ordersPerSecond };
  prepared = { orders, load: await HttpLoad.prepare(plan, orders) };
}

async function run(): Promise<OrderLoadAnswer> {
  const { load, orders } = prepared!;
  const answer = await load.run();
  return { ...answer, stages: orders.stages() };
}

parentPort!.on('message', async (request: OrderLoadRequest) => {
  if (request.op === 'run') parentPort!.postMessage(await run());
  else {
    await prepare(request.plan);
    parentPort!.postMessage(null);
  }
});
