// Found by giving two gateways one folder to record into. Each removed the other's files beyond its own bound, the open one too. Only who read
// the recording learned that two recorders had written it.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { StoreError } from '../../src/store/store-error.ts';
import { RecorderRig } from '../recording/recorder-rig.ts';

let rig: RecorderRig;
beforeEach(() => {
  rig = new RecorderRig();
});
afterEach(() => rig.remove());

it.each([
  ['closed', () => rig.recorder.close()],
  ['given up', () => rig.recorder.abandon()],
])('a second one is refused until the first is %s', async (_, end) => {
  expect(() => rig.record()).toThrow(new StoreError(`${rig.folder}: another recorder writes there`));
  await end();
  rig.record().abandon();
});

it('a recorder that could not begin keeps nobody away', () => {
  rig.recorder.abandon();
  rig.files.failing.add('create');
  expect(() => rig.record()).toThrow(StoreError);
  rig.files.failing.delete('create');
  rig.record().abandon();
});
