// The cost of the news that specs have changed, for the threads that send the news and that hear them.

import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { START_FLAGS } from '../support/child-process.ts';

const MODULE = new URL('../../src/venues/outdated-facts.ts', import.meta.url);
const CODE = `
const { onOutdatedFacts, tellOutdatedFacts } = await import(${JSON.stringify(MODULE)});
const isLoaded = () => process.moduleLoadList.some(name => name.includes('undici'));
const news = { venue: 'venue_a', address: '7' };
tellOutdatedFacts(news);
const afterTelling = isLoaded();
// Listening keeps no process alive.
const alive = setInterval(() => {}, 1_000);
const stop = onOutdatedFacts(heard => {
  stop();
  clearInterval(alive);
  console.log(JSON.stringify({ afterTelling, afterListening, heard }));
});
const afterListening = isLoaded();
tellOutdatedFacts(news);
`;

it('5303: a thread that tells news loads nothing for it, and a thread that hears has loaded all before the first news', () => {
  const flags = [...START_FLAGS, '--input-type=module', '--eval', CODE];
  const said = execFileSync(process.execPath, flags, { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual({
    afterTelling: false,
    afterListening: true,
    heard: { venue: 'venue_a', address: '7' },
  });
});
