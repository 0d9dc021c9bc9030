// Builds everything, passes it down, and closes it in reverse. Main thread.

import './runtime/v8-flags.ts';
import { createArena } from './book/memory.ts';
import { ConfigError, readConfig } from './config.ts';
import { type Gateway, startGateway } from './gateway/gateway.ts';
import { limits } from './limits.ts';
import { FeedCounters } from './runtime/counters.ts';
import { createLog } from './runtime/log.ts';
import { type MarketData, openMarketData } from './threads/market-data.ts';

const log = createLog('main');

try {
  await start();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`crossbook: ${message}\n`);
  if (!(error instanceof ConfigError)) log.warn('start failed', { error: message });
  process.exit(1);
}

async function start(): Promise<void> {
  const config = readConfig(process.argv.slice(2), process.env);
  const marketData = await openMarketData(config.source);
  for (const note of marketData.notes) log.warn('replay', { note });
  const gateway = await startGateway({
    host: config.host,
    port: config.port,
    arena: createArena(),
    targets: marketData.targets,
    counters: { venue_a: new FeedCounters(), venue_b: new FeedCounters() },
    bookLingerMs: limits.bookLingerMs,
    log,
  }).catch(async error => {
    // The replay thread has native sockets, which nobody but itself can close: an exit over its head aborts the process.
    await marketData.close();
    throw error;
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void shutDown(gateway, marketData));
  }
  process.stdout.write(`crossbook listening on http://${config.host}:${gateway.port} (${marketData.description})\n`);
}

async function shutDown(gateway: Gateway, marketData: MarketData): Promise<void> {
  await gateway.close();
  await marketData.close();
  process.exit(0);
}
