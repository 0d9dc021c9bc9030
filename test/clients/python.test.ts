// The Python client: its own tests, alone and against a gateway; and the programs of its README.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacks } from '../support/debian-packages.ts';
import { blocksOf } from '../support/documents.ts';
import { type PaperGateway, startPaperGateway } from './paper-gateway.ts';
import { Program, PYTHON, PYTHON_CLIENT, succeeds } from './program.ts';

const README = readFileSync(join(PYTHON_CLIENT, 'README.md'), 'utf8');
/** Programs of the README, by the names that it gives them. */
const PROGRAMS = [...README.matchAll(/`(\w+\.py)`[^`]*?:\n\n```python\n([\s\S]*?)^```$/gm)].map(([, name, code]) => ({
  name: name!,
  code: code!,
}));

/** The program of the repository's README. */
const [BOT = ''] = blocksOf(readFileSync('README.md', 'utf8'), '## A bot', 'python');
/** For what the bot leaves. */
const CANCEL_ALL = `
import os, sys
from crossbook import Client, Signer
client = Client(f"http://127.0.0.1:{os.environ['CROSSBOOK_PORT']}", Signer.from_file("data/demo/key.json"))
client.cancel_venue_b_orders(ticker=sys.argv[1])`;

const isMissing = lacks('python3-cryptography', 'python3-httpx', 'python3-websockets');

describe.skipIf(isMissing)('the Python client (needs python3-cryptography, python3-httpx, python3-websockets)', () => {
  let paper: PaperGateway;
  beforeAll(async () => {
    paper = await startPaperGateway();
  });
  afterAll(() => paper.close());

  const run = (...command: readonly string[]): Program =>
    new Program(
      [PYTHON, ...command],
      { CROSSBOOK_PORT: String(paper.gateway.port), CROSSBOOK_SHM: paper.sharedFilePath },
      paper.folder,
    );

  it('passes its own tests', async () => {
    expect(await succeeds([PYTHON, '-m', 'unittest', 'discover', '-s', `${PYTHON_CLIENT}/tests`])).toMatch(/^OK$/m);
  });

  it('passes its tests against a gateway', async () => {
    const { gateway, ticker, otherTicker, tokenId, socketPath } = paper;
    const control = gateway.paper!.urls.control;
    const { keyId, seedHex } = gateway.key;
    const markets = { ticker, otherTicker, tokenId };
    const place = { url: gateway.httpUrl, control, apiKey: gateway.apiKey, keyId, seedHex, socketPath, ...markets };
    const said = await succeeds([PYTHON, '-m', 'unittest', 'discover', '-s', `${PYTHON_CLIENT}/tests/live`], {
      CROSSBOOK_TEST: JSON.stringify(place),
    });
    expect(said).toMatch(/^OK$/m);
  });

  it('does what its README says, from a live book to a cancelled order', async () => {
    expect(PROGRAMS.map(({ name }) => name)).toEqual(['book.py', 'order.py', 'trades.py', 'shared.py']);
    for (const { name, code } of PROGRAMS) writeFileSync(join(paper.folder, name), code);
    const book = run('book.py');
    await book.says(/^LIVE bid Level\(price=Decimal\('0\.\d+'\).* NO \[Level\(/m);
    book.signal('SIGINT');
    const [, ticker = ''] = /(KX\S+)$/m.exec(book.said)!;
    const order = run('order.py', ticker);
    expect([await order.ended, order.said]).toEqual([
      0,
      expect.stringMatching(/^placed .* OPEN\nread OPEN\nreplaced .*CANCELLED.*\ncancelled, /),
    ]);
    const trades = run('trades.py', ticker);
    await trades.says(/^\{'unixSeconds': [\s\S]*^OrderChanged\(/m);
    trades.signal('SIGINT');
    const shared = run('shared.py', ticker);
    await shared.says(/^SharedBook\(state='LIVE'.*bids=\[Level\(price=Decimal\('0\.\d+'\)/m);
    shared.signal('SIGINT');
    writeFileSync(join(paper.folder, 'bot.py'), BOT);
    const bot = run('bot.py', ticker);
    await bot.says(/^Placed\([\s\S]*^BookChanged\(book=<Book KX/m);
    bot.signal('SIGINT');
    await Promise.all([book, trades, shared, bot].map(it => it.ended));
    await succeeds([PYTHON, '-c', CANCEL_ALL, ticker], { CROSSBOOK_PORT: String(paper.gateway.port) }, paper.folder);
  });

  it('has no file of tests that nothing runs', () => {
    const files = readdirSync(join(PYTHON_CLIENT, 'tests'), { recursive: true, encoding: 'utf8' });
    const strays = files.filter(
      it => it.endsWith('.py') && !/(^|\/)(test_\w+|scripted_server|self_signed|tls_proxy)\.py$/.test(it),
    );
    expect(strays).toEqual([]);
  });
});
