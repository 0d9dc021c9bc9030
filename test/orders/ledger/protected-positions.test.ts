// Positions of an actor that close together.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noPosition } from '../../../src/core/domain/position.ts';
import { limits } from '../../../src/limits.ts';
import { EngineRig } from './engine-rig.ts';

// A market that pays out closes the positions of all its owners in one step. Only the first of them left the engine's memory: the others,
// with their latest movements, stayed until the next start.
describe('3301: positions that close together', () => {
  const OWNERS = ['alice', 'bob', 'unattributed'];
  const MINUTE_MS = 60_000;

  let rig: EngineRig;
  beforeEach(() => {
    rig = new EngineRig(1_790_000_000_000);
  });
  afterEach(() => rig.close());

  it('leave memory, all of them', () => {
    rig.store.change(to => {
      for (const owner of OWNERS) to.putPosition(owner, noPosition('venue_b', 'TICKER', rig.now));
    });
    expect(rig.store.sizes.positions).toBe(OWNERS.length);
    rig.follow();
    rig.evict();
    expect(rig.store.sizes.positions).toBe(0);
  });

  it('leave memory at two venues', () => {
    rig.store.change(to => {
      for (const venue of ['venue_a', 'venue_b'] as const) to.putPosition('alice', noPosition(venue, 'SAME', rig.now));
    });
    rig.follow();
    rig.evict();
    expect(rig.store.sizes.positions).toBe(0);
  });

  it('what was recalled leaves after its pause, also if the clock was set back', () => {
    rig.evict();
    rig.store.position('alice', 'venue_b', 'TICKER');
    rig.now = (rig.now - MINUTE_MS) as typeof rig.now;
    rig.evict();
    rig.store.position('bob', 'venue_b', 'TICKER');
    rig.now = (rig.now + limits.evictionPauseMs) as typeof rig.now;
    rig.evict();
    expect(rig.store.sizes.positions).toBe(0);
  });
});
