// A disk in memory that separates the data that programs see from the data that would survive a power cut. Synced data survives; of later
// changes, each sector and each change of a name may survive or not. Data of a sync that failed is not written by a later sync either.

import { dirname } from 'node:path';
import type { Random } from '../../src/core/runtime/random.ts';

/** The bytes that a disk writes at once. */
const SECTOR_BYTES = 512;

type Change = { readonly offset: number; readonly bytes: Uint8Array } | { readonly size: number };
type Pending = { readonly change: Change; isDropped: boolean };

class Content {
  #room = Buffer.alloc(0);
  size = 0;

  get bytes(): Buffer {
    return this.#room.subarray(0, this.size);
  }

  apply(change: Change): void {
    if ('size' in change) this.truncate(change.size);
    else this.write(change.offset, change.bytes);
  }

  truncate(size: number): void {
    if (size > this.size) this.#grow(size);
    this.size = size;
  }

  write(offset: number, bytes: Uint8Array): void {
    this.#grow(Math.max(this.size, offset + bytes.length));
    this.#room.set(bytes, offset);
  }

  #grow(size: number): void {
    if (size > this.#room.length) {
      const room = Buffer.alloc(Math.max(2 * size, 4_096));
      this.bytes.copy(room);
      this.#room = room;
    } else this.#room.fill(0, this.size, size);
    this.size = size;
  }
}

/** A file, by any name. */
class Inode {
  readonly seen = new Content();
  #kept = new Content();
  #pending: Pending[] = [];
  /** The number of changes before the first pending change. */
  #before = 0;

  /** The number of changes so far. */
  get changes(): number {
    return this.#before + this.#pending.length;
  }

  change(change: Change): void {
    this.seen.apply(change);
    this.#pending.push({ change, isDropped: false });
  }

  /** Marks the first `upTo` changes as on disk, except changes that an earlier sync has dropped. */
  sync(upTo: number): void {
    const count = Math.max(0, upTo - this.#before);
    const left = this.#pending.slice(0, count).filter(({ change, isDropped }) => {
      if (!isDropped) this.#kept.apply(change);
      return isDropped;
    });
    this.#pending.splice(0, count, ...left);
    this.#before += count - left.length;
  }

  drop(upTo: number): void {
    for (const pending of this.#pending.slice(0, Math.max(0, upTo - this.#before))) pending.isDropped = true;
  }

  losePower(random: Random): void {
    for (const { change } of this.#pending)
      for (const piece of piecesOf(change)) if (random.chance(0.5)) this.#kept.apply(piece);
    this.#before += this.#pending.length;
    this.#pending = [];
    this.seen.truncate(0);
    this.seen.write(0, this.#kept.bytes);
  }
}

function piecesOf(change: Change): readonly Change[] {
  if ('size' in change) return [change];
  const { offset, bytes } = change;
  const pieces: Change[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Math.min(bytes.length - at, SECTOR_BYTES - ((offset + at) % SECTOR_BYTES));
    pieces.push({ offset: offset + at, bytes: bytes.subarray(at, at + length) });
    at += length;
  }
  return pieces;
}

type Names = Map<string, Inode | 'folder'>;

export class SimulatedDisk {
  #names: Names = new Map([['/', 'folder']]);
  #keptNames: Names = new Map(this.#names);
  #pendingNames: { readonly folder: string; readonly change: (names: Names) => void }[] = [];

  makeFolder(path: string): void {
    if (this.#names.has(path)) return;
    this.makeFolder(dirname(path));
    this.#rename(path, names => void names.set(path, 'folder'));
  }

  list(folder: string): string[] {
    return [...this.#names.keys()]
      .filter(path => path !== '/' && dirname(path) === folder)
      .map(path => path.slice(path.lastIndexOf('/') + 1));
  }

  file(path: string): Inode | null {
    const found = this.#names.get(path);
    return found === undefined || found === 'folder' ? null : found;
  }

  /** Creates an empty file. */
  create(path: string): Inode {
    const existing = this.file(path);
    if (existing !== null) {
      existing.change({ size: 0 });
      return existing;
    }
    const made = new Inode();
    this.#rename(path, names => void names.set(path, made));
    return made;
  }

  rename(from: string, to: string): void {
    const inode = this.#names.get(from)!;
    this.#rename(to, names => {
      names.set(to, inode);
      if (names.get(from) === inode) names.delete(from);
    });
  }

  remove(path: string): void {
    if (this.#names.has(path)) this.#rename(path, names => void names.delete(path));
  }

  syncFolder(folder: string): void {
    const left = this.#pendingNames.filter(pending => {
      if (pending.folder === folder) pending.change(this.#keptNames);
      return pending.folder !== folder;
    });
    this.#pendingNames = left;
  }

  losePower(random: Random): void {
    for (const { change } of this.#pendingNames) if (random.chance(0.5)) change(this.#keptNames);
    this.#pendingNames = [];
    // Files in a folder are lost if the name of the folder is lost.
    const isThere = (path: string): boolean => path === '/' || (this.#keptNames.has(path) && isThere(dirname(path)));
    this.#names = new Map([...this.#keptNames].filter(([path]) => isThere(path)));
    this.#keptNames = new Map(this.#names);
    for (const inode of new Set(this.#names.values())) if (inode !== 'folder') inode.losePower(random);
  }

  #rename(path: string, change: (names: Names) => void): void {
    change(this.#names);
    this.#pendingNames.push({ folder: dirname(path), change });
  }
}
