// The disk as a port for the journal and the order folder. A test can cut the power at any step, or fill the disk. Every
// method except syncSoon blocks; each throws a StoreError that names the file. Any thread.

import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { wordsOf } from '../domain/error-words.ts';
import { StoreError } from './store-error.ts';

export interface OpenFile {
  readonly path: string;
  readonly descriptor: number;
}

export interface Files {
  /** Makes a folder; an existing folder is fine. Either way the folder becomes private to its owner. */
  makeFolder(path: string): void;
  /** Returns the names in a folder; no names if the folder does not exist. */
  list(path: string): string[];
  /** Returns the size of the file, or null if the file does not exist. */
  sizeOf(path: string): number | null;
  /** Makes a new file, or empties an existing one. Its name is on disk after syncFolder. */
  create(path: string): OpenFile;
  /** Opens an existing file, for reads only or also for appends. Throws a MissingFile if the file does not exist. */
  open(path: string, access?: 'read'): OpenFile;
  size(file: OpenFile): number;
  /** Reads `length` bytes; fewer at the end of the file. */
  read(file: OpenFile, offset: number, length: number): Uint8Array;
  /** Reads `length` bytes to the start of `bytes`; fewer at the end of the file. Returns how many it has read. */
  readInto(file: OpenFile, offset: number, bytes: Uint8Array, length: number): number;
  /** Appends bytes at the end of the file. If this throws, the file may hold a part of the bytes. */
  append(file: OpenFile, bytes: Uint8Array): void;
  truncate(file: OpenFile, bytes: number): void;
  /** Writes content and size of the file to disk, and returns once they are there. */
  sync(file: OpenFile): void;
  /** Does the same as `sync`, on another thread. */
  syncSoon(file: OpenFile): Promise<void>;
  close(file: OpenFile): void;
  /**
   * Whether the path still leads to the open file. If not, later writes go elsewhere, or are lost when the file is closed. Never throws.
   */
  isThere(file: OpenFile): boolean;
  rename(from: string, to: string): void;
  /** Removes a file, or a folder with its content. A missing file or folder is fine. */
  remove(path: string): void;
  /** Writes the names in the folder to disk, and returns once they are there. */
  syncFolder(path: string): void;
}

class MissingFile extends StoreError {}

/** The error if the process or the system is out of file descriptors. Nothing was done. */
export class NoDescriptor extends StoreError {}

const NO_DESCRIPTOR: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

function withStoreError<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeErrorOf(path, error);
  }
}

function storeErrorOf(path: string, error: unknown): StoreError {
  const Kind = NO_DESCRIPTOR.has((error as NodeJS.ErrnoException).code) ? NoDescriptor : StoreError;
  return new Kind(`store file ${path}: ${wordsOf(error)}`);
}

/** Creates missing parents one by one. Node's `recursive` never ends if a file system, such as /proc, refuses folders. */
function makeFolders(path: string): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // If the folder exists, another process has created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function orIfMissing<T, U>(path: string, missing: U, work: () => T): T | U {
  return withStoreError(path, () => {
    try {
      return work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing;
      throw error;
    }
  });
}

/** The device and inode of each file, as they were when the file was opened. */
const identities = new WeakMap<OpenFile, string>();

function opened(path: string, descriptor: number): OpenFile {
  const file = { path, descriptor };
  const { ino, dev } = fstatSync(descriptor, { bigint: true });
  identities.set(file, `${dev} ${ino}`);
  return file;
}

export const nodeFiles: Files = {
  makeFolder: path =>
    withStoreError(path, () => {
      makeFolders(path);
      // A folder copied here by hand may be open to others.
      chmodSync(path, 0o700);
    }),
  list: path => orIfMissing(path, [], () => readdirSync(path)),
  sizeOf: path => orIfMissing(path, null, () => statSync(path).size),
  create(path) {
    const file = opened(
      path,
      withStoreError(path, () => openSync(path, 'a+', 0o600)),
    );
    nodeFiles.truncate(file, 0);
    return file;
  },
  open(path, access) {
    // Unlike `a+`, this does not create a missing file.
    const flags = access === 'read' ? constants.O_RDONLY : constants.O_RDWR | constants.O_APPEND;
    const descriptor = orIfMissing(path, null, () => openSync(path, flags));
    if (descriptor === null) throw new MissingFile(`store file ${path}: is missing`);
    return opened(path, descriptor);
  },
  size: ({ path, descriptor }) => withStoreError(path, () => fstatSync(descriptor).size),
  read(file, offset, length) {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, nodeFiles.readInto(file, offset, bytes, length));
  },
  readInto({ path, descriptor }, offset, bytes, length) {
    try {
      let read = 0;
      while (read < length) {
        const more = readSync(descriptor, bytes, read, length - read, offset + read);
        if (more === 0) break;
        read += more;
      }
      return read;
    } catch (error) {
      throw storeErrorOf(path, error);
    }
  },
  append({ path, descriptor }, bytes) {
    try {
      let written = 0;
      while (written < bytes.length) written += writeSync(descriptor, bytes, written, bytes.length - written);
    } catch (error) {
      throw storeErrorOf(path, error);
    }
  },
  truncate: ({ path, descriptor }, bytes) => withStoreError(path, () => ftruncateSync(descriptor, bytes)),
  sync: ({ path, descriptor }) => withStoreError(path, () => fdatasyncSync(descriptor)),
  syncSoon: ({ path, descriptor }) =>
    new Promise((resolve, reject) => {
      fdatasync(descriptor, error => (error === null ? resolve() : reject(storeErrorOf(path, error))));
    }),
  close: ({ path, descriptor }) => withStoreError(path, () => closeSync(descriptor)),
  isThere(file) {
    try {
      const { ino, dev } = statSync(file.path, { bigint: true });
      return identities.get(file) === `${dev} ${ino}`;
    } catch {
      return false;
    }
  },
  rename: (from, to) => withStoreError(from, () => renameSync(from, to)),
  remove: path => withStoreError(path, () => rmSync(path, { recursive: true, force: true })),
  syncFolder(path) {
    withStoreError(path, () => {
      const descriptor = openSync(path, 'r');
      try {
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    });
  },
};

/** Returns the text of a small file, or null if the file does not exist. */
export function readText(files: Files, path: string, bytesMax: number): string | null {
  let file: OpenFile | null = null;
  try {
    file = files.open(path);
    return Buffer.from(files.read(file, 0, bytesMax)).toString('latin1');
  } catch (error) {
    if (error instanceof MissingFile) return null;
    throw error;
  } finally {
    if (file !== null) files.close(file);
  }
}

/** Syncs a file that another program wrote. */
export function syncPath(files: Files, path: string): void {
  const file = files.open(path);
  try {
    files.sync(file);
  } finally {
    files.close(file);
  }
}
