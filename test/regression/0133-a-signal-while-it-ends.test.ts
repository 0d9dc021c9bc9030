// Found by Ctrl-C under npm, which passes on a signal that the terminal has sent already. The second one ended the gateway in the middle of
// its shutdown, and so did a different signal. SIGHUP, of a closed terminal, always did.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OwnProcess, type Signal } from '../support/child-process.ts';

let folder: string;
let gateway: OwnProcess;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-signals-'));
  gateway = new OwnProcess(['src/main.ts'], { CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: join(folder, 'data') });
  await gateway.said(/^crossbook listening/);
});
afterEach(async () => {
  gateway.signal('SIGKILL');
  await gateway.ended;
  rmSync(folder, { recursive: true });
});

it.each<[Signal, readonly Signal[]]>([
  ['SIGHUP', []],
  ['SIGINT', ['SIGINT']],
  ['SIGTERM', ['SIGINT', 'SIGHUP', 'SIGTERM']],
])('%s, and then %j for as long as it lives, is an end like any other', async (first, then) => {
  let isOver = false;
  void gateway.ended.then(() => {
    isOver = true;
  });
  gateway.signal(first);
  while (!isOver) {
    for (const name of then) gateway.signal(name);
    await turn();
  }
  expect([await gateway.ended, gateway.endedBy]).toEqual([0, null]);
});
