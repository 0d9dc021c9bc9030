// A disk that fails on command: a full disk takes a part of an append, a broken disk takes nothing, and a sync may fail.

import { type Files, nodeFiles, type OpenFile } from '../../src/core/store/files.ts';
import { StoreError } from '../../src/core/store/store-error.ts';

type Failing = 'append' | 'sync' | 'syncSoon' | 'truncate' | 'create' | 'rename' | 'syncFolder';

export class FailingFiles implements Files {
  readonly failing = new Set<Failing>();
  /** The number of failures after which the disk works again. */
  failuresMax = Infinity;
  /** The number of bytes of an append that are written before the append fails. */
  appendedBytes = 0;

  makeFolder = nodeFiles.makeFolder;
  list = nodeFiles.list;
  sizeOf = nodeFiles.sizeOf;
  open = nodeFiles.open;
  size = nodeFiles.size;
  read = nodeFiles.read;
  readInto = nodeFiles.readInto;
  close = nodeFiles.close;
  isThere = nodeFiles.isThere;
  remove = nodeFiles.remove;

  create(path: string): OpenFile {
    this.#failIf('create');
    return nodeFiles.create(path);
  }

  append(file: OpenFile, bytes: Uint8Array): void {
    if (this.failing.has('append')) nodeFiles.append(file, bytes.subarray(0, this.appendedBytes));
    this.#failIf('append');
    nodeFiles.append(file, bytes);
  }

  truncate(file: OpenFile, size: number): void {
    this.#failIf('truncate');
    nodeFiles.truncate(file, size);
  }

  sync(file: OpenFile): void {
    this.#failIf('sync');
    nodeFiles.sync(file);
  }

  async syncSoon(file: OpenFile): Promise<void> {
    this.#failIf('syncSoon');
    await nodeFiles.syncSoon(file);
  }

  rename(from: string, to: string): void {
    this.#failIf('rename');
    nodeFiles.rename(from, to);
  }

  syncFolder(path: string): void {
    this.#failIf('syncFolder');
    nodeFiles.syncFolder(path);
  }

  #failIf(what: Failing): void {
    if (!this.failing.has(what) || this.failuresMax === 0) return;
    this.failuresMax -= 1;
    throw new StoreError(`store file: ${what} failed`);
  }
}
