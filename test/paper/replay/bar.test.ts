// The progress of a replay, as a start on a terminal shows it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { onTerminal } from '../../support/on-terminal.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

const BAR = /replay \[[#.]{24}\] \d+ %\r/;

/** Returns a recording of one book that lasts some hours. */
function recording(): string {
  const frame = (type: string, seq: number, msg: object): object => ({
    received_ms: seq * 1_000,
    frame: { type, sid: 1, seq, msg: { market_ticker: 'KXNBAGAME-26NOV21BOSLAL-BOS', ...msg } },
  });
  const book = { yes_dollars_fp: [['0.4000', '100.00']], no_dollars_fp: [['0.5000', '100.00']] };
  const change = { price_dollars: '0.4000', delta_fp: '1.00', side: 'yes' };
  const changes = Array.from({ length: 10_000 }, (_, index) => frame('orderbook_delta', index + 2, change));
  return [frame('orderbook_snapshot', 1, book), ...changes].map(it => `${JSON.stringify(it)}\n`).join('');
}

it('is a bar', async () => {
  const file = join(folder, 'recording.jsonl');
  writeFileSync(file, recording());
  const environment = { CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: join(folder, 'data'), CROSSBOOK_WARM_UP: 'off' };
  const { said, end } = await onTerminal(['--replay', file], environment, text => BAR.test(text));
  expect(said).toContain('listening on ');
  // No line of the log is on the terminal.
  expect(said).not.toMatch(/^\{"time"/m);
  await end();
});
