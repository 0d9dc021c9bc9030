// Found by reading a log beside the changelog, which says that lines have `message`. Three of them, a lost connection of the feeds among
// them, had `detail`. A search of the log needs one name of the field.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The name of a field of what is logged: `{ detail }`, `detail: …`, but neither `...detail` nor `error: detail`. */
const LOGGED = /\blog\.(?:debug|info|warn|error)\((?:[^;]*?[{,]\s*)?detail\s*[:,}]/;

it('no line is logged with a detail', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'));
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.filter(name => LOGGED.test(readFileSync(`src/${name}`, 'utf8')))).toEqual([]);
});

it('a line with a detail would be seen', () => {
  expect("log.warn('venue connection lost', { detail });").toMatch(LOGGED);
  expect("log.warn('facts not read again', { markets: 1, detail: text });").toMatch(LOGGED);
  expect("log.warn('diverged', { kind, ...detail });").not.toMatch(LOGGED);
});
