// The answers of /readyz from the start to the end, and the conditions for which /readyz waits.

import { describe, expect, it } from 'vitest';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { Operational } from '../../src/gateway/operational.ts';

interface State {
  isOpen: boolean;
  isPassed: boolean;
  isReady: boolean;
  isDraining: boolean;
  fault: string | null;
}

function rig(state: State): () => string {
  const operational = new Operational({
    isDraining: () => state.isDraining,
    isOpen: () => state.isOpen,
    catalog: {
      get isPassed() {
        return state.isPassed;
      },
    },
    trading: {
      isReady: () => state.isReady,
      get recordFault() {
        return state.fault;
      },
    },
    feedProblem: () => null,
    metrics: new Metrics({ operations: [] }),
    keysProblem: () => null,
  });
  return () => operational.readiness.status;
}

const ALL: State = { isOpen: true, isPassed: true, isReady: true, isDraining: false, fault: null };

describe('4027: readiness', () => {
  it.each(['isOpen', 'isPassed', 'isReady'] as const)('waits for %s', what => {
    const state = { ...ALL, [what]: false };
    const status = rig(state);
    expect(status()).toBe('starting');
    state[what] = true;
    expect(status()).toBe('ready');
  });

  it('names a disk that takes nothing once the addresses are open', () => {
    const state = { ...ALL, isOpen: false, isPassed: false, fault: 'the disk is full' };
    const status = rig(state);
    expect(status()).toBe('starting');
    state.isOpen = true;
    expect(status()).toBe('unrecordable');
  });

  it('ends with the gateway', () => {
    expect(rig({ ...ALL, isDraining: true, isOpen: false })()).toBe('draining');
  });
});
