// A page’s visit to a gateway with the portable client, in a process without Node’s globals (bare-runtime.ts): an order, then a book.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { checksumLevels } from '../../src/book/checksum.ts';
import type { Level } from '../../src/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import { jsonCodec } from '../../src/wire/json.ts';
import { SignedServer } from './signed-server.ts';

const FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const TIMES = { venueTime: 1 as UnixMillis, receivedAt: 1 as UnixMillis };

interface Visit {
  readonly placed: unknown;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** Of each request, whether it had a good signature. */
  readonly signed: readonly boolean[];
}

/** `files` are those of the client, by what they are. */
export async function visitWithoutNode(
  files: Readonly<Record<'client' | 'browser-stream' | 'signer', string>>,
): Promise<Visit> {
  const server = await SignedServer.start();
  const bids: Level[] = [{ price: 5_300 as Ticks, size: 10 as MicroShares }];
  server.answer = ({ target }) => {
    server.tickets.add('ticket-1');
    const body = target === '/v1/venue-b/orders' ? { orderId: 'o-1', status: 'OPEN' } : { ticket: 'ticket-1' };
    return { status: 201, body };
  };
  server.onStream = socket =>
    socket.on('message', () => {
      const book = { epoch: 1, seq: 1, state: 'LIVE', bids, asks: [], checksum: checksumLevels(bids, []) } as const;
      const market = { venue: 'venue_b', ticker: 'T' } as const;
      socket.send(jsonCodec.encode({ type: 'snapshot', market, ...book, ...TIMES }), { binary: false });
    });
  const paths = [files.client, files['browser-stream'], files.signer];
  const args = [...FLAGS, 'test/client/bare-runtime.ts', server.url, server.keyId, server.seedHex, ...paths];
  const child = promisify(execFile)(process.execPath, args, { timeout: 30_000 });
  const { stdout } = await child.finally(() => server.close());
  return { ...JSON.parse(stdout), signed: server.heard.map(({ isSigned }) => isSigned) };
}
