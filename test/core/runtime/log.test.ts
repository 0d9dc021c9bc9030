// The log: whole lines, written once per turn, bounded for any reader, without secrets.

import { readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOT_PLAIN } from '../../../src/core/domain/plain-text.ts';
import { changeLevel, createLog, type LogFields, silentLog, terminalText } from '../../../src/core/runtime/log.ts';
import { limits } from '../../../src/limits.ts';

interface Entry {
  readonly level: string;
  readonly component: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** Returns a reader that takes each text at once. With `isSlow` it takes a text on command. */
function reader({ isSlow = false } = {}) {
  const texts: string[] = [];
  let taken = () => {};
  return {
    texts,
    take: () => taken(),
    write: (written: string, onTaken: () => void) => {
      texts.push(written);
      taken = onTaken;
      if (!isSlow) onTaken();
    },
    entries: (): Entry[] =>
      texts
        .join('')
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
  };
}

describe('a log', () => {
  it('writes the lines of a turn at once, in order, after it', async () => {
    const { write, texts, entries } = reader();
    const log = createLog('main', { write });
    log.info('first', { port: 1 });
    log.warn('second', { why: 'line\nbreak "quoted"' });
    expect(texts).toEqual([]);
    await turn();
    expect(texts.length).toBe(1);
    expect(entries()).toMatchObject([
      { level: 'info', component: 'main', event: 'first', port: 1 },
      { level: 'warn', component: 'main', event: 'second', why: 'line\nbreak "quoted"' },
    ]);
    log.info('third');
    await turn();
    expect(texts.length).toBe(2);
  });

  it.each([
    ['debug', ['d', 'i', 'w']],
    ['info', ['i', 'w']],
    ['warn', ['w']],
  ] as const)('at %s keeps %s', (level, kept) => {
    const { write, entries } = reader();
    const log = createLog('main', { level, write });
    log.debug('d');
    log.info('i');
    log.warn('w');
    log.flush();
    expect(entries().map(it => it.event)).toEqual(kept);
    expect(log.isDebug).toBe(level === 'debug');
  });

  it('that nobody reads drops lines and says how many', async () => {
    const { write, texts, take, entries } = reader({ isSlow: true });
    const log = createLog('main', { write });
    log.info('stuck');
    await turn();
    const lines = limits.logLinesWaitingMax + 904;
    for (let i = 0; i < lines; i++) log.info('event', { i });
    await turn();
    expect(texts.length).toBe(1);
    take();
    await turn();
    expect(texts.length).toBe(2);
    const [, ...later] = entries();
    const dropped = later.pop()!;
    expect(later.map(it => it.i)).toEqual(later.map((_, i) => i));
    expect(dropped).toMatchObject({ level: 'warn', event: 'log lines dropped', lines: 904 });
    expect(later.length).toBe(limits.logLinesWaitingMax);
  });

  it('leaves no listener behind', async () => {
    const before = process.listenerCount('exit');
    const log = createLog('main', { write: reader().write });
    for (let i = 0; i < 20; i++) {
      log.info('event');
      await turn();
    }
    expect(process.listenerCount('exit')).toBe(before);
  });

  it('is written to the end when its thread exits in the middle of a turn', async () => {
    const source = new URL('../../../src/core/runtime/log.ts', import.meta.url).href;
    const worker = new Worker(
      `import(${JSON.stringify(source)}).then(({ createLog }) => { createLog('dying').info('last words'); process.exit(0); })`,
      { eval: true, stderr: true },
    );
    expect(await text(worker.stderr)).toContain('"event":"last words"');
  });

  it('cuts what is long', () => {
    const { write, entries } = reader();
    const log = createLog('main', { write });
    log.warn('long', { words: 'word '.repeat(10_000) });
    log.flush();
    expect(String(entries()[0]!.words).length).toBe(500);
  });
});

describe('a secret in a log', () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(it => Buffer.from(it));
  const around = fc.constantFrom('', ' ', '"', ': ', ', ', '\n');
  const secret = fc.oneof(
    bytes.map(it => it.toString('hex')),
    bytes.map(it => it.toString('hex').toUpperCase()),
    bytes.map(it => `0x${it.toString('hex')}`),
    bytes.map(it => `cbk_${it.toString('base64url')}`),
    bytes.map(it => `-----BEGIN PRIVATE KEY-----\n${it.toString('base64')}\n-----END PRIVATE KEY-----\n`),
    bytes.map(it => `-----BEGIN RSA PRIVATE KEY-----\n${it.toString('base64')}`),
    bytes.map(it => `/v1/orderbook?ticket=${it.toString('base64url')}`),
  );
  /** Returns the part of a planted secret that must not appear: its longest random run. */
  const canary = (planted: string): string =>
    planted
      .match(/[\w+/-]{40,}/g)!
      .at(-1)!
      .replace(/^(cbk_|0x)/, '');

  it('does not come through, in any field and wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('error', 'detail', 'path', 'words', 'note'),
        fc.tuple(around, secret, around),
        // The padding reaches the length at which values are cut, so that secrets are cut, too.
        fc.integer({ min: 0, max: 260 }),
        (field, [before, planted, after], padding) => {
          const { write, texts } = reader();
          const log = createLog('main', { level: 'debug', write });
          log.debug('planted', { [field]: `${'- '.repeat(padding)}${before}${planted}${after}` });
          log.flush();
          expect(texts.join('')).not.toContain(canary(planted).slice(0, 16));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each(['signature', 'seedHex', 'privateKeyPem', 'apiKey', 'authorization', 'ticket', 'secret'])(
    'does not appear in a field %s',
    field => {
      const { write, entries } = reader();
      const log = createLog('main', { write });
      log.info('event', { [field]: 'short' });
      log.flush();
      expect(entries()[0]![field]).toBe('[redacted]');
    },
  );

  it('is not found in a log without one', () => {
    const fields: LogFields = {
      publicKeyHex: 'ab'.repeat(32),
      keyId: 'cd'.repeat(32),
      hashHex: 'ef'.repeat(32),
      contentSha256: '01'.repeat(32),
      market: `0x${'23'.repeat(32)}`,
      note: `token ${'7'.repeat(77)}, 40 digits ${'ab'.repeat(20)}`,
      path: '/v1/orderbook?market=venue_a:1',
      count: 3,
      isOpen: true,
      none: null,
    };
    const { write, entries } = reader();
    const log = createLog('main', { write });
    log.info('event', fields);
    log.flush();
    expect(entries()[0]).toMatchObject(fields);
  });
});

it('shares its level: a change counts for the log of another thread, too', () => {
  const { write, entries } = reader();
  const main = createLog('main', { level: 'warn', write });
  // The log of another thread gets the level in this way.
  const other = createLog('feed', { level: main.level, write });
  for (const level of ['warn', 'debug', 'info'] as const) {
    changeLevel(main, level);
    for (const log of [main, other]) {
      log.debug(`d ${level}`);
      log.info(`i ${level}`);
      log.flush();
      expect(log.isDebug).toBe(level === 'debug');
    }
  }
  expect(entries().map(({ component, event }) => `${component} ${event}`)).toEqual([
    ...['main d debug', 'main i debug', 'feed d debug', 'feed i debug', 'main i info', 'feed i info'],
  ]);
});

it('of a silent thread stays silent', () => {
  const { write, texts } = reader();
  const log = createLog('feed', { level: silentLog.level, write });
  log.warn('w');
  log.flush();
  expect(texts).toEqual([]);
});

// Three lines had the field `detail`, among them that of a lost connection of the feeds. A search of the log needs a single name for the
// field.
describe('0162: log lines with a detail', () => {
  /** Matches a logged field `detail` (`{ detail }`, `detail: …`), but neither `...detail` nor `error: detail`. */
  const LOGGED = /\blog\.(?:debug|info|warn|error)\((?:[^;]*?[{,]\s*)?detail\s*[:,}]/;

  it('no line is logged with a detail', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'));
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter(name => LOGGED.test(readFileSync(`src/${name}`, 'utf8')))).toEqual([]);
  });

  it('a line with a detail would be seen', () => {
    expect("log.warn('venue connection lost', { detail });").toMatch(LOGGED);
    expect("log.warn('facts of markets cannot be read again', { markets: 1, detail: text });").toMatch(LOGGED);
    expect("log.warn('diverged', { kind, ...detail });").not.toMatch(LOGGED);
  });
});

describe('on a terminal', () => {
  const at = '{"time":"2026-11-20T18:00:01.234Z","level":"warn","component":"feed","event":"venue stream stalled"';

  it('a line is text, and other text stays as it is', () => {
    expect(terminalText(`${at},"market":"KX-1","ageMs":12,"why":null}\ncrossbook: other {"time":1}\n`)).toBe(
      '18:00:01Z warn  feed: venue stream stalled market=KX-1 ageMs=12 why=null\ncrossbook: other {"time":1}\n',
    );
  });

  it('a fact with blanks is in quotes', () => {
    expect(terminalText(`${at},"why":"a \\"b\\""}`)).toMatch(/ why="a \\"b\\""$/);
  });

  it('no character of a fact steers the terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), why => {
        const line = terminalText(`${at},"why":${JSON.stringify(why)}}`);
        expect(line).not.toMatch(NOT_PLAIN);
        expect(line).toMatch(/^18:00:01Z warn {2}feed: venue stream stalled why=/);
      }),
    );
    expect(terminalText(`${at},"why":"\u009b2J \\u001b[2J"}`)).toMatch(/ why="\\u009b2J \\u001b\[2J"$/);
  });

  it.each(['\r', '\u2028', '\u2029'])('a line ends at its line break alone, not at %j', separator => {
    const line = terminalText(`${at},"why":${JSON.stringify(`x}${separator}y\u009b2J`)}}\nother\n`);
    expect(line).toMatch(/^18:00:01Z warn {2}feed: venue stream stalled why="x}\\[ru].*y\\u009b2J"\nother\n$/);
  });

  it('a line that only looks like ours stays, without what steers the terminal', () => {
    expect(terminalText('{"time":"now" \u009b2J}\n')).toBe('{"time":"now" ?2J}\n');
  });
});
