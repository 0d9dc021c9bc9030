// Signed requests during continuous catalog refreshes, in turns with the same requests without refreshes, from one caller on one connection. Also a
// page of 20 markets from a catalog that `src/main.ts` has built from the paper exchanges. The page is measured beside `whoami`: the difference is
// the cost of the catalog.

import { setTimeout as pause } from 'node:timers/promises';
import { type BenchOptions, type BenchRow, type BenchSuite, closing, overRounds, row, timesLess } from './harness.ts';
import type { RefreshQuestion } from './load/catalog-refresh-process.ts';
import { HttpRig } from './load/http-rig.ts';
import { signedHeaders } from './load/http-signing.ts';
import { Latencies } from './load/latencies.ts';
import type { LoadAnswer, LoadRequest } from './load/messages.ts';
import { type Desk, OrderRig } from './load/order-rig.ts';
import type { StreamAccess, Turn } from './load/rig.ts';

const GAMES = 10_000;
const DURATION_MS = 2_000;
const ROUNDS = 5;
const DESK: Desk = { name: 'venue-b', venue: 'venue_b' };
const PAGE_ROWS = 20;
const PAGE = `/v1/markets?pageSize=${PAGE_ROWS}`;
const PAGES_MS = 1_000;
const LISTED_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

export const suite: BenchSuite = {
  name: 'catalog/http',
  runsMax: 1,
  run: async options => [await refreshRow(options), ...(await pageRows(options))],
};

async function refreshRow(options: BenchOptions): Promise<BenchRow> {
  const { smoke } = options;
  return closing(await HttpRig.start(options), async rig => {
    const catalog = rig.process('catalog-refresh-process.ts');
    const ask = (question: RefreshQuestion): Promise<unknown> => catalog.ask(question);
    await ask({ op: 'make', games: smoke ? 50 : GAMES });
    const shape = { connections: 1, durationMs: smoke ? 30 : DURATION_MS };
    const load = (target: string): Promise<Turn> => rig.load(rig.gateway, { ...shape, target });
    const [quiet, busy]: [number[], number[]] = [[], []];
    await load('/v1/time');
    for (let round = 0; round < (smoke ? 1 : ROUNDS); round++) {
      quiet.push((await load('/v1/time')).latencies.percentileUs(0.99));
      await ask({ op: 'begin' });
      busy.push((await load('/v1/time')).latencies.percentileUs(0.99));
      await ask({ op: 'end' });
    }
    const ratio = timesLess(busy, quiet);
    const baseline = 'p99 without a refresh';
    return { name: 'catalog/http-refresh p99', ...overRounds(busy), unit: 'µs', baseline, ratio };
  });
}

async function pageRows({ smoke }: BenchOptions): Promise<BenchRow[]> {
  return closing(await OrderRig.start({ desks: [DESK], durability: 'process-safe', paperMode: 'exact' }), async rig => {
    const access = rig.waysOf(DESK).gateway;
    await untilListed(access);
    const callers = rig.thread('http-load-worker.ts', { keys: [access.key] });
    const p50 = async (target: string): Promise<number> => {
      const shape = { connections: 1, durationMs: smoke ? 30 : PAGES_MS, isSigned: true, requestsPerSecond: null };
      await callers.ask({ op: 'prepare', plan: { ...shape, port: access.port, target } } satisfies LoadRequest);
      const answer = await callers.ask<LoadAnswer>({ op: 'run' } satisfies LoadRequest);
      return Latencies.of(answer.latencies).percentileUs(0.5);
    };
    const [pages, plain]: [number[], number[]] = [[], []];
    await p50(PAGE);
    for (let round = 0; round < (smoke ? 1 : ROUNDS); round++) {
      pages.push(await p50(PAGE));
      plain.push(await p50('/v1/whoami'));
    }
    const ratio = timesLess(pages, plain);
    return [
      { ...row('catalog/http-markets p50', pages, 'µs'), baseline: 'GET /v1/whoami', ratio },
      row('catalog/http-markets whoami p50', plain, 'µs'),
    ];
  });
}

/** Waits for a full page, since the catalog is read from the venues after the start. */
async function untilListed({ port, key }: StreamAccess): Promise<void> {
  for (const deadline = Date.now() + LISTED_TIMEOUT_MS; Date.now() < deadline; await pause(POLL_MS)) {
    const answer = await fetch(`http://127.0.0.1:${port}${PAGE}`, { headers: signedHeaders(key, PAGE) });
    const { markets = [] } = (await answer.json()) as { readonly markets?: readonly unknown[] };
    if (answer.ok && markets.length === PAGE_ROWS) return;
  }
  throw new Error('the catalog does not fill');
}
