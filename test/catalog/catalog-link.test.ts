// The wait for the first catalog: until it is read, at most for its limit, and for a bounded number of callers.

import { expect, it } from 'vitest';
import { FirstCatalog } from '../../src/catalog/catalog-link.ts';
import { limits } from '../../src/limits.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

it('the wait lasts until there is a catalog', async () => {
  const timers = new VirtualTimers();
  const first = new FirstCatalog(timers, limits.firstCatalogMs);
  const waiting = first.wait();
  expect(first.isAwaited).toBe(true);
  first.end();
  expect([await waiting, await first.wait(), first.isAwaited, timers.pending]).toEqual([true, true, false, 0]);
});

it('the wait is over after firstCatalogMs, with or without a catalog', async () => {
  const timers = new VirtualTimers();
  const first = new FirstCatalog(timers, limits.firstCatalogMs);
  const waiting = first.wait();
  timers.advance(limits.firstCatalogMs - 1);
  expect(first.isAwaited).toBe(true);
  timers.advance(1);
  expect([await waiting, first.isAwaited]).toEqual([true, false]);
});

it('the wait has room for firstCatalogWaitingMax requests', async () => {
  const first = new FirstCatalog(new VirtualTimers(), limits.firstCatalogMs);
  const waiting = Array.from({ length: limits.firstCatalogWaitingMax }, () => first.wait());
  expect(await first.wait()).toBe(false);
  first.end();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
});
