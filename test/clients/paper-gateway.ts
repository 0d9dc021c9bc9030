// A gateway on the paper exchanges for the clients of other languages, and a market at each venue that they may trade.

import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RecorderSettings } from '../../src/market-data/recording/recorder-settings.ts';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { eventually } from '../support/eventually.ts';
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts';

export interface PaperGateway {
  readonly gateway: RunningGateway;
  readonly ticker: string;
  /** The ticker of another market. */
  readonly otherTicker: string;
  readonly tokenId: string;
  readonly socketPath: string;
  readonly sharedFilePath: string;
  /** Looks like the gateway's folder: `data/demo/key.json` is in it. */
  readonly folder: string;
  openOrders(): Promise<number>;
  close(): Promise<void>;
}

/** `walletType`: of the demo’s wallet at venue A, which the venue’s relayer serves. */
export async function startPaperGateway(walletType?: 1 | 2 | 3, recorder?: RecorderSettings): Promise<PaperGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-clients-'));
  const [socketPath, sharedFilePath] = [join(folder, 'socket'), join(folder, 'shared')];
  const gateway = await startRunningGateway({
    source: { kind: 'paper', ...(walletType === undefined ? {} : { walletType }) },
    readsCatalog: true,
    ...(recorder === undefined ? {} : { recorder }),
    unixSocketPath: socketPath,
    sharedFilePath,
  });
  symlinkSync(gateway.dataDir, join(folder, 'data'));
  const client = createNodeClient({ url: gateway.httpUrl, signer: nodeSigner(gateway.key) });
  await eventually(() => {
    const venues = ['venue_a', 'venue_b'] as const;
    expect(venues.map(venue => gateway.trading.isTradable('demo', venue))).toEqual([true, true]);
  });
  const listed = (venue: 'venue_a' | 'venue_b') =>
    eventually(async () => {
      const page = await client.call('listMarkets', { query: { venue, executable: true, pageSize: 2 } });
      if (!page.ok) throw new Error(page.error.message);
      expect(page.value.value.markets).toHaveLength(2);
      return page.value.value.markets.flatMap(it => it.outcomes).flatMap(it => it.listings);
    });
  const tickers = (await listed('venue_b')).flatMap(it => (it.venue === 'VENUE_B' ? [it.ticker] : []));
  const [ticker, otherTicker] = [tickers[0]!, tickers.at(-1)!];
  const tokenId = (await listed('venue_a')).flatMap(it => (it.venue === 'VENUE_A' ? [it.tokenId] : []))[0]!;
  return {
    ...{ gateway, ticker, otherTicker, tokenId, socketPath, sharedFilePath, folder },
    openOrders: async () => {
      const page = await client.call('listVenueBOrders', { query: { status: 'OPEN', ticker } });
      return page.ok ? page.value.value.orders.length : Number.NaN;
    },
    close: async () => {
      await gateway.close();
      rmSync(folder, { recursive: true });
    },
  };
}
