// A step of the journal in another form than today's is refused.

import { expect, it } from 'vitest';
import { readEvents } from '../../../src/orders/ledger/events.ts';

it.each([
  [0, 'cancel or finish its open orders'],
  [1, 'cancel or finish its open orders'],
  [2, 'cancel or finish its open orders'],
  [4, 'start the later release'],
])('a step of version %i is refused, in words that say what to do', (version, advice) => {
  expect(() => readEvents(Buffer.of(version))).toThrow(
    `has version ${version}, this program reads version 3: start the`,
  );
  expect(() => readEvents(Buffer.of(version))).toThrow(advice);
});
