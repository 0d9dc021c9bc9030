// A process that is killed while three of its threads write: whatever it acknowledged is there, every transaction is whole,
// and what is read is what the journal says. Again and again on the same store.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Random } from '../../../src/runtime/random.ts';
import type { DurableStore } from '../../../src/store/durable/durable-store.ts';
import {
  bytesOf,
  contentOf,
  crashCopy,
  openStore,
  removeFolder,
  type Table,
  temporaryFolder,
  textOf,
} from './store-rig.ts';

const CHILD = join(import.meta.dirname, 'kill-child.ts');
const ROUNDS = 12;
const LINES_MAX = 1_200;
const TIMEOUT_MS = 30_000;
const SEED = 20_261_121;
const THREADS = ['0', '1', '2'];

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('leaves what it acknowledged, and whole transactions only', async () => {
  const random = new Random(SEED);
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [thread, count] of await writeUntilKilled(1 + random.below(LINES_MAX), round === ROUNDS - 1))
      acknowledged.set(thread, count);
    const copy = crashCopy(folder);
    const store = await openStore(folder);
    expect(store.recovery?.state).toBe('kept');
    expectWhole(store, acknowledged);
    // The same from the journal alone, as after a power cut that lost nothing.
    const rebuilt = await openStore(copy, { bootId: 'another' });
    expect(rebuilt.recovery?.state).toBe('rebuilt');
    expect(everything(rebuilt)).toEqual(everything(store));
    await rebuilt.close();
    removeFolder(copy);
    await store.close();
  }
  expect([...acknowledged.keys()].toSorted()).toEqual(THREADS);
});

/** What it acknowledged last, of each of its threads; `all`: killed not before each of them has acknowledged something. */
async function writeUntilKilled(lines: number, all: boolean): Promise<Map<string, number>> {
  const child = spawn(process.execPath, [CHILD, folder], { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
  let said = '';
  let seen = 0;
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    said += text;
    seen += text.split('\n').length - 1;
    if (seen >= lines && (!all || THREADS.every(thread => hasLineOf(said, thread)))) child.kill('SIGKILL');
  });
  let complaint = '';
  child.stderr.setEncoding('latin1').on('data', (text: string) => {
    complaint += text;
  });
  await once(child, 'close');
  expect([child.signalCode, complaint]).toEqual(['SIGKILL', '']);
  const whole = said.slice(0, said.lastIndexOf('\n'));
  return new Map(whole.split('\n').map(line => [line.split(' ')[0]!, Number(line.split(' ')[1])]));
}

function hasLineOf(said: string, thread: string): boolean {
  return new RegExp(`^${thread} \\d+\\n`, 'm').test(said);
}

function expectWhole(store: DurableStore<Table>, acknowledged: ReadonlyMap<string, number>): void {
  const { left, right, last } = everything(store);
  let total = 0;
  for (const [name, text] of right!) {
    const [thread, count] = [name.slice('thread'.length), Number(text)];
    expect(count).toBeGreaterThanOrEqual(acknowledged.get(thread) ?? 0);
    expect(left!.filter(([key]) => key.startsWith(`${thread}:`)).length).toBe(count);
    total += count;
  }
  for (const thread of acknowledged.keys()) expect(right!.map(([name]) => name)).toContain(`thread${thread}`);
  expect(last).toEqual([['total', String(total)]]);
  expect(left!.length).toBe(total);
}

function everything(store: DurableStore<Table>): ReturnType<typeof contentOf> {
  const all = contentOf(store);
  // More rows than one range gives.
  for (let left = all.left!; left.length === 10_000; ) {
    const after = `${all.left!.at(-1)![0]}\x00`;
    left = store
      .range('left', { gte: bytesOf(after), limit: 10_000 })
      .map(({ key, value }) => [textOf(key), textOf(value)]);
    all.left!.push(...left);
  }
  return all;
}
