// The methods of each path, for the `Allow` header of a 405 (RFC 9110 §15.5.6). A path may match several patterns. The methods are computed
// once, when routes are registered.

interface MethodPattern {
  /** The method in upper case. */
  readonly method: string;
  /** A pattern of uWebSockets.js. */
  readonly pattern: string;
}

/** Returns the first pattern of each shape, with the `Allow` value of the paths that this pattern matches best. */
export function allowedMethods(routes: readonly MethodPattern[]): Map<string, string> {
  const parsed = routes.map(({ method, pattern }) => ({ method, pattern, segments: segmentsOf(pattern) }));
  const patterns = new Map<string, (typeof parsed)[number]>();
  for (const route of parsed) {
    const shape = route.segments.join('/');
    if (!patterns.has(shape)) patterns.set(shape, route);
  }
  return new Map(
    [...patterns.values()].map(({ pattern, segments }) => {
      const methods = parsed.filter(route => isCovering(route.segments, segments)).map(({ method }) => method);
      return [pattern, [...new Set(methods)].sort().join(', ')];
    }),
  );
}

/** Whether every path that matches `narrow` matches `wide`, too. */
function isCovering(wide: readonly string[], narrow: readonly string[]): boolean {
  const rest = wide.indexOf('*');
  if (rest < 0 ? wide.length !== narrow.length : narrow.length <= rest) return false;
  return wide.every((segment, index) => segment === '*' || isWithin(narrow[index], segment));
}

function isWithin(segment: string | undefined, wider: string): boolean {
  return segment === wider || (wider === ':' && segment !== '*' && segment !== '');
}

/** Returns the segments of the pattern, without the names of its parameters. */
function segmentsOf(pattern: string): string[] {
  return pattern.split('/').map(segment => (segment.startsWith(':') ? ':' : segment));
}
