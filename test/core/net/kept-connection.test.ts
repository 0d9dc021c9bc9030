// One kept connection: when it is opened again, when silence ends it, and its keep-alive messages.

import { beforeEach, describe, expect, it } from 'vitest';
import { KeptConnection } from '../../../src/core/net/kept-connection.ts';
import { connectWebSocket, type SocketHandlers } from '../../../src/core/net/websocket.ts';
import { limits } from '../../../src/limits.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

type Headers = Readonly<Record<string, string>>;

interface Attempt {
  readonly handlers: SocketHandlers;
  readonly headers: Readonly<Record<string, string>>;
  readonly frameBytesMax: number;
  readonly sent: string[];
}

let timers: VirtualTimers;
let attempts: Attempt[];
let heard: string[];
let random: number;
let headers: () => Headers | Promise<Headers>;
let session: KeptConnection;

beforeEach(() => {
  timers = new VirtualTimers();
  attempts = [];
  heard = [];
  random = 0;
  let signatures = 0;
  headers = () => ({ signature: String(++signatures) });
  session = new KeptConnection(
    {
      url: 'ws://venue/stream',
      headers: () => headers(),
      keepAlive: 'PING',
      connect: (options, handlers) => {
        const sent: string[] = [];
        attempts.push({ handlers, headers: options.headers, frameBytesMax: options.frameBytesMax, sent });
        return { send: frame => sent.push(String(frame)), terminate: () => handlers.onClose('terminated') };
      },
      timers,
      random: () => random,
    },
    {
      onUp: () => heard.push('up'),
      onFrame: data => heard.push(Buffer.from(data).toString()),
      onDown: detail => heard.push(`down: ${detail}`),
      onSilence: () => heard.push('silence'),
    },
  );
  session.start();
});

function latest(): Attempt {
  return attempts.at(-1)!;
}

describe('a connection that is kept up', () => {
  it('is opened again after a refusal, with fresh headers', () => {
    latest().handlers.onClose('refused');
    expect(attempts).toHaveLength(1);
    timers.advance(limits.upstreamBackoffMinMs);
    expect(attempts.map(attempt => attempt.headers)).toEqual([{ signature: '1' }, { signature: '2' }]);
    expect(session.isUp).toBe(false);
  });

  it('says in plain, short text why it was lost, though a venue chose the words', () => {
    latest().handlers.onClose(`gone\n\u2028\u009b2J ${'x'.repeat(2 * limits.venueWordsMax)}`);
    expect(heard.at(-1)).toMatch(/^down: gone 2J x+$/);
    expect(heard.at(-1)!.length).toBe('down: '.length + limits.venueWordsMax);
  });

  it('is opened again after a frame of more than upstreamFrameBytesMax, and takes none after that either', () => {
    latest().handlers.onOpen();
    latest().handlers.onClose('Max payload size exceeded');
    timers.advance(limits.upstreamBackoffMinMs);
    const taken = limits.upstreamFrameBytesMax;
    expect(attempts.map(({ frameBytesMax }) => frameBytesMax)).toEqual([taken, taken]);
  });

  it('waits longer after each failure, jittered over a bounded window', () => {
    random = 0.999;
    for (let failures = 0; failures < 20; failures++) {
      const before = attempts.length;
      latest().handlers.onClose('refused');
      const window = Math.min(limits.upstreamBackoffMaxMs, limits.upstreamBackoffMinMs * 2 ** failures);
      timers.advance(window * 0.9);
      expect(attempts).toHaveLength(before);
      timers.advance(window * 0.1 + limits.upstreamBackoffMinMs);
      expect(attempts).toHaveLength(before + 1);
    }
  });

  it('says its text every upstreamPingMs while it is up, and not before', () => {
    timers.advance(limits.upstreamPingMs * 2);
    expect(latest().sent).toEqual([]);
    latest().handlers.onOpen();
    timers.advance(limits.upstreamPingMs * 2);
    expect(latest().sent).toEqual(['PING', 'PING']);
  });

  it('is ended by silence within a look of upstreamSilenceMs, and opened again', () => {
    latest().handlers.onOpen();
    timers.advance(limits.upstreamSilenceMs - 1);
    expect(heard).toEqual(['up']);
    timers.advance(1);
    expect(heard).toEqual(['up', 'silence', 'down: terminated']);
    timers.advance(limits.upstreamBackoffMinMs);
    expect(attempts).toHaveLength(2);
  });

  it.each(['frame', 'ping'])('is kept by a %s now and then', kind => {
    latest().handlers.onOpen();
    for (let round = 0; round < 5; round++) {
      timers.advance(limits.upstreamSilenceMs * 0.8);
      if (kind === 'ping') latest().handlers.onPing();
      else latest().handlers.onFrame(Buffer.from('x'), false);
    }
    expect(heard.filter(event => event !== 'x')).toEqual(['up']);
  });

  it('stays closed once it is closed', () => {
    latest().handlers.onOpen();
    session.close();
    timers.advance(limits.upstreamBackoffMaxMs * 2);
    expect(attempts).toHaveLength(1);
    expect(heard).toEqual(['up', 'down: terminated']);
  });
});

describe('headers that cannot be', () => {
  it('made are a failed attempt, after which there is another', () => {
    headers = () => {
      throw new Error('no key');
    };
    latest().handlers.onClose('refused');
    timers.advance(limits.upstreamBackoffMinMs);
    expect([attempts.length, heard.at(-1)]).toEqual([1, 'down: no key']);
    headers = () => ({ signature: 'there again' });
    timers.advance(limits.upstreamBackoffMinMs);
    expect(latest().headers).toEqual({ signature: 'there again' });
  });

  it.each([
    ['at once', () => ({ key: 'two\nlines' })],
    ['later', async () => ({ key: 'two\nlines' })],
  ])('sent, though made %s, are a failed attempt, too', async (_when, made) => {
    const down = Promise.withResolvers<string>();
    const ignored = { onUp() {}, onFrame() {}, onSilence() {} };
    const common = { url: 'ws://localhost', keepAlive: null, timers, random: () => 0 };
    const options = { ...common, headers: made, connect: connectWebSocket };
    new KeptConnection(options, { ...ignored, onDown: down.resolve }).start();
    expect(await down.promise).toContain('Invalid character in header');
  });
});

describe('headers that take their time', () => {
  /** Ends the attempt of `start` and waits for the next attempt. The returned functions settle the headers of that attempt. */
  function nextAttempt() {
    const pending = Promise.withResolvers<Headers>();
    headers = () => pending.promise;
    latest().handlers.onClose('refused');
    timers.advance(limits.upstreamBackoffMinMs);
    heard = [];
    return pending;
  }

  it('are waited for', async () => {
    const pending = nextAttempt();
    await timers.settle();
    expect(attempts).toHaveLength(1);
    pending.resolve({ signature: 'late' });
    await timers.settle();
    expect(attempts[1]?.headers).toEqual({ signature: 'late' });
    latest().handlers.onOpen();
    expect(heard).toEqual(['up']);
  });

  it('that cannot be made count as a failed attempt, and another one follows', async () => {
    const pending = nextAttempt();
    pending.reject(new Error('no signer'));
    await timers.settle();
    expect(heard).toEqual(['down: no signer']);
    headers = () => ({ signature: 'there again' });
    await timers.settle(limits.upstreamBackoffMinMs);
    expect(attempts[1]?.headers).toEqual({ signature: 'there again' });
  });

  it.each(['resolved', 'rejected'])('change nothing if they come (%s) when it is closed already', async how => {
    const pending = nextAttempt();
    session.close();
    if (how === 'resolved') pending.resolve({});
    else pending.reject(new Error('no signer'));
    await timers.settle(limits.upstreamBackoffMaxMs * 2);
    expect(attempts).toHaveLength(1);
    expect(heard).toEqual([]);
  });
});
