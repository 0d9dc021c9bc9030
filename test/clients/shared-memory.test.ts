// The samples that read the shared file, compiled as their READMEs say, beside a subscriber of the stream: both show the same book.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checksumLevels } from '../../src/market-data/book/checksum.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import type { OrderbookStream } from '../../src/tools/client/orderbook-stream.ts';
import { lacks } from '../support/debian-packages.ts';
import { eventually } from '../support/eventually.ts';
import { SharedFileView } from '../support/shared-file-view.ts';
import { type PaperGateway, startPaperGateway } from './paper-gateway.ts';
import { Program, succeeds } from './program.ts';

const LANGUAGES = [
  { name: 'C', folder: 'clients/c', packages: ['gcc', 'libc6-dev'] },
  { name: 'Rust', folder: 'clients/rust', packages: ['rustc'] },
].filter(({ packages }) => !lacks(...packages));

/** The command of the README that compiles the sample. */
function commandOf(folder: string): string {
  const [command = ''] = /^(?:cc|rustc) .*-o books .*$/m.exec(readFileSync(`${folder}/README.md`, 'utf8')) ?? [];
  return command.replaceAll(/clients\/[\w/.]+/g, path => resolve(path));
}

let paper: PaperGateway;
let stream: OrderbookStream;
let built: string;
beforeAll(async () => {
  paper = await startPaperGateway();
  built = mkdtempSync(join(tmpdir(), 'crossbook-shared-'));
  stream = createNodeStream({ url: paper.gateway.url, signer: nodeSigner(paper.gateway.key) });
  stream.subscribe('book', [
    { venue: 'venue_b', ticker: paper.ticker },
    { venue: 'venue_a', tokenId: paper.tokenId },
  ]);
  stream.start();
});
afterAll(async () => {
  stream.close();
  rmSync(built, { recursive: true });
  await paper.close();
});

const viewOf = (): SharedFileView => new SharedFileView(new Uint8Array(readFileSync(paper.sharedFilePath)).buffer);

/** The books of the stream, once it is live. */
function booksOfStream() {
  return eventually(() => {
    const books = [
      ['venue_b', paper.ticker, stream.book({ venue: 'venue_b', ticker: paper.ticker })!] as const,
      ['venue_a', paper.tokenId, stream.book({ venue: 'venue_a', tokenId: paper.tokenId })!] as const,
    ];
    for (const [, , book] of books) expect(book.state).toBe('LIVE');
    return books;
  });
}

it('the file has the books of the stream', async () => {
  for (const [venue, address, book] of await booksOfStream()) {
    await eventually(() => {
      const view = viewOf();
      const shown = view.book(view.symbols().get(`${venue} ${address}`)!.symbol);
      const levels = (side: readonly { readonly price: number; readonly size: number }[]) =>
        side.slice(0, 10).map(({ price, size }) => [price, size]);
      expect(shown).toMatchObject({
        state: 1,
        epoch: book.epoch,
        seq: book.seq,
        checksum: checksumLevels(book.bids, book.asks),
      });
      expect([shown.bids, shown.asks]).toEqual([levels(book.bids), levels(book.asks)]);
    });
  }
});

describe.skipIf(LANGUAGES.length === 0)('the sample (needs gcc, libc6-dev, rustc)', () => {
  it.each(LANGUAGES)('in $name prints the best prices of the stream', async ({ folder }) => {
    await succeeds(['sh', '-c', commandOf(folder)], {}, built);
    for (const [venue, address, book] of await booksOfStream()) {
      const said = await succeeds(['./books', paper.sharedFilePath, venue, address, '1'], {}, built);
      const [bid, ask] = [book.bestBid, book.bestAsk].map(it => (it === null ? 'none' : String(it.price / 10_000)));
      expect(said).toBe(`bid ${bid} ask ${ask}\n`);
    }
    const refused = new Program(['./books', paper.sharedFilePath, 'venue_b', 'NOPE'], {}, built);
    expect([await refused.ended, refused.said]).toEqual([1, 'the gateway has no subscription to NOPE\n']);
  });
});
