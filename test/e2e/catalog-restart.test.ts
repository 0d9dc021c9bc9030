// The catalog thread restarts while no venue can be reached: its listings are there at once, under the same ids.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CatalogLink } from '../../src/catalog/catalog-link.ts';
import { SnapshotReader } from '../../src/catalog/snapshot-reader.ts';
import { assert } from '../../src/core/domain/result.ts';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { silentLog } from '../../src/core/runtime/log.ts';
import { createDemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { recordedListings } from '../../src/venues/recorded-listings.ts';
import { POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import { eventually } from '../support/eventually.ts';
import { startQuietPaper } from '../support/quiet-paper.ts';
import { testFolder } from '../support/test-folder.ts';

/** Returns every event and market as callers see it. */
function shown({ snapshot }: CatalogLink): readonly string[] {
  const reader = snapshot === null ? null : SnapshotReader.open(snapshot);
  assert(reader !== null, 'there is a catalog, and nobody writes it');
  const standing = { tradable: [], now: 0 };
  const all = { terms: [], venue: null, event: null, competitions: null, executable: null, after: null } as const;
  const [startsAfter, startsBefore, rowsMax] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 1_000_000];
  const events = reader.events.find({
    ...{ competitions: null, status: null, after: null, now: 0 },
    ...{ startsAfter, startsBefore, rowsMax },
  });
  const markets = reader.find({ ...all, ...standing, rowsMax });
  return [
    ...events.map(place => reader.events.textAt(place, 0)),
    ...markets.map(place => `${reader.textAt(place, standing)} ${reader.eventIdAt(place)}`),
  ];
}

it('the catalog is shown at once, before any venue is reached; what is recorded of it makes a catalog again', async () => {
  const accounts = await createDemoAccounts(POLYGON);
  const { urls, close } = await startQuietPaper(accounts, { isOpeningOnly: true });
  onTestFinished(() => close());
  const { keyId, privateKeyPem } = accounts.venueB.keys.find(key => key.keyType === 'ed25519')!;
  const reading = (gammaUrl: string, restUrl: string) => ({
    ...{ gammaUrl, venueB: { restUrl, keyId, privateKeyPem }, venueC: null },
  });
  const dataDir = testFolder();
  const [metrics, storeFolder] = [new Metrics({ operations: [] }), join(dataDir, 'catalog')];
  const targets = reading(urls.venueA.gamma, urls.venueB.rest);
  const first = new CatalogLink({ targets, storeFolder, metrics, log: silentLog });
  try {
    await eventually(() => expect(first.isWhole).toBe(true));
  } finally {
    await first.close();
  }
  const before = shown(first);
  expect(before.length).toBeGreaterThan(400);
  const [, ticker = ''] = /"(KX[A-Z0-9.-]+)"/.exec(before.join())!;
  const nowhere = 'http://127.0.0.1:1';
  const recordingFolder = join(dataDir, 'recording');
  mkdirSync(recordingFolder);
  const again = new CatalogLink({
    targets: reading(nowhere, nowhere),
    ...{ storeFolder, recordingFolder, metrics, log: silentLog },
  });
  try {
    await eventually(() => expect(again.snapshot).not.toBe(null));
    expect(shown(again)).toEqual(before);
    expect(again.isWhole).toBe(false);
    again.record('venue_b', ticker);
    await eventually(() => expect(recordedListings(recordingFolder, null)).toHaveLength(1));
  } finally {
    await again.close();
  }
  const recorded = recordedListings(recordingFolder, null);
  const folderOfRecording = join(dataDir, 'catalog of the recording');
  const played = new CatalogLink({
    ...{ targets: { recorded }, storeFolder: folderOfRecording, metrics, log: silentLog },
  });
  try {
    await eventually(() => expect(played.isWhole).toBe(true));
    const rows = shown(played);
    expect([rows.length < before.length, rows.some(row => row.includes(ticker))]).toEqual([true, true]);
  } finally {
    await played.close();
  }
});
