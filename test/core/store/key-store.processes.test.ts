// The key store of two real processes. Each process sees at once the commits of the other. Neither a sudden end of a process nor a full
// disk loses an acknowledged change.

import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { openKeyStore } from '../../../src/core/store/key-store.ts';
import { START_FLAGS } from '../../support/child-process.ts';
import { testFolder } from '../../support/test-folder.ts';

const CHILD = join(import.meta.dirname, 'key-store-child.ts');
const TIMEOUT_MS = 30_000;
const MANY = '1000000';
let folder: string;

beforeEach(() => {
  folder = testFolder();
});

const namesOf = (count: number, prefix: string) => Array.from({ length: count }, (_, number) => `${prefix}${number}`);
const linesOf = (text: string) => text.split('\n').filter(line => line !== '');

async function podsAfterwards(): Promise<readonly string[]> {
  const store = openKeyStore(folder);
  const pods = store.read().pods.map(pod => pod.podId);
  expect(store.version()).toBe(pods.length);
  await store.close();
  return pods;
}

describe('a second process', () => {
  it('is seen by the very next look, within one turn of the event loop', async () => {
    const store = openKeyStore(folder);
    const looks = [store.version(), store.read().pods.length];
    for (const prefix of ['a', 'b']) {
      execFileSync(process.execPath, [...START_FLAGS, CHILD, folder, prefix, '2'], { timeout: TIMEOUT_MS });
      looks.push(store.version(), store.read().pods.length);
    }
    expect(looks).toEqual([0, 0, 2, 2, 4, 4]);
    await store.close();
  });

  it('is seen by the first look after each of its changes has returned, by a reader who looks all the time', async () => {
    const store = openKeyStore(folder);
    const child = spawn(process.execPath, [...START_FLAGS, CHILD, folder, 'p', '12'], {
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    const ended = once(child, 'close');
    let [said, isOver] = ['', false];
    const seen: [acknowledged: number, version: number][] = [];
    child.stdout.setEncoding('utf8').on('data', text => {
      said += text;
      seen.push([linesOf(said).length, store.version()]);
    });
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      store.version();
      await new Promise(setImmediate);
    }
    expect(seen.filter(([acknowledged, version]) => version < acknowledged)).toEqual([]);
    expect(seen.at(-1)).toEqual([12, 12]);
    await store.close();
  });

  it('may write at the same time', async () => {
    const prefixes = ['a', 'b', 'c'];
    await Promise.all(
      prefixes.map(prefix =>
        promisify(execFile)(process.execPath, [...START_FLAGS, CHILD, folder, prefix, '30'], { timeout: TIMEOUT_MS }),
      ),
    );
    expect((await podsAfterwards()).toSorted()).toEqual(prefixes.flatMap(prefix => namesOf(30, prefix)).toSorted());
  });

  it.each([1, 17, 60])(
    'that is killed in the middle of its changes (after %i) leaves those it acknowledged, or one more',
    async count => {
      const child = spawn(process.execPath, [...START_FLAGS, CHILD, folder, 'p', MANY], {
        timeout: TIMEOUT_MS,
        killSignal: 'SIGKILL',
      });
      let said = '';
      child.stdout.setEncoding('utf8').on('data', text => {
        said += text;
        if (linesOf(said).length >= count) child.kill('SIGKILL');
      });
      await once(child, 'close');
      expect(child.signalCode).toBe('SIGKILL');

      const acknowledged = linesOf(said);
      const pods = await podsAfterwards();
      expect(acknowledged).toEqual(namesOf(acknowledged.length, 'p'));
      expect(acknowledged.length).toBeGreaterThanOrEqual(count);
      expect(pods.length - acknowledged.length).toBeOneOf([0, 1]);
      expect(pods.toSorted()).toEqual(namesOf(pods.length, 'p').toSorted());
    },
  );

  it('whose disk is full gets an error, and the store stands', async () => {
    const shell = `ulimit -f 64; exec "$0" "$@"`;
    const said = execFileSync('sh', ['-c', shell, process.execPath, ...START_FLAGS, CHILD, folder, 'p', MANY], {
      timeout: TIMEOUT_MS,
      encoding: 'utf8',
    });
    const lines = linesOf(said);
    expect(lines.at(-1)).toMatch(/^StoreError store /);
    expect((await podsAfterwards()).toSorted()).toEqual(namesOf(lines.length - 1, 'p').toSorted());
  });
});

// A case that 0163 left over: an exit of the process stops its threads, too. The exit may come during a thread's transaction, after an
// uncaught error on the main thread, or after too long a shutdown. The process then hung and answered nobody, so no supervisor started
// another.
describe('0164: an end while a thread commits', () => {
  const CHILD = join(import.meta.dirname, 'ends-while-a-thread-commits.ts');
  const TIMEOUT_MS = 30_000;

  function ended(how: 'fault' | 'force') {
    const env = { PATH: process.env.PATH, FOLDER: folder, HOW: how };
    // If the child does not end by itself, this signal ends it. It differs from the child's own signal.
    return spawnSync(process.execPath, [...START_FLAGS, CHILD], {
      env,
      timeout: TIMEOUT_MS,
      killSignal: 'SIGTERM',
      encoding: 'utf8',
    });
  }

  it('an end by force ends the process, and writes what was logged', () => {
    const { signal, stderr } = ended('force');
    expect(signal).toBe('SIGKILL');
    expect(stderr).toContain('"event":"the last line"');
  });

  it('an error that nobody catches is logged, without secrets, and ends the process', () => {
    const { signal, stderr } = ended('fault');
    expect(signal).toBe('SIGKILL');
    expect(stderr).toMatch(
      /^crossbook: the main thread failed: ended by the test, with a seed \[redacted 32 bytes\]$/m,
    );
    expect(stderr).toContain('"event":"the last line"');
    expect(stderr).toMatch(
      /"event":"main thread failed","error":"ended by the test, with a seed \[redacted 32 bytes\]","at":"\S* ?test\/core\/store\/ends/,
    );
    expect(stderr).not.toContain('5555');
  });
});
