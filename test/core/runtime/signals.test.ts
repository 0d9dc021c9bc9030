// A signal that comes while the gateway opens its addresses is heard, and acts once they are open. SIGHUP reloads, or ends the process
// whose terminal is closed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { START_FLAGS } from '../../support/child-process.ts';

const CHILD = 'test/core/runtime/signals-child.ts';

/** Returns a function that reads the next line of the output. */
function linesOf(output: Readable): () => Promise<string> {
  const lines = createInterface(output)[Symbol.asyncIterator]();
  return async () => (await lines.next()).value;
}

function started(): { readonly child: ChildProcess; readonly line: () => Promise<string> } {
  const child = spawn(process.execPath, [...START_FLAGS, CHILD], { stdio: ['pipe', 'pipe', 'ignore'] });
  return { child, line: linesOf(child.stdout!) };
}

it('4027: a signal before all is open ends nothing half, and is not forgotten', async () => {
  const { child, line } = started();
  const ended = once(child, 'exit');
  expect(await line()).toBe('hears false');
  child.kill('SIGTERM');
  child.stdin!.write('go on\n');
  expect([await line(), await line(), (await ended)[0]]).toEqual(['open', 'stop', 0]);
});

it('SIGHUP reloads, once all is open and as often as it comes', async () => {
  const { child, line } = started();
  const ended = once(child, 'exit');
  expect(await line()).toBe('hears false');
  child.kill('SIGHUP');
  child.stdin!.write('go on\n');
  expect([await line(), await line()]).toEqual(['open', 'reload']);
  child.kill('SIGHUP');
  expect(await line()).toBe('reload');
  child.kill('SIGTERM');
  expect([await line(), (await ended)[0]]).toEqual(['stop', 0]);
});

// The kernel sends SIGHUP also when a terminal is closed.
it('a closed terminal ends the process', async () => {
  const command = `'${process.execPath}' ${START_FLAGS.join(' ')} ${CHILD} 3`;
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'ignore', 'ignore', 'pipe'] });
  const line = linesOf(terminal.stdio[3] as Readable);
  expect(await line()).toBe('hears false');
  terminal.stdin!.write('go on\n');
  expect(await line()).toBe('open');
  terminal.kill('SIGKILL');
  expect(await line()).toBe('stop');
});
