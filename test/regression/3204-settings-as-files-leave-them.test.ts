// Found by writing settings as `podman --env-file` reads them, which takes quotes and white space for a part of the value. The gateway made a
// data directory of that name, and began without its orders and its secrets. Nothing said so.

import { expect, it } from 'vitest';
import { dataDirOf, readArguments } from '../../src/cli/command-io.ts';
import { readConfig } from '../../src/config.ts';

const NAMES = ['DATA_DIR', 'UNIX_SOCKET', 'TRADE_SOCKET', 'SHM', 'RECORD_DIR', 'AUDIT_LOG'].map(
  it => `CROSSBOOK_${it}`,
);
const WRAPPED = ['"/var/lib/crossbook"', "'/var/lib/crossbook'", '/var/lib/crossbook ', ' /var/lib/crossbook', '/x\r'];
const RULE = 'must not be in quotes, nor begin or end with white space';

it.each(NAMES)('%s is the path alone', name => {
  for (const text of WRAPPED) expect(() => readConfig([], { [name]: text })).toThrow(`${name}: ${RULE}`);
  expect(() => readConfig([], { [name]: '/a folder/of "mine" here' })).not.toThrow();
});

it('a command takes no other data directory either', () => {
  const args = readArguments([], { options: ['data-dir'] });
  for (const CROSSBOOK_DATA_DIR of WRAPPED) {
    const io = { env: { CROSSBOOK_DATA_DIR }, out: () => {}, err: () => {} };
    expect(() => dataDirOf(args, io)).toThrow(`--data-dir, CROSSBOOK_DATA_DIR: ${RULE}`);
  }
});
