// The committed calibration is what the script measures on the recordings.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { calibration } from '../../../src/paper/flow/calibration.ts';
import { CALIBRATION_PATH, makeCalibration } from '../../support/calibrate-flow.ts';
import { recordingsPresent } from '../../support/recordings.ts';

describe.skipIf(!recordingsPresent)('the calibration (needs the recordings)', () => {
  it('is up to date: npm run make:flow-calibration', async () => {
    expect(readFileSync(CALIBRATION_PATH, 'utf8')).toBe(await makeCalibration());
  });
});

describe('the calibration', () => {
  it.each(['clusterShares', 'distanceShares', 'spreadShares'] as const)('has %s that add up to 1', name => {
    expect(calibration[name].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 3);
  });

  it('has pauses of mean 1, and sizes that can be traded', () => {
    expect(calibration.pauses.reduce((sum, pause) => sum + pause, 0) / calibration.pauses.length).toBeCloseTo(1, 3);
    const { tradeSizes, venueA, venueB } = calibration;
    for (const size of [tradeSizes, venueA.addSizes, venueA.depth, venueB.addSizes, venueB.depth].flat()) {
      expect([size > 0, size % 10_000]).toEqual([true, 0]);
    }
  });
});
