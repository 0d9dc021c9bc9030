// The machine's clock was an hour ahead for a moment. A ticket of that moment was valid for an hour. As long as it was not used, tickets
// that expired after it were kept, and their key was refused new ones.

import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Tickets } from '../../src/auth/tickets.ts';
import { createTicket } from '../../src/gateway/api/stream-admission.ts';
import { limits } from '../../src/limits.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = 1_790_000_000_000;

beforeEach(() => vi.useFakeTimers({ now: NOW_MS, toFake: ['Date', 'performance'] }));
afterEach(() => vi.useRealTimers());

it('tickets that have expired make room for new ones', async () => {
  const answer = createTicket(new Tickets(randomBytes), '/v1/orderbook');
  const ask = async () => answer({ key: { keyId: 'key-1' }, request: { remoteAddress: '192.0.2.7' } } as never);
  vi.setSystemTime(NOW_MS + HOUR_MS);
  expect(await ask()).toMatchObject({ status: 201 });
  vi.setSystemTime(NOW_MS);
  for (let count = 1; count < limits.ticketsPerKeyMax; count++) expect(await ask()).toMatchObject({ status: 201 });
  expect(await ask()).toMatchObject({ status: 429 });
  vi.advanceTimersByTime(limits.ticketLifeMs);
  const { status, body } = await ask();
  expect(status).toBe(201);
  expect(JSON.parse(String(body)).expiresAt).toBe(new Date(NOW_MS + 2 * limits.ticketLifeMs).toISOString());
});
