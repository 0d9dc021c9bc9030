// The store's open files: none is closed while it is being synced, and none stays open that nobody uses any more.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DurableStore } from '../../../src/store/durable/durable-store.ts';
import { nodeFiles, type OpenFile } from '../../../src/store/durable/files.ts';
import { FailingFiles } from './failing-files.ts';
import { bytesOf, openStore, removeFolder, type Table, temporaryFolder } from './store-rig.ts';

class CountedFiles extends FailingFiles {
  readonly opened = new Set<OpenFile>();
  readonly #syncing = new Set<OpenFile>();
  closedInSync = 0;

  override open = (path: string): OpenFile => this.#counted(nodeFiles.open(path));

  override close = (file: OpenFile): void => {
    if (this.#syncing.has(file)) this.closedInSync += 1;
    this.opened.delete(file);
    nodeFiles.close(file);
  };

  override create(path: string): OpenFile {
    return this.#counted(super.create(path));
  }

  override async syncSoon(file: OpenFile): Promise<void> {
    this.#syncing.add(file);
    await super.syncSoon(file);
    this.#syncing.delete(file);
  }

  #counted(file: OpenFile): OpenFile {
    this.opened.add(file);
    return file;
  }
}

let folder: string;
let files: CountedFiles;
let store: DurableStore<Table>;
beforeEach(async () => {
  folder = temporaryFolder();
  files = new CountedFiles();
  store = await openStore(folder, { files });
});
afterEach(async () => {
  await store.close();
  expect(files.opened.size).toBe(0);
  removeFolder(folder);
});

const putLong = (): void => store.transact(it => it.put('left', bytesOf('k'), new Uint8Array(3_000)));

it('a segment that is left while it is synced is closed after that', async () => {
  for (let segment = 0; segment < 5; segment++) {
    putLong();
    const synced = store.durable();
    putLong();
    await synced;
  }
  expect([files.closedInSync, files.opened.size]).toEqual([0, 1]);
});

it('segments that cannot be begun leave nothing open', () => {
  putLong();
  for (const what of ['append', 'syncFolder'] as const) {
    files.failing.add(what);
    for (let attempt = 0; attempt < 5; attempt++) expect(putLong).toThrow(`${what} failed`);
    files.failing.clear();
  }
  expect(files.opened.size).toBe(1);
});
