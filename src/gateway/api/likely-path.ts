// Guesses the path that a caller meant when it asked for a path that does not exist: `/v1/venue-b/orders` for `/v1/venue_b/orders`. Main
// thread.

import { OPERATIONS } from './operations.ts';

const STREAMS = ['/v1/orderbook', '/v1/trade'];
const PATTERNS = [...new Set([...OPERATIONS.map(({ path }) => path), ...STREAMS])].map(segmentsOf);

/**
 * The path that a caller probably meant, with the parameters as the caller gave them. Returns null if no path is similar, or if the asked
 * path is right but not served at this door.
 */
export function likelyPath(wanted: string): string | null {
  const given = segmentsOf(wanted);
  const segments = given[0]?.toLowerCase() === 'v1' ? given : ['v1', ...given];
  const pattern = PATTERNS.find(
    it => it.length === segments.length && it.every((part, at) => isLike(part, segments[at]!)),
  );
  if (pattern === undefined) return null;
  const path = `/${pattern.map((part, at) => (part.startsWith(':') ? segments[at] : part)).join('/')}`;
  return path === wanted ? null : path;
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter(segment => segment !== '');
}

function isLike(part: string, segment: string): boolean {
  return part.startsWith(':') || lettersOf(part) === lettersOf(segment);
}

/** The text without the signs between its words. */
function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[-_. ]|%20/g, '');
}
