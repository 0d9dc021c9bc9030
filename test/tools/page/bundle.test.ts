// The page as it is served is small and complete.

import { readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PAGE_FILES } from '../../support/make-generated.ts';

const SIZE_MAX = 150_000;

it('all files together have at most 150 kB', () => {
  const files = [...PAGE_FILES, 'src/tools/page/index.html', 'src/tools/page/icon.svg'];
  expect(files.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThanOrEqual(SIZE_MAX);
});

it('the page loads nothing from elsewhere', () => {
  const text = PAGE_FILES.map(path => readFileSync(path, 'utf8')).join('');
  const urls = new Set([...text.matchAll(/\b(?:https?|wss?):\/\/[\w.-]+/g)].map(([url]) => url));
  // These URLs are names of namespaces, the origin that only parses paths, and the advice on a page that is not secure.
  const known = ['http://www.w3.org', 'http://gateway', 'http://127.0.0.1', 'http://localhost'];
  expect([...urls].filter(url => !known.includes(url))).toEqual([]);
});
