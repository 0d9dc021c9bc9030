// A disk that loses power. The disk records every write, sync and change of names. From these records it can rebuild the folder as a
// machine might find it after losing power at any step. Synced data is there; of later changes, each 4 KiB and each change of a name may be
// there or not.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Random } from '../../src/core/runtime/random.ts';
import { type Files, nodeFiles, type OpenFile } from '../../src/core/store/files.ts';
import { StoreError } from '../../src/core/store/store-error.ts';

const PAGE_BYTES = 4_096;

/** A file or folder by its identity rather than its name. */
type FileNode = { readonly base: Uint8Array };
type Folder = { readonly base: null };
type Node = FileNode | Folder;
type Names = Map<string, Node>;

type Entry =
  | { readonly type: 'data'; readonly node: FileNode; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly type: 'truncate'; readonly node: FileNode; readonly size: number }
  /** All changes of the file before step `upTo` are on disk. */
  | { readonly type: 'synced'; readonly node: FileNode; readonly upTo: number }
  | { readonly type: 'name'; readonly folder: Node; readonly change: (names: Names) => void }
  | { readonly type: 'names-synced'; readonly folder: Node }
  /**
   * The changes before step `upTo` that are not on disk yet are never written: the sync failed, but the system takes the changes for
   * written.
   */
  | { readonly type: 'dropped'; readonly node: FileNode; readonly upTo: number }
  /** From here on, `count` records are safe. */
  | { readonly type: 'safe'; readonly count: number };

export class LosingDisk implements Files {
  /** The next append is written, and fails after that. */
  failsNextAppend = false;
  /** The next sync fails, and the changes that it was to write are lost with the power, however often the file is synced later. */
  failsNextSync = false;
  readonly #root: string;
  readonly #entries: Entry[] = [];
  readonly #base: Names;
  /** The names as the program sees them. */
  readonly #names: Names;
  readonly #open = new Map<number, FileNode>();

  constructor(root: string) {
    this.#root = root;
    this.#base = new Map([['', { base: null }]]);
    for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      const isFolder = statSync(join(root, path)).isDirectory();
      this.#base.set(path, { base: isFolder ? null : readFileSync(join(root, path)) });
    }
    this.#names = new Map(this.#base);
  }

  get steps(): number {
    return this.#entries.length;
  }

  /** Notes that `count` records are reported as on disk. */
  noteSafe(count: number): void {
    this.#entries.push({ type: 'safe', count });
  }

  /** Returns how many records were safe at a step. */
  safeAt(step: number): number {
    return Math.max(0, ...this.#entries.slice(0, step).map(entry => (entry.type === 'safe' ? entry.count : 0)));
  }

  makeFolder(path: string): void {
    nodeFiles.makeFolder(path);
    const name = relative(this.#root, path);
    const node: Folder = { base: null };
    if (!this.#names.has(name)) this.#rename(name, names => void names.set(name, node));
  }

  list = (path: string): string[] => nodeFiles.list(path);
  sizeOf = (path: string): number | null => nodeFiles.sizeOf(path);
  isThere = (file: OpenFile): boolean => nodeFiles.isThere(file);
  size = (file: OpenFile): number => nodeFiles.size(file);
  read = nodeFiles.read;
  readInto = nodeFiles.readInto;

  create(path: string): OpenFile {
    const file = nodeFiles.create(path);
    const existing = this.#names.get(relative(this.#root, path));
    if (existing?.base) this.#entries.push({ type: 'truncate', node: existing, size: 0 });
    return this.#opened(file);
  }

  open(path: string): OpenFile {
    return this.#opened(nodeFiles.open(path));
  }

  append(file: OpenFile, bytes: Uint8Array): void {
    const offset = nodeFiles.size(file);
    nodeFiles.append(file, bytes);
    this.#entries.push({ type: 'data', node: this.#nodeOf(file), offset, bytes: Uint8Array.from(bytes) });
    if (!this.failsNextAppend) return;
    this.failsNextAppend = false;
    throw new StoreError('append failed');
  }

  truncate(file: OpenFile, size: number): void {
    nodeFiles.truncate(file, size);
    this.#entries.push({ type: 'truncate', node: this.#nodeOf(file), size });
  }

  sync(file: OpenFile): void {
    this.#entries.push({ type: 'synced', node: this.#nodeOf(file), upTo: this.#entries.length });
  }

  async syncSoon(file: OpenFile): Promise<void> {
    const upTo = this.#entries.length;
    const node = this.#nodeOf(file);
    await new Promise(resolve => setImmediate(resolve));
    if (this.failsNextSync) {
      this.failsNextSync = false;
      this.#entries.push({ type: 'dropped', node, upTo });
      throw new StoreError('sync failed');
    }
    this.#entries.push({ type: 'synced', node, upTo });
  }

  close(file: OpenFile): void {
    nodeFiles.close(file);
    this.#open.delete(file.descriptor);
  }

  rename(from: string, to: string): void {
    nodeFiles.rename(from, to);
    const [source, target] = [relative(this.#root, from), relative(this.#root, to)];
    this.#rename(target, names => {
      if (!names.has(source)) return;
      for (const name of under(names, target)) names.delete(name);
      for (const name of under(names, source)) {
        names.set(target + name.slice(source.length), names.get(name)!);
        names.delete(name);
      }
    });
  }

  remove(path: string): void {
    nodeFiles.remove(path);
    const target = relative(this.#root, path);
    this.#rename(target, names => {
      for (const name of under(names, target)) names.delete(name);
    });
  }

  syncFolder(path: string): void {
    const folder = this.#names.get(relative(this.#root, path));
    // For a folder above the root, nothing is recorded.
    if (folder !== undefined) this.#entries.push({ type: 'names-synced', folder });
  }

  /** Writes into `target` the folder that a machine may find if it lost power after `step` steps. */
  rebuild(step: number, target: string, random: Random): void {
    const entries = this.#entries.slice(0, step);
    const names = new Map(this.#base);
    entries.forEach((entry, at) => {
      if (entry.type !== 'name') return;
      const isSafe = entries.some(
        (it, later) => later > at && it.type === 'names-synced' && it.folder === entry.folder,
      );
      if (isSafe || random.chance(0.5)) entry.change(names);
    });
    // Files in a folder are lost if the name of the folder is lost.
    const isThere = (name: string): boolean =>
      name === '' || name === '.' || (names.has(name) && isThere(dirname(name)));
    for (const [name, node] of names) {
      if (!isThere(name)) continue;
      if (node.base === null) mkdirSync(join(target, name), { recursive: true });
      else writeFileSync(join(target, name), this.#contentAfter(entries, node, random));
    }
  }

  #contentAfter(entries: readonly Entry[], node: FileNode, random: Random): Uint8Array {
    const syncs = entries.filter(it => it.type === 'synced' || it.type === 'dropped').filter(it => it.node === node);
    const isSafe = (at: number): boolean => syncs.find(({ upTo }) => at < upTo)?.type === 'synced';
    const image = new DiskImage(node.base);
    entries.forEach((entry, at) => {
      if ((entry.type !== 'data' && entry.type !== 'truncate') || entry.node !== node) return;
      const isKept = (): boolean => isSafe(at) || random.chance(0.5);
      if (entry.type === 'data') {
        for (const { offset, bytes } of piecesOf(entry.offset, entry.bytes)) if (isKept()) image.write(offset, bytes);
      } else if (isKept()) image.truncate(entry.size);
    });
    return image.bytes;
  }

  #opened(file: OpenFile): OpenFile {
    const name = relative(this.#root, file.path);
    const made: FileNode = { base: new Uint8Array() };
    if (!this.#names.has(name)) this.#rename(name, names => void names.set(name, made));
    const node = this.#names.get(name);
    if (node?.base) this.#open.set(file.descriptor, node);
    return file;
  }

  #nodeOf(file: OpenFile): FileNode {
    const node = this.#open.get(file.descriptor);
    if (node === undefined) throw new Error(`${file.path} is not open`);
    return node;
  }

  #rename(name: string, change: (names: Names) => void): void {
    const parent = dirname(name);
    const folder = this.#names.get(parent === '.' ? '' : parent);
    if (folder === undefined) throw new Error(`${name} is in no folder`);
    this.#entries.push({ type: 'name', folder, change });
    change(this.#names);
  }
}

class DiskImage {
  bytes: Uint8Array;

  constructor(base: Uint8Array) {
    this.bytes = Uint8Array.from(base);
  }

  truncate(size: number): void {
    this.bytes = this.bytes.slice(0, size);
  }

  write(offset: number, bytes: Uint8Array): void {
    const grown = new Uint8Array(Math.max(this.bytes.length, offset + bytes.length));
    grown.set(this.bytes);
    grown.set(bytes, offset);
    this.bytes = grown;
  }
}

function piecesOf(offset: number, bytes: Uint8Array): { offset: number; bytes: Uint8Array }[] {
  const pieces: { offset: number; bytes: Uint8Array }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Math.min(bytes.length - at, PAGE_BYTES - ((offset + at) % PAGE_BYTES));
    pieces.push({ offset: offset + at, bytes: bytes.subarray(at, at + length) });
    at += length;
  }
  return pieces;
}

function under(names: Names, path: string): string[] {
  return [...names.keys()].filter(name => name === path || name.startsWith(`${path}/`));
}
