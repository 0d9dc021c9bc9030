// Words that no reader knows: counted by name, in bounded memory, on any thread.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { countUnknown, UnknownWords, unknownWords } from '../../../src/core/metrics/unknown-words.ts';
import { limits } from '../../../src/limits.ts';
import type { SpeakerData } from './unknown-words-worker.ts';

const named = (words: UnknownWords) => words.rows().map(({ values, value }) => [...values, value]);

describe('unknown words', () => {
  it('are counted by venue, field and word', () => {
    const words = new UnknownWords();
    for (const word of ['HELD', 'LOST', 'HELD']) words.count('venue_a', 'order_status', word);
    words.count('venue_b', 'order_status', 'HELD');
    expect(named(words)).toEqual([
      ['venue_a', 'order_status', 'HELD', 2],
      ['venue_a', 'order_status', 'LOST', 1],
      ['venue_b', 'order_status', 'HELD', 1],
    ]);
    expect(words.totals()).toEqual([
      { values: ['venue_a'], value: 3 },
      { values: ['venue_b'], value: 1 },
    ]);
  });

  it('are none where a value is missing, and have a total of 0 before the first', () => {
    const words = new UnknownWords();
    for (const word of [undefined, null, '']) words.count('venue_a', 'order_status', word);
    expect([named(words), words.totals().map(({ value }) => value)]).toEqual([[], [0, 0]]);
  });

  it('are cut to what a label may show', () => {
    const words = new UnknownWords();
    words.count('venue_a', 'a', `LATE_${'x'.repeat(10_000)}`);
    words.count('venue_a', 'b', 'HALTED: order 0x12 of "someone"\n');
    words.count('venue_a', 'c', '"} 1\nup 0');
    words.count('venue_a', 'd', { status: 'live' });
    expect(named(words)).toEqual([
      ['venue_a', 'a', `LATE_${'x'.repeat(35)}`, 1],
      ['venue_a', 'b', 'HALTED', 1],
      ['venue_a', 'c', '?', 1],
      ['venue_a', 'd', 'object', 1],
    ]);
  });

  it('beyond a bounded number are counted together for each venue', () => {
    const words = new UnknownWords();
    for (let index = 0; index < limits.unknownWordsMax + 3; index++) words.count('venue_a', 'status', `W${index}`);
    words.count('venue_b', 'status', 'HELD');
    words.count('venue_a', 'status', 'W0');
    const rows = named(words);
    expect(rows).toHaveLength(limits.unknownWordsMax + 2);
    expect(rows[0]).toEqual(['venue_a', 'status', 'W0', 2]);
    expect(rows.slice(-2)).toEqual([
      ['venue_a', 'others', 'others', 3],
      ['venue_b', 'others', 'others', 1],
    ]);
    expect(words.totals().map(({ value }) => value)).toEqual([limits.unknownWordsMax + 4, 1]);
  });

  it('of several threads lose no count, and each word has one row', async () => {
    const words = new UnknownWords();
    const rounds = 20_000;
    const perThread = [
      ['A', 'B', 'C'],
      ['C', 'B', 'A'],
      ['B', 'A', 'D'],
    ];
    const missing = new Int32Array(new SharedArrayBuffer(4)).fill(perThread.length);
    const threads = perThread.map(said => {
      const data: SpeakerData = { memory: words.memory, words: said, rounds, missing };
      return new Worker(new URL('./unknown-words-worker.ts', import.meta.url), { workerData: data });
    });
    await Promise.all(threads.map(thread => once(thread, 'exit')));
    const counts = new Map(words.rows().map(({ values, value }) => [values[2], value]));
    expect(new Map([...counts].sort())).toEqual(
      new Map([
        ['A', 3 * rounds],
        ['B', 3 * rounds],
        ['C', 2 * rounds],
        ['D', rounds],
      ]),
    );
    expect(words.rows()).toHaveLength(4);
  });

  it('of a new thread are counted with those of the process', async () => {
    countUnknown('venue_a', 'thread_test', 'HELD');
    const counting = `import { countUnknown } from ${JSON.stringify(new URL('../../../src/core/metrics/unknown-words.ts', import.meta.url))};
      countUnknown('venue_a', 'thread_test', 'HELD');`;
    const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(counting)}`));
    await once(thread, 'exit');
    const row = unknownWords.rows().find(({ values }) => values[1] === 'thread_test');
    expect(row).toEqual({ values: ['venue_a', 'thread_test', 'HELD'], value: 2 });
  });
});
