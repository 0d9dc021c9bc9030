// Two gateways in processes of their own that may own one pod: the same accounts, keys and pod secret, one NATS server, one paper exchange. The venue
// is asked for the state of their orders.

import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { podsCommand } from '../../src/tools/cli/pods.ts';
import type { CrossbookClient } from '../../src/tools/client/crossbook-client.ts';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { eventually } from '../support/eventually.ts';
import type { NatsServer } from '../support/nats-server.ts';
import { VenueBTrader } from '../support/paper-traders.ts';
import { type Answer, sendSigned, type TestKey } from '../support/signed-requests.ts';
import { type Actor, GatewayProcess } from './gateway-process.ts';
import { marketsToTrade } from './markets.ts';
import { PaperProcess, type PodAccount } from './paper-process.ts';
import { steadyPort } from './steady-port.ts';

const PATH = '/v1/venue-b/orders';

interface Page {
  readonly orders: readonly { readonly client_order_id: string }[];
  /** The cursor of the next page; empty on the last page. */
  readonly cursor: string;
}

export class TwoGateways {
  readonly gateways: readonly [GatewayProcess, GatewayProcess];
  readonly nats: NatsServer;
  readonly #paper: PaperProcess;
  readonly #pod: PodAccount;
  readonly #actor: Actor;
  readonly #ticker: string;
  readonly #folder: string;

  /** Starts the first gateway, which owns the pod. `settings` are additional settings of both gateways. */
  static async start(nats: NatsServer, settings: Readonly<Record<string, string>> = {}): Promise<TwoGateways> {
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-two-'));
    const paper = await PaperProcess.start({ folder: join(folder, 'paper'), seed: 5, intensity: 0 });
    const gatewayOf = async (name: string): Promise<GatewayProcess> => {
      mkdirSync(join(folder, name));
      const port = await steadyPort();
      const gateway = new GatewayProcess({
        ...{ folder: join(folder, name), paper, port, durability: 'replicated' },
        environment: { CROSSBOOK_NATS: nats.url, CROSSBOOK_PUBLIC_URL: `http://127.0.0.1:${port}`, ...settings },
      });
      gateway.usePods(paper.pods.slice(0, 1));
      return gateway;
    };
    const gateways = [await gatewayOf('one'), await gatewayOf('other')] as const;
    const [actor] = await gateways[0].makeActors();
    const markets = await marketsToTrade(paper.urls);
    const ticker = markets.flatMap(market => (market.venue === 'venue_b' ? [market.ticker] : []))[0]!;
    const both = new TwoGateways({ gateways, nats, paper, actor: actor!, ticker, folder });
    await both.started(gateways[0]);
    cpSync(join(gateways[0].dataDir, 'pods'), join(gateways[1].dataDir, 'pods'), { recursive: true });
    return both;
  }

  private constructor(parts: {
    readonly gateways: readonly [GatewayProcess, GatewayProcess];
    readonly nats: NatsServer;
    readonly paper: PaperProcess;
    readonly actor: Actor;
    readonly ticker: string;
    readonly folder: string;
  }) {
    this.gateways = parts.gateways;
    this.nats = parts.nats;
    this.#paper = parts.paper;
    this.#pod = parts.paper.pods[0]!;
    this.#actor = parts.actor;
    this.#ticker = parts.ticker;
    this.#folder = parts.folder;
  }

  /** Resolves when the gateway takes orders. */
  async started(gateway: GatewayProcess): Promise<void> {
    await gateway.start();
    await this.tradable(gateway);
  }

  async tradable(gateway: GatewayProcess): Promise<void> {
    await eventually(async () => {
      const { status } = await fetch(`${gateway.url}/readyz`);
      if (status !== 200) throw new Error(`readyz: ${status}`);
    });
  }

  take(gateway: GatewayProcess): Promise<string> {
    return this.command(gateway, podsCommand, 'take', this.#pod.podId);
  }

  /** Runs a command as an operator does on the machine of `gateway`. Returns its output. */
  async command({ dataDir, url }: GatewayProcess, command: typeof podsCommand, ...args: string[]): Promise<string> {
    let said = '';
    const say = (text: string): void => {
      said += text;
    };
    const env = {
      CROSSBOOK_DATA_DIR: dataDir,
      CROSSBOOK_DURABILITY: 'replicated',
      CROSSBOOK_NATS: this.nats.url,
      CROSSBOOK_PUBLIC_URL: url,
    };
    const code = await command(args, { out: say, err: say, env });
    if (code !== 0) throw new Error(said);
    return said;
  }

  /** An order that will rest. */
  get order() {
    return { ticker: this.#ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 } as const;
  }

  /** Returns a client that follows the pod's owner. */
  client({ url }: GatewayProcess): CrossbookClient {
    return createNodeClient({ url, signer: nodeSigner(this.#actor.key) });
  }

  get actorId(): string {
    return this.#actor.actorId.split('/').at(-1)!;
  }

  get key(): TestKey {
    return this.#actor.key;
  }

  list({ url }: GatewayProcess, key = this.key): Promise<Answer> {
    return sendSigned(url + PATH, key);
  }

  /** Rejects if the connection breaks. */
  submit({ url }: Pick<GatewayProcess, 'url'>, idempotencyKey: string): Promise<Answer> {
    const body = JSON.stringify(this.order);
    const headers = { 'Content-Type': 'application/json' };
    return sendSigned(url + PATH, this.#actor.key, { method: 'POST', body, headers, idempotencyKey });
  }

  /** Returns the id of the key's order, asking until it is known. Null means that its intent was recorded, but it never reached the venue. */
  async orderOf(gateway: GatewayProcess, idempotencyKey: string): Promise<string | null> {
    return eventually(async () => {
      const { status, json } = await this.submit(gateway, idempotencyKey);
      if (status === 400 && JSON.stringify(json).includes('no trace at the venue')) return null;
      if (status !== 201) throw new Error(`${idempotencyKey}: ${status} ${JSON.stringify(json)}`);
      return (json as { readonly orderId: string }).orderId;
    });
  }

  /** Returns the number of orders that the gateway cancels because it knows them to be open. */
  async cancelAll({ url }: GatewayProcess, key = this.key): Promise<number> {
    const { status, json } = await sendSigned(url + PATH, key, { method: 'DELETE' });
    if (status !== 200) throw new Error(`cancel all: ${status} ${JSON.stringify(json)}`);
    return (json as { readonly results: readonly unknown[] }).results.length;
  }

  /** Returns the client order ids of the orders that rest at the venue. */
  async resting(): Promise<readonly string[]> {
    const trader = new VenueBTrader(this.#paper.urls['venue_b rest'], this.#pod.accounts);
    const ids: string[] = [];
    let cursor = '';
    do {
      const { body } = await trader.call<Page>('GET', `/portfolio/orders?status=resting&limit=1000&cursor=${cursor}`);
      ids.push(...body.orders.map(it => it.client_order_id));
      cursor = body.cursor;
    } while (cursor !== '');
    return ids;
  }

  async end(): Promise<void> {
    for (const gateway of this.gateways) await gateway.end();
    await this.#paper.end();
    rmSync(this.#folder, { recursive: true });
  }
}
