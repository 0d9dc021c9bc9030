// Alarms of a gateway that stands by.

import { describe, expect, it } from 'vitest';
import type { GaugeName } from '../../../src/core/metrics/metric-table.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { EngineNews } from '../../../src/gateway/trading/engine-news.ts';

// By design a standby reads no account, has no private stream and is not ready. Three alerts, two of them critical, fired as long as a
// gateway stood by.
describe('3202: alarms of a standby', () => {
  const NAMES = ['standby', 'accounts_unread', 'private_streams_down'] as const satisfies readonly GaugeName[];

  it('a standby counts no account as unread, and the owner that it becomes does', () => {
    const metrics = new Metrics({ operations: [] });
    const pods = [{ podId: 'desk', secretHex: '', venueA: {} as never, venueB: {} as never }];
    const { handlers } = new EngineNews(pods, metrics, () => {});
    const values = () => NAMES.map(name => metrics.rowsOf(name)[0]?.value);
    expect(values()).toEqual([0, 2, 2]);
    handlers.onMessage({ type: 'owner', url: 'http://other:8080' });
    expect(values()).toEqual([1, 0, 0]);
    handlers.onMessage({ type: 'owner', url: null });
    expect(values()).toEqual([0, 2, 2]);
  });
});
