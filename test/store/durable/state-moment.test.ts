// The state as one thread reads it, over real files that another one writes to, beside a naive twin: a copy of everything, made whenever a
// moment is renewed.

import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { StateMoment } from '../../../src/store/durable/state-moment.ts';
import { openUnsyncedEnvironment, type UnsyncedEnvironment } from '../../../src/store/lmdb.ts';
import { bytesOf, removeFolder, temporaryFolder, textOf } from './store-rig.ts';

const SPACE_BYTES = 2 ** 30;

let folder: string;
let read: UnsyncedEnvironment;
let written: UnsyncedEnvironment;
beforeEach(() => {
  folder = temporaryFolder();
  [read, written] = [openUnsyncedEnvironment(folder, SPACE_BYTES), openUnsyncedEnvironment(folder, SPACE_BYTES)];
});
afterEach(async () => {
  await Promise.all([read.close(), written.close()]);
  removeFolder(folder);
});

function write(key: string, value: string | null): void {
  written.transact(() => {
    if (value === null) written.remove(bytesOf(key));
    else written.put(bytesOf(key), bytesOf(value));
  });
}

function valueIn(moment: StateMoment, key: string): string | null {
  const value = moment.get(bytesOf(key), key);
  return value === undefined ? null : textOf(value);
}

const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve));

const key = fc.constantFrom('a', 'b');
const step = fc.oneof(
  fc.record({ type: fc.constant('write'), key, value: fc.option(fc.constantFrom('1', '2'), { nil: null }) }),
  fc.record({ type: fc.constant('renew') }),
  fc.record({ type: fc.constant('let go') }),
  fc.record({ type: fc.constant('get'), key }),
  fc.record({ type: fc.constant('turn') }),
);

it('reads one moment until it is renewed, whatever is written meanwhile and however often a key is asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async steps => {
      for (const it of ['a', 'b']) write(it, null);
      const moment = new StateMoment(read);
      const now = new Map<string, string | null>();
      let seen = new Map(now);
      moment.renew();
      for (const it of steps) {
        if (it.type === 'write') {
          write(it.key, it.value);
          now.set(it.key, it.value);
        } else if (it.type === 'get') expect(valueIn(moment, it.key)).toBe(seen.get(it.key) ?? null);
        // lmdb-js itself reads another moment after each turn of the event loop.
        else if (it.type === 'turn') await turn();
        else {
          if (it.type === 'let go') moment.release();
          expect(moment.isKept).toBe(it.type === 'renew');
          moment.renew();
          seen = new Map(now);
        }
      }
      moment.release();
    }),
    { numRuns: 60 },
  );
});

it('reads the latest of each turn once it is let go of', async () => {
  const moment = new StateMoment(read);
  moment.renew();
  expect(valueIn(moment, 'a')).toBeNull();
  moment.release();
  for (const value of ['1', '2']) {
    write('a', value);
    expect(valueIn(moment, 'a')).toBe(value);
    await turn();
  }
});

it('is right about more rows than it remembers (storeRowsRememberedMax)', () => {
  const moment = new StateMoment(read);
  write('1', 'one');
  moment.renew();
  for (let round = 0; round < 2; round += 1) {
    for (let number = 0; number <= limits.storeRowsRememberedMax; number += 1) {
      expect(valueIn(moment, String(number))).toBe(number === 1 ? 'one' : null);
    }
  }
});
