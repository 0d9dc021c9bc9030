// How far the history is behind the journal, and what follows from that.

import { expect, it } from 'vitest';
import { JournalPositions } from '../../src/journal/positions.ts';
import { limits } from '../../src/limits.ts';

it('4004: a history that cannot follow bounds what is kept for it, in words', () => {
  const positions = new JournalPositions();
  expect(positions.backlog).toBeNull();
  positions.appended = limits.historyBehindMax;
  expect(positions.backlog).toBeNull();
  positions.appended += 1;
  // Each thread sees the same.
  expect(new JournalPositions(positions.memory).backlog).toContain(`${limits.historyBehindMax + 1} records behind`);
  positions.followed = 1;
  expect(positions.backlog).toBeNull();
});
