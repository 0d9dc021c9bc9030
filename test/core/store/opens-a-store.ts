// `node opens-a-store.ts FOLDER N`: opens a store with N free file descriptors, and prints why it cannot.

import { closeSync, openSync, writeSync } from 'node:fs';
import { openEnvironment } from '../../../src/core/store/lmdb.ts';

const [folder = '', free = ''] = process.argv.slice(2);
const taken: number[] = [];
try {
  for (;;) taken.push(openSync('/dev/null', 'r'));
} catch {
  for (const descriptor of taken.splice(taken.length - Number(free))) closeSync(descriptor);
}
try {
  await openEnvironment(folder, 1024 * 1024).close();
  writeSync(1, 'open\n');
} catch (error) {
  writeSync(1, `${String(error)}\n`);
}
