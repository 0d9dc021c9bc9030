// Memory of whole processes: what the paper exchanges remember, and what a gateway shows for each of its threads.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EmbeddedGateway } from '../../soak/embedded-gateway.ts';
import { steadyPort } from '../../soak/steady-port.ts';
import { OwnProcess } from '../../support/child-process.ts';
import { send } from '../../support/signed-requests.ts';

it('3023: what the paper exchanges remember is a few bytes of a price, of an id, and of an order that rests or has ended', async () => {
  const child = new OwnProcess(['--expose-gc', 'test/paper/memory-child.ts']);
  const [line] = await child.said(/^\{.+\}$/m);
  const { restingOrder, levelPrice, endedOfA, endedOfB, knownId } = JSON.parse(line);
  // Before the change, a resting order took 17 900 bytes, and the price of a level 656 bytes.
  expect(restingOrder).toBeLessThan(1_200);
  expect(levelPrice).toBeLessThan(30);
  expect(knownId).toBeLessThan(24);
  // An ended order has a row of 120 bytes, and the room for rows may be twice as large. Rows that are reserved at the start would not count.
  expect(endedOfA).toBeLessThan(950);
  expect(endedOfB).toBeLessThan(1_080);
});

describe('3023: memory by thread', () => {
  const threadsIn = (text: string, kind: string): Map<string, number> => {
    const rows = text.matchAll(new RegExp(`^crossbook_memory_bytes\\{thread="(\\w+)",kind="${kind}"\\} (\\d+)$`, 'gm'));
    return new Map(Array.from(rows, ([, thread, bytes]) => [thread!, Number(bytes)]));
  };

  it('is shown by the gateway for all of its threads, and that of the process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-3023-'));
    const gateway = await EmbeddedGateway.start({ folder, port: await steadyPort(), nodeArgs: [], environment: {} });
    onTestFinished(async () => {
      await gateway.stop();
      rmSync(folder, { recursive: true });
    });
    const page = async (): Promise<string> => (await send(`${gateway.url}/metrics`)).text;
    const threads = [
      ...['main', 'venues', 'engine', 'check_worker_1', 'check_worker_2', 'history', 'guard'],
      ...['catalog', 'feed_venue_a', 'feed_venue_b'],
    ];
    await expect.poll(async () => [...threadsIn(await page(), 'heap_used').keys()].sort()).toEqual(threads.sort());
    const text = await page();
    const [used, total, external] = ['heap_used', 'heap_total', 'external'].map(kind => threadsIn(text, kind));
    for (const thread of threads) {
      expect(used!.get(thread), thread).toBeGreaterThan(1_000_000);
      expect(total!.get(thread), thread).toBeGreaterThanOrEqual(used!.get(thread)!);
      expect(external!.get(thread), thread).toBeGreaterThan(0);
    }
    expect(text).toMatch(/^crossbook_resident_memory_bytes\{resident="anonymous"\} \d{8,}$/m);
  });
});
