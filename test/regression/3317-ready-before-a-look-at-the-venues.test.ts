// Found by reading what /readyz promises (contract §4.7) against a take-over. A standby waits for no venue, and counted that from its start. So
// as the new owner it was ready at once, before it had read one account.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { lacksNats, NatsServer } from '../support/nats-server.ts';
import { ask } from '../support/paper-traders.ts';
import { folder, open, paper, start, takePod, tradingRig } from '../trading/trading-rig.ts';

const URL = 'http://127.0.0.1:8080';

describe.skipIf(lacksNats)('a gateway that takes a pod over', () => {
  tradingRig();

  it('is ready once it has looked at the venues, or waited for them, as after a start', async () => {
    const server = await NatsServer.start();
    const other = mkdtempSync(join(tmpdir(), 'crossbook-other-'));
    const replicated = { nats: server.settings, url: URL, takeOverAfterMs: null };
    try {
      await start('replicated', 1, 'ed25519', { replicated });
      await open.splice(0)[0]!.close();
      cpSync(join(folder, 'pods'), join(other, 'pods'), { recursive: true });
      const standby = await start('replicated', 1, 'ed25519', { replicated, dataDir: other });
      // The venues are silent: nothing but the wait makes the new owner ready.
      const fault = { kind: 'hung', isApplied: false, hangMs: 60_000 };
      await ask(`${paper.urls.control}/faults`, 'POST', { fault });
      await takePod(server, other, URL);
      const isReady = await eventually(() => {
        expect(standby.elsewhere).toBeNull();
        return standby.isReady();
      });
      expect(isReady).toBe(false);
      await eventually(() => expect(standby.isReady()).toBe(true));
    } finally {
      for (const trading of open.splice(0)) await trading.close();
      await server.close();
      rmSync(other, { recursive: true });
    }
  });
});
