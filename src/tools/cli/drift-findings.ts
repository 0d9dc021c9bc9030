// `crossbook doctor --venues`: fields and words of the venues that the gateway does not read or know, and those that it misses.

import type { RouteDrift, StreamDrift } from '../../venues/venue-drift.ts';
import type { Finding } from './finding.ts';

/** A word that no reader knows: venue, field, and the word itself. */
interface UnknownWord {
  readonly values: readonly string[];
  readonly value: number;
}

const UPGRADE = 'upgrade; until then the gateway passes over what it does not know';

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
    const faults = `${unreadable} messages cannot be read, ${unknownTypes} are of a type that nobody knows`;
    return { about, level: 'warn', says: `${says}; ${faults}`, advice: UPGRADE };
  }
  return { about, level: live > 0 && live === markets ? 'ok' : 'warn', says };
}

function wordFinding({ values: [venue, field, word], value }: UnknownWord): Finding {
  const says = `${venue} says ${field} ${word}, which nobody knows, ${value} times`;
  return { about: 'drift', level: 'warn', says, advice: UPGRADE };
}
