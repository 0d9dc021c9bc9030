// An order run set up as in production. The paper exchanges and the gateway run in one process each, and the callers on threads of the
// suite. Everything ends with the rig.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Durability } from '../../src/config.ts';
import type { ActorLimits } from '../../src/core/domain/identity.ts';
import type { Venue } from '../../src/core/domain/market.ts';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { silentLog } from '../../src/core/runtime/log.ts';
import type { VenueBKeyType } from '../../src/paper/control/demo-accounts.ts';
import { createPodBudgets } from '../../src/venues/pod-budgets.ts';
import { PodTrading } from '../../src/venues/pod-trading.ts';
import { GatewayService } from './gateway-service.ts';
import type { GatewayData, VenueAMarket, VenueBMarket, VenueData } from './order-taker.ts';
import { type PaperMode, PaperService } from './paper-service.ts';
import { Peer } from './peer.ts';
import type { FeedUrls } from './rig.ts';

/** An account at a venue, with the name of its pod at the gateway. */
export interface Desk {
  readonly name: string;
  readonly venue: Venue;
  /** The key type for venue B, whose accounts sign with either type. */
  readonly keyType?: VenueBKeyType;
}

export interface OrderRigOptions {
  readonly desks: readonly Desk[];
  readonly durability: Durability;
  readonly paperMode: PaperMode;
  /** The number of threads in the check pool. Undefined means the gateway's default. */
  readonly poolThreads?: number;
  /** The source of venue B's books. The default is the paper exchange. */
  readonly venueBFeed?: FeedUrls;
  /** Whether to open the gateway's door on the engine's thread, too. */
  readonly hasDoor?: boolean;
  /** Further settings of the gateway. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The limits of each actor. The default is no limits. */
  readonly actorLimits?: ActorLimits;
  /** Whether the gateway rehearses. The default is true. */
  readonly warmsUp?: boolean;
  /** Arguments of Node for the gateway. */
  readonly nodeArguments?: readonly string[];
}

/** The words for the rate profile in the rows. */
export const RATE_PROFILE = 'rate profile bench';

/** The two compared ways to trade. */
export interface Ways {
  readonly gateway: GatewayData;
  /** Uses its own account: the gateway does not see its orders. */
  readonly venue: VenueData;
}

type Ends = (() => unknown)[];

export class OrderRig {
  /** The folder of all stored data. */
  readonly folder: string;
  readonly paper: PaperService;
  readonly gateway: GatewayService;
  readonly #ways: ReadonlyMap<string, Ways>;
  /** The accounts of the gateway's pods, read with the suite's own adapters. */
  readonly #accounts: PodTrading;
  /** The functions that close what was started, newest last. */
  readonly #ends: Ends;

  static async start(options: OrderRigOptions): Promise<OrderRig> {
    const ends: Ends = [];
    try {
      return await startAll(options, ends);
    } catch (error) {
      await endAll(ends);
      throw error;
    }
  }

  constructor(parts: RigParts) {
    this.folder = parts.folder;
    this.paper = parts.paper;
    this.gateway = parts.gateway;
    this.#ways = parts.ways;
    this.#accounts = parts.accounts;
    this.#ends = parts.ends;
  }

  waysOf({ name }: Desk): Ways {
    return this.#ways.get(name)!;
  }

  /** Starts a caller's thread, which ends with the rig. */
  thread(file: string, workerData: object): Peer {
    return this.#endsWithRig(Peer.thread(new URL(file, import.meta.url), file, workerData));
  }

  /** Starts a process, which ends with the rig. */
  process(file: string): Peer {
    return this.#endsWithRig(Peer.process(new URL(file, import.meta.url), file));
  }

  /** Throws unless the venue lists exactly `count` resting orders of the gateway. */
  async expectResting({ name, venue }: Desk, count: number): Promise<void> {
    const orders = await this.#accounts.of(name, venue)!.openOrders();
    if (!orders.ok) throw new Error(`${name}: ${orders.error}`);
    const ids = new Set(orders.value.rows.map(it => it.venueOrderId));
    if (ids.size !== count) throw new Error(`${name}: ${count} orders were answered, ${ids.size} are at the venue`);
  }

  /** Cancels all orders of the desk. This is outside of timed parts. */
  cancelAll(desk: Desk): Promise<void> {
    const path = desk.venue === 'venue_a' ? '/v1/venue-a/orders' : '/v1/venue-b/orders';
    return this.gateway.cancelAll(path, this.waysOf(desk).gateway.key);
  }

  close(): Promise<void> {
    return endAll(this.#ends);
  }

  #endsWithRig(peer: Peer): Peer {
    this.#ends.push(() => peer.kill());
    return peer;
  }
}

interface RigParts {
  readonly folder: string;
  readonly paper: PaperService;
  readonly gateway: GatewayService;
  readonly ways: ReadonlyMap<string, Ways>;
  readonly accounts: PodTrading;
  readonly ends: Ends;
}

async function startAll({ desks, paperMode, ...gatewayOptions }: OrderRigOptions, ends: Ends): Promise<OrderRig> {
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const paper = await PaperService.start(paperMode, folder);
  ends.push(() => paper.close());
  const markets = { venue_a: await paper.venueAMarket(), venue_b: await paper.venueBMarket() };
  const own = await Promise.all(desks.map(desk => openAccount(desk, paper, markets)));
  const pods = desks.map(({ name }, index) => podOf(name, own[index]!));
  const gateway = await GatewayService.start({ ...gatewayOptions, folder, paper, pods });
  ends.push(() => gateway.close());
  const accounts = new PodTrading(
    pods.map(pod => ({ ...pod, secretHex: '', budgets: createPodBudgets() })),
    { log: silentLog, metrics: new Metrics({ operations: [] }), bookOf: () => null },
  );
  ends.push(() => accounts.close());
  await accounts.warmUp();
  const ways = new Map<string, Ways>();
  for (const [index, desk] of desks.entries()) {
    const { market } = own[index]!;
    const key = gateway.keys.get(desk.name)!;
    const viaGateway: GatewayData = { taker: 'gateway', port: gateway.port, key, market };
    ways.set(desk.name, { gateway: viaGateway, venue: await openAccount(desk, paper, markets) });
  }
  return new OrderRig({ folder, paper, gateway, ways, accounts, ends });
}

interface Markets {
  readonly venue_a: VenueAMarket;
  readonly venue_b: VenueBMarket;
}

async function openAccount(desk: Desk, paper: PaperService, markets: Markets): Promise<VenueData> {
  const { venue, keyType = 'ed25519' } = desk;
  if (venue === 'venue_a') return { taker: venue, account: await paper.venueAAccount(), market: markets.venue_a };
  return { taker: venue, account: await paper.venueBAccount(keyType), market: markets.venue_b };
}

function podOf(podId: string, data: VenueData) {
  return {
    podId,
    venueA: data.taker === 'venue_a' ? data.account : null,
    venueB: data.taker === 'venue_b' ? data.account : null,
  };
}

async function endAll(ends: Ends): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}
