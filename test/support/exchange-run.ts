// A run of random steps, either on the engine alone with an audit after each step, or on the engine and its naive twin. Everything
// observable of the engine and the twin must be equal. A failure prints the seed and the number of the step, which reproduce it.

import { isDeepStrictEqual } from 'node:util';
import { wordsOf } from '../../src/core/domain/error-words.ts';
import { ASK, BID } from '../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../src/core/domain/numbers.ts';
import { Engine } from '../../src/paper/engine/engine.ts';
import type { EngineEvent, MarketId } from '../../src/paper/engine/engine-types.ts';
import { ExchangeAudit } from './exchange-audit.ts';
import { linearFees, noFees, rememberingFees } from './exchange-fees.ts';
import { Dice, type Place, type Request, requestOf } from './exchange-steps.ts';
import { type Exchange, ExchangeWorld } from './exchange-world.ts';
import { NaiveExchange } from './naive-exchange.ts';

export type StageName = 'usual' | 'poor' | 'huge';

/** The markets and the money of a run. */
interface Stage {
  readonly places: readonly Place[];
  readonly cash: readonly MicroDollars[];
}

const onGrid = (step: number) => (price: Ticks) => price > 0 && price < 10_000 && price % step === 0;

/**
 * Makes three kinds of market, and accounts that now and then run out of money. Another stage has the same markets and accounts with hardly
 * any money, or with far too much.
 */
export function stage(name: StageName): Stage {
  // Prices times sizes are far beyond 2^53; all money together is still below it.
  const factor = name === 'huge' ? 10_000_000 : 1;
  const kinds = [
    { step: 100, sizeStep: 10_000, centre: 5_000, sizeMost: 9_000_000, fees: noFees },
    { step: 10, sizeStep: 1, centre: 3_330, sizeMost: 5_000_001, fees: linearFees },
    { step: 1, sizeStep: 100, centre: 9_990, sizeMost: 20_000_000, fees: rememberingFees },
  ];
  const cash = name === 'poor' ? [3e6, 1e6, 2_000, 4e6, 1e6, 2e6] : [90e6, 40e6, 9e6, 90e6, 30e6, 50e6];
  return {
    places: kinds.map(({ step, sizeStep, centre, sizeMost, fees }) => ({
      spec: { isOnGrid: onGrid(step), sizeStep: sizeStep as MicroShares, fees },
      centre: centre as Ticks,
      priceStep: step as Ticks,
      sizeMost: (sizeMost * factor) as MicroShares,
      depositMost: (name === 'poor' ? 30_000 : 1_000_000 * factor) as MicroDollars,
    })),
    cash: cash.map(amount => (amount * factor) as MicroDollars),
  };
}

export class ExchangeRun {
  readonly world: ExchangeWorld;
  readonly engine: Engine;
  readonly #events: EngineEvent[] = [];
  readonly #audit: ExchangeAudit;

  constructor({ places, cash }: Stage) {
    this.world = new ExchangeWorld(places);
    this.engine = new Engine({
      emit: event => {
        this.#events.push(event);
        this.world.watch(event);
      },
    });
    this.world.open(this.engine, cash);
    this.#audit = new ExchangeAudit(this.engine, this.world);
  }

  /** Does the operation that a step asks for. Returns the request, its outcome and its events. */
  step(step: number): { request: Request; outcome: unknown; events: readonly EngineEvent[] } {
    const { world, engine } = this;
    const request = requestOf(step, world);
    const delisted = request.call === 'addMarket' ? world.slots[request.slot]! : null;
    if (delisted !== null) this.#audit.checkSettled(delisted);
    this.#events.length = 0;
    world.begin(request);
    const outcome = apply(engine, request, world);
    world.end();
    note(world, request, outcome);
    if (this.#events.filter(it => it.type === 'fill').length > 1) world.count('several fills');
    this.#audit.check();
    return { request, outcome, events: this.#events };
  }
}

/** An engine and its naive twin, which get the same requests. */
export class ExchangePair {
  readonly run: ExchangeRun;
  readonly #twin: NaiveExchange;
  readonly #events: EngineEvent[] = [];

  constructor(stage: Stage) {
    this.run = new ExchangeRun(stage);
    this.#twin = new NaiveExchange({ emit: event => this.#events.push(event) });
    for (const amount of stage.cash) this.#twin.addAccount(amount);
    for (const { spec } of stage.places) this.#twin.addMarket(spec);
  }

  step(step: number): void {
    this.#events.length = 0;
    const { request, outcome, events } = this.run.step(step);
    const expected = apply(this.#twin, request, this.run.world);
    agree(request, 'outcome', outcome, expected);
    agree(request, 'events', events, this.#events);
    agree(request, 'state', stateOf(this.run.engine, this.run.world), stateOf(this.#twin, this.run.world));
  }
}

/** Does the steps of a seed. An error names the seed and the step. */
export function roll(seed: number, steps: number, take: (step: number) => void): void {
  const dice = new Dice(seed);
  for (let number = 0; number < steps; number++) {
    try {
      take(dice.next());
    } catch (error) {
      throw new Error(`seed ${seed}, step ${number}: ${wordsOf(error)}`, {
        cause: error,
      });
    }
  }
}

function apply(exchange: Exchange, request: Request, world: ExchangeWorld): unknown {
  switch (request.call) {
    case 'place':
      return exchange.place(request.order, request.now);
    case 'cancel':
      return exchange.cancel(request.account, request.order, request.now);
    case 'cancelAll':
      return exchange.cancelAll(request.account, request.market, request.now);
    case 'decrease':
      return exchange.decrease(request.account, request.order, request.to, request.now);
    case 'amend':
      return exchange.amend(request.account, request.order, request.price, request.resting, request.now);
    case 'expire':
      return exchange.expire(request.now);
    case 'setState':
      return exchange.setState(request.market, request.state, request.now);
    case 'settle':
      return exchange.settle(request.market, request.yesValue);
    case 'giveShares':
      return exchange.giveShares(request.account, request.to, request.market, request.side, request.size);
    case 'deposit':
      return exchange.deposit(request.account, request.amount);
    case 'addMarket':
      return exchange.addMarket(world.places[request.slot]!.spec);
    default:
      return exchange[request.call](request.account, request.market, request.size);
  }
}

/** Notes the facts of a request that its events do not contain. */
function note(world: ExchangeWorld, request: Request, outcome: unknown): void {
  if (request.call === 'addMarket') world.list(request.slot, outcome as MarketId);
  if (request.call === 'deposit' && outcome === true) world.deposited += request.amount;
  if (request.call === 'deposit') world.count(`deposit ${request.amount < 0 ? 'out' : 'in'}: ${outcome}`);
  const result = outcome as { ok?: boolean; error?: string; value?: { filled?: number } } | undefined;
  if (result?.ok === false) world.count(`${request.call} refused: ${result.error}`);
  else world.count(request.call);
  if (request.call === 'amend' && result?.ok && result.value!.filled! > 0) world.count('amend: crossed');
}

function stateOf(exchange: Exchange, world: ExchangeWorld): unknown {
  return {
    feesTaken: exchange.feesTaken,
    accounts: world.accounts.map(account => ({ ...exchange.account(account) })),
    markets: world.slots.map(market => ({
      pot: exchange.pot(market),
      holdings: world.accounts.map(account => plain(exchange.holding(account, market))),
      bids: [...exchange.levels(market, BID)].map(plain),
      asks: [...exchange.levels(market, ASK)].map(plain),
    })),
  };
}

function plain(fields: object): unknown {
  return { ...fields };
}

/** Reports only the difference, with the fields that lead to the difference. */
function agree(request: Request, what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  const lines = differences(what, found, expected);
  throw new Error(`after ${JSON.stringify(request)}, engine | twin:\n  ${lines.join('\n  ')}`);
}

function differences(path: string, found: unknown, expected: unknown): string[] {
  if (isDeepStrictEqual(found, expected)) return [];
  const isDeep = [found, expected].every(it => typeof it === 'object' && it !== null);
  if (!isDeep) return [`${path}: ${JSON.stringify(found)} | ${JSON.stringify(expected)}`];
  const [one, other] = [found, expected] as [Record<string, unknown>, Record<string, unknown>];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap(name => differences(`${path}.${name}`, one[name], other[name]));
}
