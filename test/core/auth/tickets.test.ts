// Tickets work once, for a limited time, from one address.

import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Tickets } from '../../../src/core/auth/tickets.ts';
import { assert } from '../../../src/core/domain/result.ts';
import { createTicket } from '../../../src/gateway/api/stream-admission.ts';
import { limits } from '../../../src/limits.ts';

const HOLDER = { keyId: 'key-1', remoteAddress: '192.0.2.7', path: '/v1/orderbook' };
const NOW_MS = 1_000.5;
const later = (ms: number): number => NOW_MS + ms;

function issue(tickets: Tickets, holder = HOLDER, nowMs = NOW_MS): string {
  const issued = tickets.issue(holder, nowMs);
  assert(issued.ok, 'no ticket');
  return issued.value;
}

const UNKNOWN = { ok: false, error: 'ticket: unknown, used or expired; ask for a new one' };

describe('a ticket', () => {
  it('is 32 random bytes in base64url', () => {
    const tickets = new Tickets(bytes => new Uint8Array(bytes).fill(0xfb));
    expect(issue(tickets)).toBe(Buffer.alloc(32, 0xfb).toString('base64url'));
  });

  it('is good for its key once', () => {
    const tickets = new Tickets(randomBytes);
    const ticket = issue(tickets);
    expect(tickets.redeem(ticket, HOLDER, NOW_MS)).toEqual({ ok: true, value: 'key-1' });
    expect(tickets.redeem(ticket, HOLDER, NOW_MS)).toEqual(UNKNOWN);
  });

  it('is good until it ends', () => {
    const tickets = new Tickets(randomBytes);
    const [early, late] = [issue(tickets), issue(tickets)];
    expect(tickets.redeem(early, HOLDER, later(limits.ticketLifeMs - 1)).ok).toBe(true);
    expect(tickets.redeem(late, HOLDER, later(limits.ticketLifeMs))).toEqual({
      ok: false,
      error: 'ticket: expired; ask for a new one',
    });
  });

  it('is good from its own address only, and spent by an attempt from another', () => {
    const tickets = new Tickets(randomBytes);
    const ticket = issue(tickets);
    expect(tickets.redeem(ticket, { ...HOLDER, remoteAddress: '192.0.2.8' }, NOW_MS)).toEqual({
      ok: false,
      error: 'ticket: was issued to another address; ask for a new one',
    });
    expect(tickets.redeem(ticket, HOLDER, NOW_MS)).toEqual(UNKNOWN);
  });

  it('opens its own path only, and is spent by an attempt on another', () => {
    const tickets = new Tickets(randomBytes);
    const ticket = issue(tickets);
    expect(tickets.redeem(ticket, { ...HOLDER, path: '/v1/trade' }, NOW_MS)).toEqual({
      ok: false,
      error: 'ticket: opens /v1/orderbook only; ask for a new one',
    });
    expect(tickets.redeem(ticket, HOLDER, NOW_MS)).toEqual(UNKNOWN);
  });

  it.each(['', 'x', '__proto__', 'A'.repeat(10_000), '🏀'])('is not %j', text => {
    const tickets = new Tickets(randomBytes);
    issue(tickets);
    expect(tickets.redeem(text, HOLDER, NOW_MS)).toEqual(UNKNOWN);
  });
});

it('a bounded number of tickets may wait; expired and used ones make room', () => {
  const tickets = new Tickets(randomBytes);
  const first = issue(tickets);
  const holderOf = (count: number) => ({ ...HOLDER, keyId: `key-${count}` });
  for (let count = 1; count < limits.ticketsMax; count++) issue(tickets, holderOf(count % 500), later(1));
  expect(tickets.issue(holderOf(501), later(1))).toEqual({ ok: false, error: limits.ticketLifeMs - 1 });

  expect(tickets.redeem(first, HOLDER, later(1)).ok).toBe(true);
  issue(tickets, holderOf(501), later(1));
  expect(tickets.issue(holderOf(501), later(limits.ticketLifeMs))).toEqual({ ok: false, error: 1 });
  const ticket = issue(tickets, HOLDER, later(limits.ticketLifeMs + 1));
  expect(tickets.redeem(ticket, HOLDER, later(limits.ticketLifeMs + 1)).ok).toBe(true);
});

it('a bounded number of tickets of one key may wait, and others keep their places', () => {
  const tickets = new Tickets(randomBytes);
  issue(tickets, { ...HOLDER, keyId: 'key-2' });
  for (let count = 0; count < limits.ticketsPerKeyMax; count++) issue(tickets, HOLDER, later(5));
  expect(tickets.issue(HOLDER, later(8))).toEqual({ ok: false, error: limits.ticketLifeMs - 3 });
  issue(tickets, { ...HOLDER, keyId: 'key-2' }, later(8));
});

// The machine's clock was an hour ahead for a moment. A ticket of that moment was valid for an hour. As long as the ticket was not used,
// tickets that expired after it were kept, and their key was refused new tickets.
describe('0090: tickets after the clock was set back', () => {
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
});
