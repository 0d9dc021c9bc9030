// The checks of `crossbook doctor` for the venues: whether they can be reached, and how their clocks differ from ours. Sends one request
// without a key to each address. With --venues: fields and words of the venues that the gateway does not read or know, and expected ones
// that are missing.

import { wordsOf } from '../../core/domain/error-words.ts';
import type { PodVenues, VenueAAccount } from '../../core/domain/pod-accounts.ts';
import { approvalsTarget, missingApprovals } from '../../venues/venue-a/approvals.ts';
import type { RouteDrift, StreamDrift } from '../../venues/venue-drift.ts';
import { type Finding, tenths } from './finding.ts';

const ANSWER_MS = 5_000;
/** The error of a clock that is read from a `Date` header, which has whole seconds and takes some time to arrive. */
const CLOCK_ERROR_MS = 1_500;
const CLOCK_OFF_MS = 5_000;
const MS_PER_S = 1_000;

export function venueFindings(origins: readonly string[]): Promise<readonly Finding[]> {
  return Promise.all(origins.map(origin => venueFinding(origin)));
}

/** Finds out whether each wallet of venue A has given the approvals of Protocol V2. */
export async function approvalFindings(pods: readonly PodVenues[]): Promise<readonly Finding[]> {
  const wallets = pods.flatMap(({ podId, venueA }) => (venueA === null ? [] : [{ podId, venueA }]));
  return Promise.all(wallets.map(({ podId, venueA }) => approvalFinding(podId, venueA)));
}

async function approvalFinding(podId: string, { dataUrl, funder }: VenueAAccount): Promise<Finding> {
  const about = 'venues';
  try {
    const url = `${new URL(dataUrl).origin}${approvalsTarget(funder)}`;
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    const missing = missingApprovals(await answer.json());
    if (missing === null) return { about, level: 'warn', says: `${podId}: the answer to ${url} lists no approvals` };
    if (missing.length === 0) return { about, level: 'ok', says: `${podId}: has given all approvals of Protocol V2` };
    const says = `${podId}: the wallet ${funder} lacks approvals of Protocol V2: ${missing.join(', ')}`;
    const advice = 'give them on the venue’s site; until then the venue refuses orders for markets of Protocol V2';
    return { about, level: 'warn', says, advice };
  } catch (error) {
    const says = `${podId}: approvals of Protocol V2 cannot be read: ${wordsOf(error)}`;
    return { about, level: 'warn', says };
  }
}

/** Checks one origin. Any answer is good: without a key the answer is often 404. */
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
  // The venue's time is taken as the middle of the stated second.
  const offMs = date === null ? Number.NaN : Date.now() - (new Date(date).getTime() + MS_PER_S / 2);
  if (Number.isNaN(offMs) || Math.abs(offMs) < CLOCK_ERROR_MS + tookMs) return { about: 'venues', level: 'ok', says };
  const level = Math.abs(offMs) < CLOCK_OFF_MS ? 'warn' : 'fail';
  const direction = offMs > 0 ? 'behind' : 'ahead of';
  const off = `; its clock is ${tenths(Math.abs(offMs) / MS_PER_S)} s ${direction} ours`;
  return { about: 'venues', level, says: says + off, advice: 'set the clock of this machine: NTP' };
}

/** A word that no reader knows, with its venue and field. */
interface UnknownWord {
  readonly values: readonly string[];
  readonly value: number;
}

const UPGRADE = 'upgrade; until then the gateway ignores what it does not know';

interface Drift {
  readonly routes: readonly RouteDrift[];
  readonly streams: readonly StreamDrift[];
  readonly words: readonly UnknownWord[];
}

export function driftFindings({ routes, streams, words }: Drift): readonly Finding[] {
  return [...routes.flatMap(routeFindings), ...streams.map(streamFinding), ...words.map(wordFinding)];
}

function routeFindings({ venue, route, rows, refused, unread, lacking, failure }: RouteDrift): readonly Finding[] {
  const at = `${venue} ${route}`;
  const found: Finding[] = [];
  if (failure !== '') found.push({ about: 'drift', level: 'warn', says: `${at}: not read: ${failure}` });
  if (rows === 0) return found;
  const says = `${at}: ${rows - refused} of ${rows} objects are read`;
  if (refused > 0) {
    const without = lacking.length === 0 ? '' : `; those that are not lack ${lacking.join(', ')}`;
    found.push({ about: 'drift', level: 'warn', says: says + without, advice: UPGRADE });
  } else found.push({ about: 'drift', level: 'ok', says });
  if (unread.length > 0) found.push({ about: 'drift', level: 'ok', says: `${at}: not used: ${unread.join(', ')}` });
  return found;
}

function streamFinding({ venue, markets, live, unreadable, unknownTypes }: StreamDrift): Finding {
  const about = 'drift';
  const says = `${venue} stream: ${live} of ${markets} books are live`;
  if (unreadable + unknownTypes > 0) {
    const faults = `${unreadable} messages cannot be read, ${unknownTypes} are of an unknown type`;
    return { about, level: 'warn', says: `${says}; ${faults}`, advice: UPGRADE };
  }
  return { about, level: live > 0 && live === markets ? 'ok' : 'warn', says };
}

function wordFinding({ values: [venue, field, word], value }: UnknownWord): Finding {
  const says = `${venue} says ${field} ${word} that crossbook does not know, ${value} times`;
  return { about: 'drift', level: 'warn', says, advice: UPGRADE };
}
