// Found by a typing error in the settings: `crossbook call` said `Invalid URL` and nothing else, and `book` blamed `--url`, which nobody
// had given.

import { expect, it, onTestFinished } from 'vitest';
import { callCommand } from '../../src/cli/call.ts';
import { bookCommand } from '../../src/cli/watch-book.ts';
import { CallRig } from '../cli/call-rig.ts';

it.each([
  ['127.0.0.1', '8080a', 'http://127.0.0.1:8080a'],
  ['127.0.0.1', '80800', 'http://127.0.0.1:80800'],
  ['a host', '8080', 'http://a host:8080'],
])('a bad port is named by its setting: %s, %s', async (host, port, origin) => {
  const rig = await CallRig.start();
  onTestFinished(() => rig.end());
  rig.env = { CROSSBOOK_HOST: host, CROSSBOOK_PORT: port };
  const err = `crossbook: CROSSBOOK_HOST, CROSSBOOK_PORT: ${origin} is no address\n`;
  expect(await rig.run(callCommand, 'GET', '/v1/time')).toEqual({ code: 2, out: '', err });
  const book = (args: readonly string[], io: Parameters<typeof callCommand>[1]) => bookCommand(args, io, false);
  expect(await rig.run(book, 'venue_b', 'KXNONE')).toEqual({ code: 2, out: '', err });
});
