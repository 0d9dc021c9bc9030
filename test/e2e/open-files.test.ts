// More callers than the process may open files.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { OwnProcess } from '../support/child-process.ts';
import { RawHttp } from '../support/raw-http.ts';

// When no file descriptors were left, the main thread spun in accept, and threads that could not open a file died.
describe('0134: more callers than files', () => {
  let folder: string;
  let gateway: OwnProcess;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'crossbook-files-'));
  });
  afterEach(async () => {
    gateway.signal('SIGKILL');
    await gateway.ended;
    rmSync(folder, { recursive: true });
  });

  function start(openFilesMax: number): void {
    // The warm-up is off: on a busy machine a rehearsal may be given up, and the log then names the place in `src/threads`.
    const off = { CROSSBOOK_WARM_UP: 'off' };
    const environment = { CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: join(folder, 'data'), ...off };
    gateway = new OwnProcess(['src/main.ts'], environment, { openFilesMax });
  }

  it('a gateway lets in no more callers than it has files for', async () => {
    const connectionsMax = 100;
    const openFilesMax = limits.ownFilesMin + connectionsMax;
    start(openFilesMax);
    const [, port] = await gateway.said(/^crossbook listening on http:\/\/127\.0\.0\.1:(\d+) /);
    const first = await RawHttp.connect({ port: Number(port) });
    const idle = Array.from({ length: openFilesMax }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
    let closed = 0;
    for (const socket of idle)
      void once(socket, 'close').then(() => {
        closed += 1;
      });
    const refused = openFilesMax - (connectionsMax - 1);
    await expect.poll(() => closed).toBe(refused);
    const [answer] = await first.send('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n').hear(1);
    expect(answer?.body).toContain(`crossbook_http_connections_refused_total ${refused}\n`);
    first.destroy();
    for (const socket of idle) socket.destroy();
    expect(gateway.stderr).not.toMatch(/thread|EMFILE/);
  });

  it('a gateway without files for callers does not start', async () => {
    const least = limits.ownFilesMin + limits.httpConnectionsMin;
    start(least - 1);
    expect(await gateway.ended).toBe(1);
    const words = `the limit of open files (ulimit -n) is ${least - 1}, and must be at least ${least}`;
    expect(gateway.stderr).toBe(`crossbook: ${words}\n`);
  });
});
