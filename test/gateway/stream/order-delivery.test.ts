// Random lives of the orders channel. Events, questions and answers come late. Clients come, go, read slowly, subscribe again and return
// with their cursor. Old events expire. Each client gets 1, 2, 3, … to the last, and skips only what has expired, and only by a snapshot.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fullActorId } from '../../../src/core/domain/identity.ts';
import type { ServerMessage } from '../../../src/core/wire/messages.ts';
import { limits } from '../../../src/limits.ts';
import { orderOf } from '../../support/memory-order-feed.ts';
import { ANYBODY } from '../../support/stream-rig.ts';
import { type OrderClient, OrderRig } from './order-rig.ts';

const ACTORS = ['actor', 'another'] as const;
const FULL_ACTORS = ACTORS.map(actorId => fullActorId({ ...ANYBODY, actorId }));
const CLIENTS = 4;

/** A client that follows an actor through all its connections. */
class Story {
  readonly #key: typeof ANYBODY;
  /** The cursor of the last event of the client. */
  cursor = 0;
  /** The number of events that a snapshot has replaced. */
  skipped = 0;
  reported = 0;
  /** The number of subscriptions on this connection that were not answered yet. */
  #unanswered = 0;
  #client: OrderClient | null = null;
  #read = 0;
  #mayAnnounce = false;

  constructor(actorId: string) {
    this.#key = { ...ANYBODY, actorId };
  }

  get actorId(): string {
    return fullActorId(this.#key);
  }

  async connect(rig: OrderRig, frames: number): Promise<void> {
    if (this.#client !== null) return;
    this.#client = rig.connect(this.#key);
    this.#client.framesTaken = frames;
    this.#read = 0;
    this.#unanswered = 1;
    await this.#client.subscribe(this.cursor);
  }

  async subscribeAnew(): Promise<void> {
    await this.#client?.unsubscribe();
    this.readAll();
    this.#mayAnnounce = false;
    this.#unanswered += 1;
    await this.#client?.subscribe(this.cursor);
  }

  get isAnswered(): boolean {
    return this.#client === null || this.#unanswered === 0;
  }

  lose(): void {
    this.readAll();
    this.#client?.end();
    this.#client = null;
  }

  drain(frames: number): void {
    this.#client?.drain(frames);
  }

  /** Reads the messages that the client has heard since, and checks that each follows the message before it. */
  readAll(): void {
    const heard = this.#client?.heard ?? [];
    for (; this.#read < heard.length; this.#read++) this.#follow(heard[this.#read]!);
    // The only frame in the queue may be a part of a snapshot that was requested while there was room.
    expect(this.#client?.unsentFrames ?? 0).toBeLessThanOrEqual(1);
  }

  #follow(message: ServerMessage): void {
    if (message.type === 'order') {
      // There are very many of these messages, and `expect` takes long.
      if (message.cursor !== this.cursor + 1 || this.#unanswered !== 0)
        expect([message.cursor, this.#unanswered]).toEqual([this.cursor + 1, 0]);
      this.cursor = message.cursor;
      this.reported += 1;
    } else if (message.type === 'ordersSnapshot') {
      expect(this.#mayAnnounce).toBe(true);
      if (!message.hasMore) {
        expect(message.cursor).toBeGreaterThanOrEqual(this.cursor);
        this.skipped += message.cursor - this.cursor;
        this.cursor = message.cursor;
      }
    } else if (message.type === 'subscribed') {
      expect(message).toMatchObject({ cursor: this.cursor });
      this.#unanswered -= 1;
    } else if (message.type === 'error' && message.code !== 'LAGGED') {
      expect(['CURSOR_EXPIRED', 'NOT_SUBSCRIBED']).toContain(message.code);
      if (message.id === 's') this.#unanswered -= 1;
    }
    this.#mayAnnounce = message.type === 'error' || (message.type === 'ordersSnapshot' && message.hasMore);
  }
}

const who = fc.nat(CLIENTS - 1);
const frames = fc.oneof(fc.nat(5), fc.constant(Number.POSITIVE_INFINITY));
const count = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(1_000));
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('commit'), actor: fc.nat(1), count: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('commit'), actor: fc.nat(1), count: fc.constant(300) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('tell', 'read', 'deliver'), count }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('connect'), who, frames }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('lose', 'anew'), who }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('drain'), who, frames }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('wait') }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take(rig: OrderRig, stories: readonly Story[], it: Step): Promise<void> {
  const { feed } = rig;
  if ('actor' in it) for (let event = 0; event < it.count; event++) feed.commit(FULL_ACTORS[it.actor]!);
  else if ('count' in it) feed[it.does](it.count);
  else if ('frames' in it) {
    if (it.does === 'connect') await stories[it.who]!.connect(rig, it.frames);
    else stories[it.who]!.drain(it.frames);
  } else if ('who' in it) {
    if (it.does === 'anew') await stories[it.who]!.subscribeAnew();
    else stories[it.who]!.lose();
  }
  await rig.timers.settle();
}

/** Connects all clients, lets them read, and waits until nothing more comes. */
async function settle(rig: OrderRig, stories: readonly Story[]): Promise<void> {
  rig.feed.release();
  rig.feed.tell();
  for (const story of stories) {
    await story.connect(rig, Number.POSITIVE_INFINITY);
    story.drain(Number.POSITIVE_INFINITY);
  }
  await rig.settle();
  for (const story of stories) story.readAll();
  expect(stories.map(({ isAnswered }) => isAnswered)).toEqual(stories.map(() => true));
  expect(rig.feed.underWayMax).toBeLessThanOrEqual(1);
}

function newRig(): OrderRig {
  const rig = new OrderRig();
  rig.feed.isHeld = true;
  return rig;
}

const newStories = (): Story[] => Array.from({ length: CLIENTS }, (_, at) => new Story(ACTORS[at % 2]!));

it('every client gets every event, once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async steps => {
      const rig = newRig();
      const stories = newStories();
      for (const next of steps) {
        await take(rig, stories, next);
        for (const story of stories) story.readAll();
      }
      await settle(rig, stories);
      for (const { actorId, cursor, reported, skipped } of stories) {
        expect([cursor, reported, skipped]).toEqual([rig.feed.committed(actorId), rig.feed.committed(actorId), 0]);
      }
    }),
    { numRuns: 100 },
  );
});

/** Enough open orders for more than one message of a snapshot. */
const OPEN = Array.from({ length: limits.ordersPerSnapshotMax + 1 }, (_, number) => orderOf('anybody', number));

it('a client skips only what was forgotten, and hears that it does', async () => {
  const forgets = fc.record({ does: fc.constant('forget'), part: fc.double({ min: 0, max: 1, noNaN: true }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 9, arbitrary: step }, forgets), { maxLength: 60, size: 'max' }),
      async steps => {
        const rig = newRig();
        rig.feed.open = OPEN;
        const stories = newStories();
        let forgotten = 0;
        for (const next of steps) {
          if ('part' in next) {
            const last = Math.min(...FULL_ACTORS.map(actor => rig.feed.committed(actor)));
            forgotten = Math.max(forgotten, Math.floor(last * next.part));
            rig.feed.prune(forgotten);
          } else await take(rig, stories, next);
          for (const story of stories) story.readAll();
        }
        await settle(rig, stories);
        for (const { actorId, cursor, reported, skipped } of stories) {
          expect([cursor, reported + skipped]).toEqual(Array(2).fill(rig.feed.committed(actorId)));
          if (forgotten === 0) expect(skipped).toBe(0);
        }
      },
    ),
    { numRuns: 100 },
  );
});
