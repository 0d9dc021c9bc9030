// Found by asking what each time of the recorder is compared with. Its own time never decreases, as a file's times do not. After the clock
// was set back by an hour, it stood still for an hour. Nothing was written until a block was full. No file was followed by another, no old
// one was removed, and nobody looked whether the disk had room for the journal of orders.

import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BID } from '../../src/domain/market.ts';
import { openRecording } from '../../src/recording/open-recording.ts';
import { RecorderRig } from '../recording/recorder-rig.ts';

const HOUR_MS = 3_600_000;
let rig: RecorderRig;
beforeEach(() => {
  rig = new RecorderRig();
});
afterEach(() => rig.remove());

/** A market is recorded, and the clock is set back. */
function setBack(): ReturnType<RecorderRig['openBook']> {
  const book = rig.openBook();
  rig.write(book, [[BID, 4_000, 10]], true);
  rig.list('KX-1', book);
  rig.follow();
  rig.now += 1_000 - HOUR_MS;
  rig.follow();
  return book;
}

it('looks at the disk', () => {
  rig.recorder.abandon();
  rig.recorder = rig.record({ diskFreeBytesMin: 1_000 });
  setBack();
  rig.free = 999;
  rig.now += 1_000;
  expect(() => rig.recorder.turn()).toThrow('diskFreeBytesMin');
  rig.recorder.abandon();
});

it('begins another file where one is full', () => {
  rig.recorder.abandon();
  rig.recorder = rig.record({ recordingFileBytesMax: 1 });
  setBack();
  const files = readdirSync(rig.folder).length;
  // The file before is closed at first.
  for (const _ of [1, 2]) {
    rig.now += 1_000;
    rig.follow();
  }
  expect(readdirSync(rig.folder).length).toBeGreaterThan(files);
});

it('writes what was added some time before', () => {
  const book = setBack();
  rig.write(book, [[BID, 4_100, 10]]);
  rig.follow();
  rig.now += 1_000;
  rig.follow();
  rig.recorder.abandon();
  const kinds = Array.from(
    openRecording(rig.folder).events(() => {}),
    it => it.kind,
  );
  expect(kinds).toContain('changes');
});
