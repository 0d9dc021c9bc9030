// Random lives of the orders channel: threads commit and tell in any order, twice or never; clients come, go, read slowly and
// come back with their cursor; old events are forgotten. Each client's story must read 1, 2, 3, … to the last, and may skip only
// what was forgotten, and only by way of a snapshot.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fullActorId } from '../../../src/domain/identity.ts';
import { ANYBODY } from '../../support/stream-rig.ts';
import { type OrderClient, OrderRig } from './order-rig.ts';

const ACTORS = ['actor', 'another'] as const;
const FULL_ACTORS = ACTORS.map(actorId => fullActorId({ ...ANYBODY, actorId }));
const CLIENTS = 4;

/** Who follows an actor through all its connections. */
class Story {
  readonly #key: typeof ANYBODY;
  /** Of the last event it knows of. */
  cursor = 0;
  /** Events that a snapshot took the place of. */
  skipped = 0;
  told = 0;
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
    await this.#client.subscribe(this.cursor);
  }

  lose(): void {
    this.readAll();
    this.#client?.end();
    this.#client = null;
  }

  drain(frames: number): void {
    this.#client?.drain(frames);
  }

  /** Reads what it has heard since, and checks that it follows. */
  readAll(): void {
    const heard = this.#client?.heard ?? [];
    for (; this.#read < heard.length; this.#read++) {
      const message = heard[this.#read]!;
      if (message.type === 'order') {
        expect(message.cursor).toBe(this.cursor + 1);
        this.cursor = message.cursor;
        this.told += 1;
      } else if (message.type === 'ordersSnapshot') {
        expect(this.#mayAnnounce).toBe(true);
        expect(message.cursor).toBeGreaterThanOrEqual(this.cursor);
        this.skipped += message.cursor - this.cursor;
        this.cursor = message.cursor;
      } else if (message.type === 'subscribed') expect(message).toMatchObject({ cursor: this.cursor });
      else if (message.type === 'error' && message.code !== 'LAGGED') expect(message.code).toBe('CURSOR_EXPIRED');
      this.#mayAnnounce = message.type === 'error';
    }
    // The answer of a subscription goes out, room or not; nothing else is queued.
    expect(this.#client?.unsentFrames ?? 0).toBeLessThanOrEqual(2);
  }
}

const who = fc.nat(CLIENTS - 1);
const frames = fc.oneof(fc.nat(5), fc.constant(Number.POSITIVE_INFINITY));
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('commit'), actor: fc.nat(1), count: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('commit'), actor: fc.nat(1), count: fc.constant(300) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('tell'), order: fc.array(fc.nat(), { maxLength: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('miss'), count: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('connect'), who, frames }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('lose'), who }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('drain'), who, frames }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait'), ms: fc.constantFrom(0, 20, 1_000) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('hide'), count: fc.nat(5) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take(rig: OrderRig, stories: readonly Story[], it: Step): Promise<void> {
  const { feed } = rig;
  if ('actor' in it) for (let event = 0; event < it.count; event++) feed.commit(FULL_ACTORS[it.actor]!);
  // Any of them, in any order, some twice.
  else if ('order' in it) feed.tell(it.order.flatMap(at => feed.news[at % feed.news.length] ?? []));
  else if (it.does === 'miss' && 'count' in it) feed.news.splice(0, it.count);
  else if (it.does === 'hide' && 'count' in it) feed.hidden = it.count;
  else if ('ms' in it) rig.timers.advance(it.ms);
  else if (it.does === 'connect' && 'frames' in it) {
    // To connect takes longer than any store is late.
    feed.hidden = 0;
    await stories[it.who]!.connect(rig, it.frames);
  } else if (it.does === 'drain' && 'frames' in it) stories[it.who]!.drain(it.frames);
  else if ('who' in it) stories[it.who]!.lose();
}

/** Everybody is there, reads, and waits until nothing more comes. */
async function settle(rig: OrderRig, stories: readonly Story[]): Promise<void> {
  rig.feed.hidden = 0;
  for (const story of stories) {
    await story.connect(rig, Number.POSITIVE_INFINITY);
    story.drain(Number.POSITIVE_INFINITY);
  }
  rig.timers.advance(5_000);
  for (const story of stories) story.readAll();
}

const newStories = (): Story[] => Array.from({ length: CLIENTS }, (_, at) => new Story(ACTORS[at % 2]!));

it('tells every client every event, once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async steps => {
      const rig = new OrderRig();
      const stories = newStories();
      for (const next of steps) {
        await take(rig, stories, next);
        for (const story of stories) story.readAll();
      }
      await settle(rig, stories);
      for (const { actorId, cursor, told, skipped } of stories) {
        expect([cursor, told, skipped]).toEqual([rig.feed.lastCursor(actorId), rig.feed.lastCursor(actorId), 0]);
      }
    }),
    { numRuns: 100 },
  );
});

it('skips only what was forgotten, and says so', async () => {
  const forgets = fc.record({ does: fc.constant('forget'), part: fc.double({ min: 0, max: 1, noNaN: true }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 9, arbitrary: step }, forgets), { maxLength: 60, size: 'max' }),
      async steps => {
        const rig = new OrderRig();
        const stories = newStories();
        let forgotten = 0;
        for (const next of steps) {
          if ('part' in next) {
            const last = Math.min(...FULL_ACTORS.map(actor => rig.feed.lastCursor(actor)));
            forgotten = Math.max(forgotten, Math.floor(last * next.part));
            rig.feed.prune(forgotten);
          } else await take(rig, stories, next);
          for (const story of stories) story.readAll();
        }
        await settle(rig, stories);
        for (const { actorId, cursor, told, skipped } of stories) {
          expect([cursor, told + skipped]).toEqual(Array(2).fill(rig.feed.lastCursor(actorId)));
          if (forgotten === 0) expect(skipped).toBe(0);
        }
      },
    ),
    { numRuns: 100 },
  );
});
