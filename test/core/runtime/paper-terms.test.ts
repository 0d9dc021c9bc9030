// How the paper exchanges fill orders, as settings say it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readPaperTerms, USUAL_TERMS } from '../../../src/core/runtime/paper-terms.ts';
import { ConfigError } from '../../../src/core/runtime/setting-values.ts';

const folder = mkdtempSync(join(tmpdir(), 'crossbook-paper-terms-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const read = (latency: string) => readPaperTerms({ CROSSBOOK_PAPER_LATENCY: latency });

it('are the usual ones without settings', () => {
  expect(readPaperTerms({})).toEqual(USUAL_TERMS);
  expect(readPaperTerms({ CROSSBOOK_PAPER_QUEUE: 'pessimistic' }).queue).toBe('pessimistic');
});

it('has latencies as numbers, or as a file of measured ones', () => {
  const measured = file('measured.json', '{"order": [3, 4.5, 12], "cancel": 2}');
  expect(read('order=20, feed=5.1').latency).toEqual({ feed: [6], order: [20], cancel: [0] });
  expect(read(measured).latency).toEqual({ feed: [0], order: [3, 5, 12], cancel: [2] });
});

it.each([
  ['order=fast', 'order must be milliseconds from 0 to'],
  ['order=10001', 'order must be milliseconds from 0 to'],
  ['orders=1', 'orders must be one of feed, order, cancel'],
  ['/nowhere', '/nowhere cannot be read'],
  [file('list.json', '[1, 2]'), 'must hold {"feed": [milliseconds], "order": […], "cancel": […]}'],
  [file('none.json', '{"order": []}'), 'order must be milliseconds from 0 to'],
])('refuses latencies as %s', (latency, words) => {
  expect(() => read(latency)).toThrow(ConfigError);
  expect(() => read(latency)).toThrow(words);
});

it('refuses another model of queues', () => {
  expect(() => readPaperTerms({ CROSSBOOK_PAPER_QUEUE: 'lucky' })).toThrow('must be one of proportional');
});
