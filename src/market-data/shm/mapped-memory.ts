// Maps a file into memory, which Node cannot do: `mmap` of the C library, by way of koffi (ADR 0022). The shared file's thread.

import { closeSync, fstatSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The part of koffi that is used here. Only gateways with a shared file load it. */
interface Koffi {
  load(path: null): { func(prototype: string): (...parameters: unknown[]) => unknown };
  view(pointer: unknown, bytes: number): ArrayBuffer;
  address(pointer: unknown): bigint;
}

const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const MAP_FAILED = 2n ** 64n - 1n;

/** The file's bytes, writable, shared with every process that maps it. Mapped until the process ends. */
export function mapFile(path: string): ArrayBuffer {
  const koffi = createRequire(import.meta.url)('koffi') as Koffi;
  const mmap = koffi
    .load(null)
    .func('void *mmap(void *address, size_t length, int protection, int flags, int fd, int64_t offset)');
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    const pointer = mmap(null, size, PROT_READ_WRITE, MAP_SHARED, file, 0);
    if (koffi.address(pointer) === MAP_FAILED) throw new Error(`${path} cannot be mapped into memory`);
    return koffi.view(pointer, size);
  } finally {
    closeSync(file);
  }
}
