// A log that nobody reads any more.

import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OwnProcess } from '../support/child-process.ts';
import { ask } from '../support/paper-traders.ts';

// The error event of standard error had no handler, so the next log line ended the gateway. Now a lost line is counted, the gateway goes on, and the
// log goes on as soon as it can.
describe('0132: a log that nobody reads any more', () => {
  const LISTENING = /^crossbook listening on http:\/\/(\S+) .* control (http:\S+)\)/;

  let folder: string;
  let gateway: OwnProcess;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'crossbook-log-'));
  });
  afterEach(async () => {
    gateway.signal('SIGKILL');
    await gateway.ended;
    rmSync(folder, { recursive: true });
  });

  /** Starts a gateway. `request`, which is not signed, makes one log line; `disconnect` makes more lines in other threads. */
  async function start(stderr?: number) {
    const environment = { CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: join(folder, 'data'), CROSSBOOK_LOG: 'debug' };
    gateway = new OwnProcess(['src/main.ts'], environment, stderr === undefined ? {} : { stderr });
    if (stderr !== undefined) closeSync(stderr);
    const [, host = '', control = ''] = await gateway.said(LISTENING);
    const request = async () => expect((await ask(`http://${host}/v1/time`)).status).toBe(401);
    await expect.poll(async () => (await ask(`http://${host}/readyz`)).status).toBe(200);
    const disconnect = () => ask<{ streams: number }>(`${control}/venues/venue_b/disconnect`, 'POST');
    return { request, disconnect };
  }

  async function endsWell(): Promise<void> {
    gateway.signal('SIGTERM');
    expect([await gateway.ended, gateway.endedBy]).toEqual([0, null]);
  }

  it('the gateway goes on with a log on a full disk', async () => {
    const { request } = await start(openSync('/dev/full', 'w'));
    for (let i = 0; i < 5; i++) await request();
    await endsWell();
  });

  it('the gateway goes on without a reader of its log and of standard output', async () => {
    const { request, disconnect } = await start();
    gateway.closeReaders();
    for (let i = 0; i < 5; i++) await request();
    await disconnect();
    await request();
    await endsWell();
  });

  it('a reader that comes back gets lines of all threads, and the lost ones are counted', async () => {
    const pipe = join(folder, 'log');
    execFileSync('mkfifo', [pipe]);
    const openReader = () => openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const first = openReader();
    const { request, disconnect } = await start(openSync(pipe, 'w'));
    closeSync(first);
    for (let i = 0; i < 5; i++) await request();
    const reader = new Socket({ fd: openReader(), writable: false }).setEncoding('utf8');
    let heard = '';
    reader.on('data', text => {
      heard += text;
    });
    await request();
    await disconnect();
    const events = () =>
      Array.from(heard.matchAll(/"component":"(\w+)","event":"([^"]+)"/g), ([, component, event]) => [
        component,
        event,
      ]);
    const expected = [
      ['log', 'log lines dropped'],
      ['main', 'request'],
      ['engine', 'private stream down'],
    ];
    await expect.poll(events).toEqual(expect.arrayContaining(expected));
    await endsWell();
    reader.destroy();
  });
});
