// A protection that is triggered when the gateway's process is killed.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, GatewayProcess } from '../soak/gateway-process.ts';
import { PaperProcess } from '../soak/paper-process.ts';
import { steadyPort } from '../soak/steady-port.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker } from '../support/paper-traders.ts';
import { sendSigned } from '../support/signed-requests.ts';
import { errorOf, orderIdOf } from './orders-rig.ts';

const PROTECTION = '/v1/orders/protection';
const JSON_HEADERS = { 'Content-Type': 'application/json' };

describe('a triggered protection over kill -9', () => {
  let folder: string;
  let paper: PaperProcess;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'crossbook-protection-'));
    paper = await PaperProcess.start({ folder, seed: 1, intensity: 0 });
  });
  afterAll(async () => {
    await paper.end();
    rmSync(folder, { recursive: true });
  });

  it('refuses orders still, and what rests is cancelled', async () => {
    const gateway = new GatewayProcess({ folder, paper, port: await steadyPort(), durability: 'process-safe' });
    const [alice] = (await gateway.makeActors()) as [Actor, ...Actor[]];
    const ticker = await someTicker(paper.urls['venue_b rest']);
    const call = (method: string, target: string, body?: object) =>
      sendSigned(gateway.url + target, alice.key, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: JSON_HEADERS }),
        ...(method === 'GET' ? {} : { idempotencyKey: randomUUID() }),
      });
    const submit = (priceCents: number) =>
      call('POST', '/v1/venue-b/orders', { ticker, side: 'YES', action: 'BUY', count: 1, priceCents });
    await gateway.start();
    await eventually(async () => expect((await submit(1)).status).toBe(201));
    const resting = await submit(1);
    const { status } = await call('POST', PROTECTION, { venue: 'venue_b', fillsMax: 0, windowMs: 1_000 });
    expect(status).toBe(200);
    await submit(99);
    await gateway.kill();
    await gateway.start();
    await eventually(async () => {
      const { json } = await call('GET', PROTECTION);
      expect(json).toMatchObject({ protections: [{ state: 'TRIGGERED', fillsMax: 0, fills: 1 }] });
      const read = await call('GET', `/v1/venue-b/orders/${orderIdOf(resting)}`);
      expect(read.json).toMatchObject({ status: 'CANCELLED', cancelReason: 'PROTECTION' });
    });
    await eventually(async () => {
      const refused = await submit(1);
      expect([refused.status, errorOf(refused).message]).toEqual([503, expect.stringContaining('protection')]);
    });
    expect((await call('POST', `${PROTECTION}/reset`, { venue: 'venue_b' })).status).toBe(200);
    expect((await submit(1)).status).toBe(201);
    expect(gateway.logs.filter(({ event }) => event === 'protection triggered').length).toBeGreaterThan(0);
    await gateway.end();
  });
});
