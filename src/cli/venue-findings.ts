// `crossbook doctor`: whether the venues can be reached, and how their clocks differ from ours. Sends one request without a key to each address.

import { wordsOf } from '../domain/error-words.ts';
import { type Finding, tenths } from './finding.ts';

const ANSWER_MS = 5_000;
/** A header `Date` has whole seconds, and is some time on its way. */
const CLOCK_ERROR_MS = 1_500;
const CLOCK_OFF_MS = 5_000;
const MS_PER_S = 1_000;

export function venueFindings(origins: readonly string[]): Promise<readonly Finding[]> {
  return Promise.all(origins.map(origin => venueFinding(origin)));
}

/** Any answer will do: without a key it is often 404. */
async function venueFinding(origin: string): Promise<Finding> {
  const startedAtMs = performance.now();
  try {
    const url = origin.replace(/^ws/, 'http');
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    const tookMs = performance.now() - startedAtMs;
    await answer.body?.cancel();
    return clocked(origin, Math.round(tookMs), answer.headers.get('date'));
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const advice = 'look at the address, DNS, the firewall, and whether the venue serves this country';
    return { about: 'venues', level: 'fail', says: `${origin}: ${wordsOf(cause)}`, advice };
  }
}

function clocked(origin: string, tookMs: number, date: string | null): Finding {
  const says = `${origin} answers after ${tookMs} ms`;
  // In the middle of its second.
  const offMs = date === null ? Number.NaN : Date.now() - (new Date(date).getTime() + MS_PER_S / 2);
  if (Number.isNaN(offMs) || Math.abs(offMs) < CLOCK_ERROR_MS + tookMs) return { about: 'venues', level: 'ok', says };
  const level = Math.abs(offMs) < CLOCK_OFF_MS ? 'warn' : 'fail';
  const direction = offMs > 0 ? 'behind' : 'ahead of';
  const off = `; its clock is ${tenths(Math.abs(offMs) / MS_PER_S)} s ${direction} ours`;
  return { about: 'venues', level, says: says + off, advice: 'set the clock of this machine: NTP' };
}
