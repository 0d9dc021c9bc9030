// Whether work is under way, by the system's view of threads that talk to each other, and of a process.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { AtRest } from '../../../src/core/runtime/at-rest.ts';
import { START_FLAGS } from '../../support/child-process.ts';

const TALKS = 1_000;
const NUMBER = 8;

describe.skipIf(process.platform !== 'linux')('at rest', () => {
  it('finds no rest while a message is on its way from thread to thread', async () => {
    const memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const words = new Int32Array(memory);
    const { port1, port2 } = new MessageChannel();
    const [first, second] = [port1, port2].map(port => {
      const entry = new URL('./talking-worker.ts', import.meta.url);
      return new Worker(entry, { workerData: { port, memory }, transferList: [port] });
    });
    await Promise.all([once(first!, 'online'), once(second!, 'online')]);
    const rest = new AtRest(0);
    let early = 0;
    for (let talk = 0; talk < TALKS; talk += 1) {
      Atomics.store(words, 0, 1);
      first!.postMessage(NUMBER);
      while (!rest.look());
      early += Atomics.load(words, 0);
    }
    expect(early).toBe(0);
    await Promise.all([first!.terminate(), second!.terminate()]);
  });

  it('finds none while what a process has started is busy, from the first look on', async () => {
    const shell = spawn('sh', ['-c', 'sh -c "echo; while :; do :; done"; :'], { detached: true });
    await once(shell.stdout, 'data');
    const rest = new AtRest(shell.pid!);
    const looks = Array.from({ length: 100 }, () => rest.look());
    process.kill(-shell.pid!, 'SIGKILL');
    expect(looks).not.toContain(true);
  });

  it.skipIf(process.getuid?.() !== 0)('4504: says that a process of another user cannot be seen', () => {
    const module = new URL('../../../src/core/runtime/at-rest.ts', import.meta.url);
    const program = `import(${JSON.stringify(module.href)}).then(({ AtRest }) => {
      process.setuid(65_534);
      const rest = new AtRest(${process.pid});
      while (!rest.look());
    })`;
    const looker = spawnSync(process.execPath, [...START_FLAGS, '-e', program], { encoding: 'utf8' });
    expect(looker.stderr).toContain('the system does not show when the bot sleeps');
    expect(looker.status).toBe(1);
  });
});
