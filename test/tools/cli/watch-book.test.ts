// `crossbook book` against a server that checks signatures: its ladder, and the reasons for its end.

import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { ServerMessage } from '../../../src/core/wire/messages.ts';
import type { CommandIo } from '../../../src/tools/cli/command-io.ts';
import { bookCommand } from '../../../src/tools/cli/watch-book.ts';
import { SignedServer } from '../client/signed-server.ts';
import { CallRig } from './call-rig.ts';
import { market, SNAPSHOT } from './ladder-message.ts';

let rig: CallRig;
beforeEach(async () => {
  rig = await CallRig.start();
});
afterEach(() => rig.end());

const command = (args: readonly string[], io: CommandIo) => bookCommand(args, io, false);
const book = (url: string, ...args: string[]) => rig.run(command, 'venue_b', 'T-1', '--url', url, ...args);

/** Makes the server send this message in answer to the first request of a client. */
function answerWith(message: ServerMessage, server = rig.server): void {
  server.onStream = socket => socket.once('message', () => socket.send(jsonCodec.encode(message), { binary: false }));
}

describe('crossbook book', () => {
  it('prints one ladder with --once', async () => {
    answerWith(SNAPSHOT);
    const { code, out, err } = await book(rig.server.streamUrl, '--once');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/venue_b {2}T-1\nLIVE {3}epoch 1 {3}seq 1\n.*0\.53.*0\.47/s);
    expect(rig.server.heard.every(({ isSigned }) => isSigned)).toBe(true);
  });

  it('goes over a Unix domain socket', async () => {
    const local = await SignedServer.start(rig.file('gateway.sock'));
    answerWith(SNAPSHOT, local);
    const { keyId, seedHex } = local;
    writeFileSync(rig.file('key.json'), JSON.stringify({ keyId, seedHex }), { mode: 0o600 });
    const where = ['--unix', rig.file('gateway.sock'), '--key', rig.file('key.json')];
    const { code, out, err } = await rig.run(command, 'venue_b', 'T-1', '--once', ...where);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('T-1');
    await local.close();
  });

  it('ends with the reason where the market is refused', async () => {
    const rejected = [{ market, code: 'UNKNOWN_MARKET', message: 'no such market' }] as const;
    answerWith({ type: 'error', id: '1', code: 'UNKNOWN_MARKET', message: 'no such market', rejected });
    const { code, err } = await book(rig.server.streamUrl);
    expect([code, err]).toEqual([1, 'crossbook: UNKNOWN_MARKET: no such market\n']);
  });

  it('ends with the reason where there is no book to print once', async () => {
    const impatient = (args: readonly string[], io: CommandIo) => bookCommand(args, io, false, 1);
    const url = rig.server.streamUrl;
    const { code, out, err } = await rig.run(impatient, 'venue_b', 'T-1', '--url', url, '--once');
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe('crossbook: no book within 1 ms: the venue has sent no book yet\n');
  });

  it('ends with the reason where it cannot connect to print once', async () => {
    rig.server.answer = () => ({ status: 403, body: { error: { code: 'INVALID_REQUEST', message: 'not from here' } } });
    const { code, err } = await book(rig.server.streamUrl, '--once');
    expect([code, err]).toEqual([1, 'crossbook: not connected: not from here\n']);
  });

  it.each([
    [['venue_x', 'T'], 'VENUE: must be venue_a or venue_b'],
    [['venue_b'], 'MARKET: is required'],
    [['venue_b', 'T', '--url', 'http://127.0.0.1:1'], '--url: must be ws://'],
    [['venue_b', 'T', '--url', 'ws://a', '--unix', 'b'], '--unix: must not be given together with --url'],
    [['venue_b', 'T', '--key', '/nowhere/key.json'], '--key: there is no /nowhere/key.json'],
  ])('names the mistake in %j', async (args, message) => {
    expect(await rig.run(command, ...args)).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
  });
});
