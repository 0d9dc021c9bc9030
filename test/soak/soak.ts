// One soak: the gateway's process between clients that retry and venues that fail, killed again and again. Then all faults end, and all
// answers and events are compared with the gateway's state and the venues'.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DURABILITIES } from '../../src/config.ts';
import { VENUES } from '../../src/core/domain/market.ts';
import { Random } from '../../src/core/runtime/random.ts';
import { Audit } from './audit.ts';
import { clearSky, planFaults, weather } from './fault-plan.ts';
import { Follower } from './follower.ts';
import { GatewayProcess } from './gateway-process.ts';
import { rampage } from './killer.ts';
import { marketsToTrade, type SoakMarket } from './markets.ts';
import { randomOrder } from './orders.ts';
import { PaperProcess } from './paper-process.ts';
import { Progress } from './progress.ts';
import { steadyPort } from './steady-port.ts';
import { Stranger } from './stranger.ts';
import { Trader } from './trader.ts';

interface SoakOptions {
  readonly seed: number;
  readonly orders: number;
  readonly kills: number;
  /** Whether clients ask until every order is decided, which takes half a minute for orders that never arrived. */
  readonly isPatient: boolean;
  /** The time in which everything must become right once nothing fails any more. */
  readonly settleMs: number;
}

interface Outcome {
  readonly faults: readonly string[];
  /** The count of each event. */
  readonly coverage: ReadonlyMap<string, number>;
}

/** A factor on the recorded pace of the flow, which trades with resting orders. */
const INTENSITY = 2;
/** The number of orders that one actor has under way. */
const LANES = 10;
const ORDERS_PER_WEATHER = 40;
/** A quarter of a second apart, and more: two minutes, and half a second. */
const ANSWERS_OF_THE_PATIENT = 400;
const ANSWERS_OF_THE_HASTY = 2;

export async function soak(options: SoakOptions): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-soak-'));
  const { seed } = options;
  const paper = await PaperProcess.start({ folder, seed, intensity: INTENSITY });
  const durability = DURABILITIES[seed % 2]!;
  const gateway = new GatewayProcess({ folder, paper, port: await steadyPort(), durability });
  const followers: Follower[] = [];
  const over = new AbortController();
  let faults: readonly string[] = ['it did not come to an end'];
  try {
    const audit = await Promise.race([gateway.failed, run(options, { paper, gateway, followers, over: over.signal })]);
    faults = audit.faults;
    return { faults, coverage: audit.coverage };
  } finally {
    over.abort();
    for (const follower of followers) follower.close();
    await gateway.kill();
    await paper.end();
    if (faults.length === 0) rmSync(folder, { recursive: true });
    else console.log(`the store is kept in ${folder}`);
  }
}

interface Stage {
  readonly paper: PaperProcess;
  readonly gateway: GatewayProcess;
  readonly followers: Follower[];
  readonly over: AbortSignal;
}

async function run(options: SoakOptions, { paper, gateway, followers, over }: Stage): Promise<Audit> {
  const { seed, isPatient, settleMs } = options;
  const answersMax = isPatient ? ANSWERS_OF_THE_PATIENT : ANSWERS_OF_THE_HASTY;
  const random = new Random(seed);
  const [actors, markets] = await Promise.all([gateway.makeActors(), marketsToTrade(paper.urls)]);
  const stranger = new Stranger(paper.pods[0]!, paper.urls);
  for (const market of markets) await stranger.buy(market);
  await gateway.start();
  const traders = actors.map(actor => new Trader({ url: gateway.url, actor, random, answersMax, over }));
  for (const actor of actors) followers.push(new Follower(gateway.url, actor));
  const audit = new Audit({ paper, gateway, traders, followers, strangers: stranger.orderIds, settleMs, isPatient });

  await planFaults(paper, seed);
  const progress = new Progress();
  const [kills] = await Promise.all([
    rampage({ ...options, gateway, progress, random }),
    stormWhile(progress, { paper, random }),
    sendAll(options, { traders, markets, random, progress }),
  ]);
  audit.count('kills', kills);
  audit.countAll('fault ', await clearSky(paper));

  // An orphan fill waits as long as it may belong to an order that is not known yet.
  if (isPatient) for (const market of markets) await stranger.buy(market);
  await audit.whileOrdersRest();
  await audit.repeatAll();
  await Promise.all(traders.flatMap(trader => VENUES.map(venue => trader.cancelAll(venue))));
  await audit.whenNothingRests();
  await audit.atTheEnd();
  return audit;
}

interface Trading {
  readonly traders: readonly Trader[];
  readonly markets: readonly SoakMarket[];
  readonly random: Random;
  readonly progress: Progress;
}

async function sendAll({ orders }: SoakOptions, { traders, markets, random, progress }: Trading): Promise<void> {
  let begun = 0;
  const lane = async (trader: Trader): Promise<void> => {
    while (begun < orders) {
      begun += 1;
      progress.step();
      if (random.chance(0.02)) await trader.cancelAll(random.pick(VENUES));
      await trader.trade(randomOrder(markets, random));
    }
  };
  await Promise.all(traders.flatMap(trader => Array.from({ length: LANES }, () => lane(trader))));
  progress.end();
}

async function stormWhile(
  progress: Progress,
  { paper, random }: { paper: PaperProcess; random: Random },
): Promise<void> {
  for (let next = ORDERS_PER_WEATHER; !progress.isOver; next += ORDERS_PER_WEATHER) {
    await progress.reached(next);
    if (!progress.isOver) await weather(paper, random);
  }
}
