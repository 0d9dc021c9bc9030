// The program records, stops and starts again on request, and plays its recording.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRecording } from '../../src/market-data/recording/open-recording.ts';
import type { CommandIo } from '../../src/tools/cli/command-io.ts';
import { orderCommand } from '../../src/tools/cli/order.ts';
import { recordCommand } from '../../src/tools/cli/record.ts';
import { bookCommand } from '../../src/tools/cli/watch-book.ts';
import { OwnProcess } from '../support/child-process.ts';
import { eventually, PATIENCE_MS } from '../support/eventually.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

type Command = (args: readonly string[], io: CommandIo) => Promise<number>;

let folder: string;
const closing: (() => unknown)[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  removeFolder(folder);
});

it('the program records, stops and starts by command, and plays what it has', async () => {
  const [dataDir, recording] = [join(folder, 'data'), join(folder, 'recording')];
  const run = (args: readonly string[], more: Readonly<Record<string, string>>): OwnProcess => {
    const child = new OwnProcess(args, { CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: dataDir, ...more });
    closing.push(() => {
      child.signal('SIGKILL');
      return child.ended;
    });
    return child;
  };
  const says = async (command: Command, ...args: string[]): Promise<string> => {
    let [out, err] = ['', ''];
    const io = { out: (text: string) => (out += text), err: (text: string) => (err += text), env: {} };
    const code = await command(args, io);
    expect([code, err]).toEqual([0, '']);
    return out;
  };
  const book: Command = (args, io) => bookCommand([...args, '--data-dir', dataDir], io, false, PATIENCE_MS);
  const gateway = run(['src/main.ts'], { CROSSBOOK_RECORD_DIR: recording });
  const [, url, venue, address] = await gateway.said(/http:(\S+) \(paper exchanges: (venue_[ab]) (\S+) and/);
  const streamOf = (at: string | undefined): string => `ws:${at}/v1/orderbook`;
  await says(book, venue!, address!, '--once', '--url', streamOf(url));
  const markets = () => openRecording(recording).files.map(file => file.contents().markets);
  await eventually(() => expect(markets().flat()).toMatchObject([{ venue, address }]));
  expect(await says(recordCommand, 'stop', '--data-dir', dataDir)).toBe('the recording is closed\n');
  expect(await says(recordCommand, 'start', '--data-dir', dataDir)).toBe('recording\n');
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toBe(0);
  expect(markets()).toHaveLength(2);
  expect(await says(recordCommand, 'check', recording)).toMatch(/^whole: 2 files, /);
  const player = run(['src/main.ts', '--replay', recording], {});
  const [, at] = await player.said(/http:(\S+) \(replaying 1 markets of 2 recorded files; /);
  expect(await says(book, venue!, address!, '--once', '--url', streamOf(at))).toContain('LIVE');
  const side = venue === 'venue_a' ? 'buy' : 'buy-yes';
  const key = ['--data-dir', dataDir, '--url', `http:${at}`];
  // This waits until the house has a whole book to trade with.
  await eventually(async () =>
    expect(await says(orderCommand, 'submit', address!, side, '5', '--price', '0.99', ...key)).toMatch(/FILLED/),
  );
});
