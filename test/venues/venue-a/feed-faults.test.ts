// The feed on a bad line. Frames are lost, doubled, swapped, cut and damaged, and connections are lost in between. Nothing throws. Each
// shown state is a state that the venue's book had. At the end the book equals the venue's book.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASK, BID, COMPLEMENT, PRIMARY } from '../../../src/core/domain/market.ts';
import { limits } from '../../../src/limits.ts';
import { FeedRig } from './feed-rig.ts';
import { SHARE, TwinMarket } from './twin-market.ts';

const EMPTY = ' | ';

type Fault =
  | { readonly kind: 'NONE' | 'LOSE' | 'DOUBLE' | 'DELAY' | 'DISCONNECT' }
  | { readonly kind: 'CUT'; readonly at: number }
  | { readonly kind: 'GARBLE'; readonly edits: readonly (readonly [at: number, byte: number, how: number])[] };

interface Step {
  readonly market: number;
  readonly cents: number;
  readonly shares: number;
  readonly isTrade: boolean;
  readonly isBook: boolean;
  readonly first: typeof PRIMARY | typeof COMPLEMENT;
  readonly fault: Fault;
  /** Whether the venue answers REST requests and subscriptions before the next step. */
  readonly isAnswered: boolean;
}

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const edit = fc.tuple(share, fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 2 }));
const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Fault>({ kind: 'NONE' }) },
  { weight: 3, arbitrary: fc.constantFrom<Fault>({ kind: 'LOSE' }, { kind: 'DOUBLE' }, { kind: 'DELAY' }) },
  { weight: 1, arbitrary: fc.constant<Fault>({ kind: 'DISCONNECT' }) },
  { weight: 1, arbitrary: share.map((at): Fault => ({ kind: 'CUT', at })) },
  { weight: 3, arbitrary: edits.map((edits): Fault => ({ kind: 'GARBLE', edits })) },
);
const step: fc.Arbitrary<Step> = fc.record({
  market: fc.integer({ min: 0, max: 1 }),
  cents: fc.integer({ min: 30, max: 70 }).filter(cents => cents !== 50),
  shares: fc.integer({ min: 0, max: 40 }),
  isTrade: fc.integer({ min: 0, max: 4 }).map(dice => dice === 0),
  isBook: fc.integer({ min: 0, max: 5 }).map(dice => dice === 0),
  first: fc.constantFrom(PRIMARY, COMPLEMENT),
  fault,
  isAnswered: fc.boolean(),
});

function garble(bytes: Uint8Array, fault: Fault): Uint8Array {
  if (fault.kind === 'CUT') return bytes.subarray(0, Math.floor(fault.at * bytes.length));
  if (fault.kind !== 'GARBLE') return bytes;
  return fault.edits.reduce((before, [share, byte, how]) => {
    const at = Math.floor(share * before.length);
    // A byte is replaced, removed or inserted.
    return Uint8Array.from([
      ...before.subarray(0, at),
      ...(how === 1 ? [] : [byte]),
      ...before.subarray(how === 2 ? at : at + 1),
    ]);
  }, bytes);
}

/** A feed, its venue, and every past state of the venue's books. */
class Line {
  readonly twins = [0, 1].map(number =>
    new TwinMarket(number).seed([
      [BID, 4_900, SHARE],
      [ASK, 5_100, SHARE],
    ]),
  );
  readonly rig = new FeedRig(...this.twins);
  readonly #histories = this.twins.map(twin => new Set([EMPTY, twin.picture()]));
  readonly #delayed: object[] = [];
  #answered = 0;

  async start(): Promise<void> {
    await this.rig.live(...this.twins);
    this.#answered = this.rig.socket.subscriptions.length;
  }

  /** Makes a change at the venue, and returns its event. */
  happen({ market, cents, shares, isTrade, isBook, first }: Step): object {
    const twin = this.twins[market]!;
    if (isTrade) twin.lastTradePrice = (cents / 100).toFixed(3);
    const change = twin.change(cents < 50 ? BID : ASK, cents * 100, shares * SHARE, first);
    this.#histories[market]!.add(twin.picture());
    return isBook ? twin.bookEvent(first, false) : change;
  }

  /** Carries an event to the feed, whole or with the fault. */
  carry(event: object, fault: Fault): void {
    const { socket } = this.rig;
    if (!socket.isOpen) return;
    const bytes = new TextEncoder().encode(JSON.stringify(event));
    if (fault.kind === 'DELAY') this.#delayed.push(event);
    else if (fault.kind === 'DISCONNECT') socket.close();
    else if (fault.kind !== 'LOSE') socket.sendBytes(garble(bytes, fault));
    if (fault.kind === 'DOUBLE') socket.sendBytes(bytes);
    if (fault.kind !== 'DELAY' && socket.isOpen) for (const late of this.#delayed.splice(0)) socket.send(late);
    this.check();
  }

  /** Lets the venue answer REST requests and subscriptions, and lets the feed connect again if it has to. */
  async answer(afterMs = 0): Promise<void> {
    await this.rig.timers.settle(afterMs);
    const { socket } = this.rig;
    if (socket.isNew) {
      socket.open();
      this.#answered = 0;
    }
    const subscriptions = socket.subscriptions;
    for (const { operation, assets_ids } of subscriptions.slice(this.#answered)) {
      if (operation === 'unsubscribe') continue;
      const wanted = this.twins.filter(twin => assets_ids.includes(twin.tokens[PRIMARY]));
      if (socket.isOpen) socket.send(...wanted.flatMap(twin => [twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT)]));
    }
    this.#answered = subscriptions.length;
    this.check();
  }

  /** Checks that each shown book was true at some time, and that an unknown book is not shown. */
  check(): void {
    for (const [index, twin] of this.twins.entries()) {
      const picture = this.rig.picture(twin);
      expect(this.#histories[index]!.has(picture), `${this.rig.book(twin).state} ${picture}`).toBe(true);
      if (this.rig.book(twin).state === 'RESYNCING') expect(picture).toBe(EMPTY);
    }
  }
}

const calm: Fault = { kind: 'NONE' };
const quiet = { isTrade: false, isBook: false, first: PRIMARY, fault: calm, isAnswered: true } as const;

describe('venue A feed on a bad line', () => {
  it('never shows a wrong book, and finds its way back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async steps => {
        const line = new Line();
        await line.start();
        for (const it of steps) {
          line.carry(line.happen(it), it.fault);
          if (it.isAnswered) await line.answer(limits.upstreamBackoffMinMs);
        }
        for (let round = 0; round < 5; round += 1) {
          await line.answer(limits.upstreamBackoffMinMs);
          line.rig.socket.sendText('PONG');
          await line.answer(limits.upstreamSnapshotMs);
          for (const market of [0, 1])
            line.carry(line.happen({ ...quiet, market, cents: 45, shares: round + 1 }), calm);
          await line.answer(limits.upstreamBackoffMinMs);
        }
        for (const twin of line.twins) {
          expect(line.rig.book(twin).state).toBe('LIVE');
          expect(line.rig.picture(twin)).toBe(twin.picture());
        }
      }),
      { numRuns: 150 },
    );
  });

  it('needs every part of the line to be bad for every counter to move', async () => {
    // This is a single long run with every kind of fault. Without it the property above could pass because nothing ever went wrong.
    const line = new Line();
    await line.start();
    const steps = fc.sample(step, { numRuns: 3_000, seed: 1 });
    for (const it of steps) {
      line.carry(line.happen(it), it.fault);
      if (it.isAnswered) await line.answer(limits.upstreamBackoffMinMs);
    }
    const { counters } = line.rig;
    const names = ['hashesAdoptedLastTrade', 'hashMismatches', 'hashesHealed', 'bookRereads'] as const;
    const others = ['hashMismatchesAfterReread', 'resyncs', 'unreadable', 'disconnects', 'snapshots'] as const;
    for (const name of [...names, ...others]) expect(counters.read(name), name).toBeGreaterThan(0);
  });
});
