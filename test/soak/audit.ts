// The audits of a soak, one after the other. They run while orders rest, after every key was used once more, and when nothing rests. At the
// end they run on the store. States that settle by themselves are given time.

import { type AccountSeen, seeAccounts } from './account.ts';
import { faultsOfAnswers } from './audit-answers.ts';
import { faultsOfCash, faultsOfMoney } from './audit-money.ts';
import { faultsOfOrders } from './audit-orders.ts';
import { faultsOfStream, replayedFrom } from './audit-streams.ts';
import { micros } from './decimals.ts';
import { Follower } from './follower.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { type GatewaySeen, gatewaySeen } from './gateway-view.ts';
import type { PaperProcess } from './paper-process.ts';
import { untilQuiet } from './quiet.ts';
import type { Placed, Trader } from './trader.ts';

interface AuditParts {
  readonly paper: PaperProcess;
  readonly gateway: GatewayProcess;
  readonly traders: readonly Trader[];
  readonly followers: readonly Follower[];
  readonly strangers: ReadonlySet<string>;
  readonly settleMs: number;
  /** Whether clients have asked for longer than a proof of absence takes. */
  readonly isPatient: boolean;
  /** Words of the log that are alarms in other runs, but expected in this run. */
  readonly expected?: readonly string[];
  /** Whether the journal's last record was lost on the disk: an event that followers had received, or an answer to a caller. */
  readonly losesRecord?: boolean;
}

interface Comparison {
  readonly faults: readonly string[];
  readonly accounts: readonly AccountSeen[];
  readonly seen: GatewaySeen;
}

/** The time limit for states that settle within a moment. */
const SOON_MS = 10_000;
const HTTP_CONFLICT = 422;
/** Lines that must not be in the log of a gateway that was only killed, at a venue that shows every order within seconds. */
const NEVER = [
  'late-trace',
  'adopted-order',
  'fill-of-refused',
  'fill-of-another',
  'the order store failed',
  'the order store cannot be kept',
  'engine failed: the process ends',
  'check worker failed',
  'check worker lost',
  'check task failed',
  'request failed',
];

/** The log's words for a sync that takes longer than a caller waits, which is a fault of the machine's disk. */
const SLOW_SYNC = 'the store did not keep it within';

export class Audit {
  readonly faults: string[] = [];
  readonly coverage = new Map<string, number>();
  readonly #parts: AuditParts;

  constructor(parts: AuditParts) {
    this.#parts = parts;
  }

  count(what: string, times = 1): void {
    this.coverage.set(what, (this.coverage.get(what) ?? 0) + times);
  }

  countAll(prefix: string, counts: Readonly<Record<string, number>>): void {
    for (const [what, times] of Object.entries(counts)) this.count(prefix + what, times);
  }

  async whileOrdersRest(): Promise<void> {
    await this.#look('while orders rest', this.#parts.settleMs, async () => (await this.#compare()).faults);
    const { orders, fills } = await this.#seen();
    for (const { venue, status } of orders) this.count(`order ${venue} ${status}`);
    for (const { venue, order } of fills)
      this.count(`fill ${venue} ${order === null ? 'of nobody here' : 'of an actor'}`);
    for (const { said, cancels } of this.#placed) {
      for (const { type } of said) this.count(`answer ${type}`);
      for (const cancel of cancels) this.count(`cancel ${cancel}`);
    }
  }

  /** Repeats every answered key. Each gets the same answer, a different body gets a refusal, and no new order arises. */
  async repeatAll(): Promise<void> {
    const before = (await this.#seen()).orders.length;
    const { traders, losesRecord = false } = this.#parts;
    for (const trader of traders) {
      for (const placed of trader.placed) this.#add('a repetition', await unlikeBefore(trader, placed, losesRecord));
    }
    const after = (await this.#seen()).orders.length;
    if (after !== before) this.#add('repetitions', [`made ${after - before} orders`]);
  }

  async whenNothingRests(): Promise<void> {
    await this.#look('when nothing rests', this.#parts.settleMs, async () => {
      const { faults, accounts, seen } = await this.#compare();
      const resting = accounts.flatMap(({ at }) => at.orders.filter(({ isResting }) => isResting));
      const rest = resting.map(({ venueOrderId }) => `${venueOrderId} rests still`);
      const shown = [...(await this.#faultsOfBalances(accounts)), ...(await this.#faultsOfPositions(seen))];
      return [...faults, ...rest, ...faultsOfCash(accounts), ...shown];
    });
  }

  /** Audits the followers' events, the store after the gateway's regular end, and the exit of all processes. */
  async atTheEnd(): Promise<void> {
    const { paper, gateway, followers, expected = [] } = this.#parts;
    for (const follower of followers) await this.#look('at the end', SOON_MS, () => this.#faultsOf(follower));
    for (const { connections } of followers) this.count('stream connections', connections);
    for (const { reported } of followers) this.count('stream events', reported.length);
    const code = await gateway.stop();
    if (code !== 0) this.#add('the end', [`exit code ${code}`]);
    await gateway.check();
    const complaint = await paper.end();
    if (complaint !== '') this.#add('the paper exchanges', [complaint]);
    for (const { level, event, kind = '' } of gateway.logs) this.count(`log ${level} ${event} ${kind}`);
    const never = NEVER.filter(words => !expected.includes(words));
    const alarms = gateway.logs.filter(
      ({ event, kind, line }) => never.includes(kind ?? event) && !line.includes(SLOW_SYNC),
    );
    this.#add(
      'the log',
      alarms.map(({ line }) => line),
    );
  }

  get #placed(): readonly Placed[] {
    return this.#parts.traders.flatMap(({ placed }) => placed);
  }

  async #seen(): Promise<GatewaySeen> {
    return gatewaySeen(await this.#parts.gateway.export());
  }

  async #compare(): Promise<Comparison> {
    const { paper, strangers, isPatient } = this.#parts;
    const seen = await this.#seen();
    const accounts = await seeAccounts(paper, seen);
    const made = this.#placed.flatMap(({ said }) => said.find(it => it.type === 'made')?.orderId ?? []);
    const faults = [
      ...faultsOfAnswers(this.#placed, seen, isPatient),
      ...(await faultsOfOrders({ accounts, strangers, made: new Set(made), nowMs: Date.now() })),
      ...(await faultsOfMoney(accounts, strangers)),
    ];
    return { faults, accounts, seen };
  }

  /** Checks the balances. No order holds cash back, so all cash is available. */
  async #faultsOfBalances(accounts: readonly AccountSeen[]): Promise<string[]> {
    const faults: string[] = [];
    for (const { podId, venue, at } of accounts) {
      const { client } = this.#parts.traders.find(({ actor }) => actor.podId === podId)!;
      const answer = await client.call(venue === 'venue_a' ? 'getVenueABalance' : 'getVenueBBalance');
      const available = answer.ok ? micros(String(answer.value.value.available)) : answer.error.message;
      if (available !== at.cash) faults.push(`${podId} ${venue}: ${available} is available, there ${at.cash}`);
    }
    return faults;
  }

  /** Compares the positions that their owners see with the store. */
  async #faultsOfPositions({ positions }: GatewaySeen): Promise<string[]> {
    const faults: string[] = [];
    for (const { actor, client } of this.#parts.traders) {
      const [ofA, ofB] = [await client.call('getVenueAPositions'), await client.call('getVenueBPositions')];
      if (!ofA.ok || !ofB.ok) return [`positions of ${actor.actorId} are not shown`];
      const shown = [
        ...ofA.value.value.positions.map(({ tokenId, size }) => `${tokenId} ${micros(size)}`),
        ...ofB.value.value.positions.map(
          ({ ticker, side, contracts }) => `${ticker} ${side === 'NO' ? -contracts : contracts}`,
        ),
      ];
      const kept = positions
        .filter(({ owner, size }) => owner === actor.actorId && size !== 0n)
        .map(({ venue, address, size }) => `${address} ${venue === 'venue_b' ? wholeContracts(size) : size}`);
      if (shown.sort().join() !== kept.sort().join())
        faults.push(`${actor.actorId} is shown ${shown.join()}, and has ${kept.join()}`);
    }
    return faults;
  }

  async #faultsOf(follower: Follower): Promise<string[]> {
    const { gateway, losesRecord = false } = this.#parts;
    const from = replayedFrom(follower);
    if (from === null) return faultsOfStream(follower, [], await this.#seen(), losesRecord);
    const again = new Follower(gateway.url, follower.actor, from);
    const since = follower.leap?.heard ?? 0;
    try {
      await untilQuiet(SOON_MS, async () =>
        again.reported.length + since < follower.reported.length ? ['events are missing'] : [],
      );
      return faultsOfStream(follower, again.reported, await this.#seen(), losesRecord);
    } finally {
      again.close();
    }
  }

  async #look(when: string, patienceMs: number, complaints: () => Promise<readonly string[]>): Promise<void> {
    this.#add(when, await untilQuiet(patienceMs, complaints));
  }

  #add(when: string, faults: readonly string[]): void {
    this.faults.push(...faults.map(fault => `${when}: ${fault}`));
  }
}

async function unlikeBefore(trader: Trader, placed: Placed, losesRecord: boolean): Promise<string[]> {
  const last = placed.said.at(-1);
  if (last === undefined || (last.type !== 'made' && last.type !== 'refused')) return [];
  const again = await trader.repeat(placed);
  const isSame =
    last.type === 'made'
      ? again.type === 'made' &&
        again.isReplayed &&
        again.orderId === last.orderId &&
        (losesRecord || again.status === last.status)
      : again.type === 'refused' && again.httpStatus === last.httpStatus;
  const faults = isSame ? [] : [`of ${placed.idempotencyKey}: ${JSON.stringify(again)} after ${JSON.stringify(last)}`];
  if (last.type !== 'made') return faults;
  const misused = await trader.repeat(placed, otherBody(placed));
  const isRefused = misused.type === 'refused' && misused.httpStatus === HTTP_CONFLICT;
  return isRefused ? faults : [...faults, `of ${placed.idempotencyKey}, another body: ${JSON.stringify(misused)}`];
}

function otherBody({ order: { venue, body } }: Placed): object {
  if (venue === 'venue_b') return { ...body, count: body.count! + 1 };
  return body.type === 'LIMIT' ? { ...body, size: `1${body.size}` } : { ...body, amount: `1${body.amount}` };
}

/** Rounds to whole contracts. Parts of a contract that a venue may fill stay in the store. */
function wholeContracts(size: bigint): bigint {
  return size / 1_000_000n;
}
