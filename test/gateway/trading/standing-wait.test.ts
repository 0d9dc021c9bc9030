// Decides which waits for the engine are an overload. The naive twin keeps every answer that it gave.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fail, ok, type Result } from '../../../src/core/domain/result.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { replyOf } from '../../../src/core/wire/replies.ts';
import { COUNTED_OPERATIONS } from '../../../src/gateway/api/operations.ts';
import { Operations } from '../../../src/gateway/trading/operations.ts';
import { StandingWait } from '../../../src/gateway/trading/standing-wait.ts';
import { limits } from '../../../src/limits.ts';

const LONG = limits.engineWaitMsMax;
const STANDS = limits.engineWaitStandsMs;

it('a wait that has stood is bounded, until it has been short for as long', () => {
  const look = fc.record({ afterMs: fc.nat(60), waitMs: fc.constantFrom(0, LONG - 1, LONG, 500) });
  fc.assert(
    fc.property(fc.array(look, { maxLength: 40 }), looks => {
      const wait = new StandingWait();
      const seen: { readonly atMs: number; readonly isLong: boolean }[] = [];
      let atMs = 1_000;
      for (const { afterMs, waitMs } of looks) {
        atMs += afterMs;
        seen.push({ atMs, isLong: waitMs >= LONG });
        expect(wait.isTooLong(waitMs, atMs)).toBe(waitMs >= LONG && isBounded(seen));
      }
    }),
  );
});

/** The last stretch of equal looks that lasted decides. */
function isBounded(seen: readonly { readonly atMs: number; readonly isLong: boolean }[]): boolean {
  for (let last = seen.length - 1; last >= 0; last--) {
    let first = last;
    while (first > 0 && seen[first - 1]!.isLong === seen[last]!.isLong) first -= 1;
    if (seen[last]!.atMs - seen[first]!.atMs >= STANDS) return seen[last]!.isLong;
  }
  return false;
}

const caller = { podId: 'pod', actorId: 'pod/a', keyId: 'key' };
const cancel = { name: 'cancel', venue: 'venue_b', caller, orderId: 'x' } as const;
const submission = { name: 'submit-batch', venue: 'venue_b', caller, items: [] } as const;

function rig() {
  const metrics = new Metrics({ operations: COUNTED_OPERATIONS });
  const answers: (() => void)[] = [];
  const state = { nowMs: 0, waitMs: 0 };
  const operations = new Operations({
    checks: { verify: () => ok(true) },
    perform: admitted => answers.push(() => admitted.done(replyOf(200, {}))),
    waitMs: () => state.waitMs,
    metrics,
    nowMs: () => state.nowMs,
  });
  const outcomes: Result<unknown, string>[] = [];
  const ask = (operation: typeof cancel | typeof submission): void => {
    operations.operate(operation as never, null, null, {
      done: outcome => outcomes.push(outcome),
      failed: error => {
        throw error;
      },
    });
  };
  return { metrics, operations, state, ask, answers, outcomes };
}

it('submissions beyond what the engine takes are refused at once, and cancels are not', () => {
  const { metrics, operations, state, ask, answers, outcomes } = rig();
  for (let count = 0; count < limits.engineWaitOperationsMin; count++) ask(submission);
  state.waitMs = LONG;
  ask(submission);
  state.nowMs += STANDS / 2;
  ask(submission);
  expect(outcomes).toEqual([]);
  state.nowMs += STANDS / 2;
  ask(submission);
  expect(outcomes).toEqual([fail('BEHIND')]);
  expect(metrics.read(metrics.counter('engine_behind_total'))).toBe(1);
  const before = operations.inFlight;
  ask(cancel);
  expect([outcomes.length, operations.inFlight]).toEqual([1, before + 1]);
  // A refused request holds no place.
  for (const answer of answers.splice(0)) answer();
  expect(operations.inFlight).toBe(0);
  ask(submission);
  expect(operations.inFlight).toBe(1);
});

it('few operations are never too many, however long they wait', () => {
  const { state, ask, outcomes } = rig();
  state.waitMs = 500;
  for (let count = 1; count < limits.engineWaitOperationsMin; count++) {
    ask(submission);
    state.nowMs += STANDS;
  }
  expect(outcomes).toEqual([]);
});
