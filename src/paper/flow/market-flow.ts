// The market flow. Games proceed, makers on both venues quote from the state of the games, and people trade. Each maker has a lag and an
// opinion of its own. There is one agenda, with one timer. The same seed and times give the same calls of the desks. Paper thread.

import { HOUR_MS } from '../../core/domain/durations.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import { Random } from '../../core/runtime/random.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import { numberOf } from '../catalog/identity.ts';
import type { Catalog, Game, PricedBy, Question } from '../catalog/listings.ts';
import { GameModel, type GameMoment, type Score } from './game-model.ts';
import { type FlowCalibration, type HouseDesk, indexOf, MarketMaker } from './market-maker.ts';

/** The parts of a catalog that a flow needs. */
type FlowCatalog = Pick<Catalog, 'games' | 'questions'>;

interface MarketFlowParts {
  readonly catalog: FlowCatalog;
  readonly desks: { readonly venueA: HouseDesk; readonly venueB: HouseDesk };
  readonly timers: Timers;
  readonly random: Random;
  readonly calibration: FlowCalibration;
  /** The pace, as a factor of the calibrated pace. The default is 1. With 0 makers follow the games, without other activity. */
  readonly intensity?: number;
  /** Called for each question of a game when the game ends. */
  readonly onResult: (question: string, isTrue: boolean) => void;
}

/** A game with its questions and its makers. */
interface Table {
  readonly model: GameModel;
  readonly questions: readonly Question[];
  readonly seats: Seat[];
}

interface Seat {
  readonly maker: MarketMaker;
  readonly table: Table;
  readonly statement: Question['statement'];
  readonly pricedBy: PricedBy;
  readonly isSide: boolean;
  readonly lagMs: number;
  readonly random: Random;
  /** Whether an update of the maker is on the agenda. */
  isFollowing: boolean;
}

type Task =
  | { readonly type: 'game'; readonly table: Table }
  | { readonly type: 'follow'; readonly seat: Seat }
  | { readonly type: 'stir'; readonly seat: Seat };

/** The mean lag of the makers. It differs between the two venues, so that for a moment one price is stale. */
const LAG_MEAN_MS = { venueA: 350, venueB: 200 };
const LAG_MIN_MS = 40;
/** The smallest move of the model that makers follow. */
const MOVE_MIN = 0.001;

export class MarketFlow {
  readonly #parts: MarketFlowParts;
  readonly #timers: Timers;
  readonly #onResult: (question: string, isTrue: boolean) => void;
  readonly #pace: Pace;
  readonly #isStirred: boolean;
  /** The seed from which the games' random sources are made. */
  readonly #seed: number;
  readonly #agenda = new Agenda<Task>();
  /** The tables by game. */
  readonly #tables: Map<string, Table>;
  #isRunning = false;
  #cancelTimer: () => void = () => {};

  constructor(parts: MarketFlowParts) {
    const { calibration, intensity = 1 } = parts;
    this.#parts = parts;
    this.#timers = parts.timers;
    this.#onResult = parts.onResult;
    this.#pace = new Pace(calibration, intensity);
    this.#isStirred = intensity > 0;
    this.#seed = parts.random.below(2 ** 32);
    this.#tables = tablesOf(parts, parts.catalog, this.#seed);
  }

  /** Starts the flow. When it returns, every open book has its depth. */
  start(): void {
    this.#isRunning = true;
    for (const table of this.#tables.values()) this.#open(table);
    this.#sleep();
  }

  /** Stops the flow. The books stay as they are. */
  stop(): void {
    this.#isRunning = false;
    this.#cancelTimer();
  }

  /** Adds new games, after the exchanges have listed them. */
  add(catalog: FlowCatalog): void {
    for (const [game, table] of tablesOf(this.#parts, catalog, this.#seed)) {
      this.#tables.set(game, table);
      if (this.#isRunning) this.#open(table);
    }
    if (this.#isRunning) this.#sleep();
  }

  /** Removes games that are over and that nobody reads any more. */
  forget(isForgotten: (game: string) => boolean): void {
    for (const [game, { model }] of this.#tables) if (model.isOver && isForgotten(game)) this.#tables.delete(game);
  }

  /** Returns the score of a game that has begun. Null before the start, and for an unknown game. */
  score(game: string): Score | null {
    const model = this.#tables.get(game)?.model;
    return model === undefined || this.#timers.now() < model.game.startsAt ? null : model.score;
  }

  #open(table: Table): void {
    const now = this.#timers.now();
    // The game ended while no process ran.
    if (table.model.isOver) {
      this.#finish(table);
      return;
    }
    this.#plan(table);
    for (const seat of table.seats) {
      this.#follow(seat, now);
      if (this.#isStirred) this.#agenda.add(now + this.#pauseOf(seat, now), { type: 'stir', seat });
    }
  }

  /** Lets a maker quote. If its market takes no orders, this is tried again later. */
  #follow(seat: Seat, now: UnixMillis): void {
    if (seat.table.model.isOver) return;
    seat.maker.follow(chanceOf(seat));
    seat.isFollowing = !seat.maker.market.isOpen();
    if (seat.isFollowing) this.#agenda.add(now + limits.paperMakerRetryMs, { type: 'follow', seat });
  }

  #sleep(): void {
    this.#cancelTimer();
    const { nextAt } = this.#agenda;
    if (nextAt === null) return;
    const delayMs = Math.max(limits.paperFlowTurnMs, nextAt - this.#timers.now());
    this.#cancelTimer = this.#timers.after(delayMs, () => this.#turn());
  }

  /** Performs the due tasks in order. If there are too many, the next turn continues. */
  #turn(): void {
    const now = this.#timers.now();
    for (let done = 0; done < limits.paperFlowTasksPerTurnMax; done += 1) {
      const due = this.#agenda.take(now);
      if (due === null) break;
      this.#perform(due.task, due.at as UnixMillis, now);
    }
    this.#sleep();
  }

  #perform(task: Task, at: UnixMillis, now: UnixMillis): void {
    switch (task.type) {
      case 'game':
        this.#advance(task.table, at);
        break;
      case 'follow':
        this.#follow(task.seat, now);
        break;
      case 'stir':
        this.#changeMarket(task, at, now);
        break;
      default:
        unreachable(task);
    }
  }

  #changeMarket(task: Task & { type: 'stir' }, at: UnixMillis, now: UnixMillis): void {
    const { seat } = task;
    if (seat.table.model.isOver) return;
    seat.maker.makeChanges(this.#pace.changesAtOnce(seat.random));
    // After the process slept, changes that were missed are not made up for.
    const from = Math.max(at, now - limits.paperFlowLateMs) as UnixMillis;
    this.#agenda.add(from + this.#pauseOf(seat, from), task);
  }

  #advance(table: Table, at: UnixMillis): void {
    const moment = table.model.advance();
    if (moment === 'end') this.#finish(table);
    else this.#scheduleUpdates(table, moment, at);
  }

  /** Schedules an update of every maker that the moment concerns, after the maker's lag. */
  #scheduleUpdates(table: Table, moment: GameMoment, at: UnixMillis): void {
    for (const seat of table.seats) {
      if (seat.isFollowing) continue;
      // A venue may clear its books at the start, so then every maker quotes again.
      if (moment !== 'start' && Math.abs(chanceOf(seat) - seat.maker.seen) < MOVE_MIN) continue;
      seat.isFollowing = true;
      const lagMs = LAG_MIN_MS + Math.floor(seat.random.exponential(seat.lagMs));
      this.#agenda.add(at + lagMs, { type: 'follow', seat });
    }
    this.#plan(table);
  }

  #finish(table: Table): void {
    for (const { maker } of table.seats) maker.withdraw();
    for (const { id, statement } of table.questions) this.#onResult(id, table.model.result(statement) === true);
    // Only the score of the game is still read.
    table.seats.length = 0;
  }

  #plan(table: Table): void {
    if (table.model.nextAt !== null) this.#agenda.add(table.model.nextAt, { type: 'game', table });
  }

  #pauseOf({ table, isSide, random }: Seat, now: UnixMillis): number {
    return this.#pace.pauseMs(table.model.game, isSide, now, random);
  }
}

/**
 * Makes the tables. Every game and every market has a random source of its own, so that events in one do not change the others. A game's
 * source depends on nothing else, so that a later start continues the same game.
 */
function tablesOf(
  { desks, timers, random, calibration }: MarketFlowParts,
  catalog: FlowCatalog,
  seed: number,
): Map<string, Table> {
  const ownRandom = () => new Random(random.below(2 ** 32));
  const questions = Map.groupBy(catalog.questions, ({ game }) => game);
  const tables = new Map<string, Table>();
  const now = timers.now();
  for (const game of catalog.games) {
    const asked = questions.get(game.id) ?? [];
    const canDraw = asked.some(({ statement }) => statement.kind === 'draw');
    const ofGame = new Random(numberOf(9, 'game', String(seed), game.id));
    const model = new GameModel({ game, canDraw, random: ofGame, now });
    tables.set(game.id, { model, questions: asked, seats: [] });
  }
  const questionsById = new Map(catalog.questions.map(question => [question.id, question]));
  for (const venue of ['venueA', 'venueB'] as const) {
    const desk = desks[venue];
    for (const market of desk.markets) {
      const question = questionsById.get(market.pricedBy.question);
      if (question === undefined) continue;
      const seatRandom = ownRandom();
      const table = tables.get(question.game);
      if (table === undefined) continue;
      const { statement } = question;
      const isSide = statement.kind === 'spread' || statement.kind === 'total';
      const maker = new MarketMaker({
        desk,
        market,
        calibration,
        venue: calibration[venue],
        random: seatRandom,
        isSide,
      });
      const own = { maker, table, statement, pricedBy: market.pricedBy, isSide, random: seatRandom };
      table.seats.push({ ...own, lagMs: LAG_MEAN_MS[venue], isFollowing: false });
    }
  }
  return tables;
}

/** Returns the probability of the market's YES, or of its first token. */
function chanceOf({ table, statement, pricedBy }: Seat): number {
  const probability = table.model.probability(statement);
  return pricedBy.isComplement ? 1 - probability : probability;
}

/** The factors of the recorded pace, by hours to the start. */
const FACTORS = [
  { untilMs: 0, factor: 4 },
  { untilMs: 3 * HOUR_MS, factor: 1 },
  { untilMs: 24 * HOUR_MS, factor: 0.4 },
  { untilMs: Number.POSITIVE_INFINITY, factor: 0.1 },
] as const;
const SIDE_FACTOR = 0.15;
/** The recorded pauses are twenty values. They are spread by this share, so that markets do not act in step. */
const PAUSE_SPREAD = 0.2;

/**
 * The activity of a market. Some hours before a game it is as recorded. It is higher during the game, and lower far ahead of it or in
 * markets that are not about the winner. Pauses are drawn from recorded ones: mostly bursts, and a few long pauses.
 */
class Pace {
  readonly #calibration: FlowCalibration;
  readonly #intensity: number;

  /** An `intensity` of 1 means the calibrated pace. */
  constructor(calibration: FlowCalibration, intensity: number) {
    this.#calibration = calibration;
    this.#intensity = intensity;
  }

  /** Returns the pause until the next cluster of changes. */
  pauseMs(game: Game, isSide: boolean, now: UnixMillis, random: Random): number {
    const { pauses, clusterShares, changesPerSecond } = this.#calibration;
    const clusterMean = clusterShares.reduce((sum, share, index) => sum + share * (index + 1), 0);
    const { factor } = FACTORS.find(({ untilMs }) => game.startsAt - now <= untilMs)!;
    const perSecond = (changesPerSecond / clusterMean) * factor * (isSide ? SIDE_FACTOR : 1) * this.#intensity;
    const smeared = random.pick(pauses) * (1 + PAUSE_SPREAD * (2 * random.next() - 1));
    return Math.min(limits.paperFlowPauseMsMax, Math.max(1, Math.round((1_000 / perSecond) * smeared)));
  }

  changesAtOnce(random: Random): number {
    return 1 + indexOf(this.#calibration.clusterShares, random.next());
  }
}

interface Entry<T> {
  readonly at: number;
  readonly order: number;
  readonly task: T;
}

export class Agenda<T> {
  readonly #heap: Entry<T>[] = [];
  #added = 0;

  get nextAt(): number | null {
    return this.#heap[0]?.at ?? null;
  }

  add(at: number, task: T): void {
    const entry = { at, order: this.#added, task };
    this.#added += 1;
    let place = this.#heap.length;
    this.#heap.push(entry);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (isBefore(this.#heap[parent]!, entry)) break;
      this.#heap[place] = this.#heap[parent]!;
      place = parent;
    }
    this.#heap[place] = entry;
  }

  /** Removes and returns the first due task. Returns null if no task is due. */
  take(now: number): { readonly at: number; readonly task: T } | null {
    const first = this.#heap[0];
    if (first === undefined || first.at > now) return null;
    const last = this.#heap.pop()!;
    if (this.#heap.length > 0) this.#sink(last);
    return first;
  }

  #sink(entry: Entry<T>): void {
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#heap.length) break;
      if (child + 1 < this.#heap.length && isBefore(this.#heap[child + 1]!, this.#heap[child]!)) child += 1;
      if (isBefore(entry, this.#heap[child]!)) break;
      this.#heap[place] = this.#heap[child]!;
      place = child;
    }
    this.#heap[place] = entry;
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
