// The shared file's thread: follows the tapes of both venues into a file that other processes map (docs/SHARED-MEMORY.md). The thread looks
// at the tapes by itself, so that no feed has to wake it.

import { closeSync, fstatSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { perVenue, VENUES } from '../../core/domain/market.ts';
import { assert } from '../../core/domain/result.ts';
import { createLog } from '../../core/runtime/log.ts';
import { keepPulse, watchMainThread } from '../../core/runtime/pulse.ts';
import { MarketFile, TapeFollower } from './market-file.ts';
import type { ShmThreadData, ToShm } from './shm-link.ts';

/** The functions of koffi that are used here. Only a gateway with a shared file loads koffi. */
interface Koffi {
  load(path: null): { func(prototype: string): (...parameters: unknown[]) => unknown };
  view(pointer: unknown, bytes: number): ArrayBuffer;
  address(pointer: unknown): bigint;
}

const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const MAP_FAILED = 2n ** 64n - 1n;

/** Maps a file by the C library's `mmap`, through koffi, because Node cannot map files (ADR 0022). */
function mapFile(path: string): ArrayBuffer {
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

/** The interval of heartbeats, and the longest time until the thread reads a message. */
const BEAT_MS = 100;
/** The sleep between two looks at the tapes. The system extends it to between 0.1 and 0.15 ms. */
const LOOK_MS = 0.05;

const port = parentPort;
assert(port !== null, 'the shared file’s worker is started as a thread');
const { arena, path, wake, spins, logLevel } = workerData as ShmThreadData;
const log = createLog('shared file', { level: logLevel });
const file = new MarketFile(mapFile(path));
const followers = perVenue(venue => new TapeFollower(venue, arena, file));
const messages = new Int32Array(wake);
let turn: NodeJS.Immediate;

keepPulse();
watchMainThread();
port.on('message', (message: ToShm) => {
  if (message === 'close') {
    clearImmediate(turn);
    file.close();
    port.close();
  } else if (message.op === 'unlist') followers[message.venue].unlist(message.address);
  else if (followers[message.venue].list(message.address, message.binding) === 'full') {
    log.warn('a market has no place in the shared file', { venue: message.venue, address: message.address });
  }
});
work();

/** Follows the tapes until the next heartbeat is due or a message waits; then the event loop has a turn. */
function work(): void {
  const seen = Atomics.load(messages, 0);
  const until = performance.now() + BEAT_MS;
  while (performance.now() < until && Atomics.load(messages, 0) === seen) {
    let isNews = false;
    for (const venue of VENUES) if (followers[venue].follow()) isNews = true;
    if (isNews || spins) continue;
    const isEmpty = VENUES.every(venue => followers[venue].markets === 0);
    Atomics.wait(messages, 0, seen, isEmpty ? BEAT_MS : LOOK_MS);
  }
  file.beat(Date.now());
  turn = setImmediate(work);
}
