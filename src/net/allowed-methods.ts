// The methods of each path, for the `Allow` header of a 405 (RFC 9110 §15.5.6). A path may match several patterns.
// Computed once, when routes are registered.

export interface MethodPattern {
  /** Upper case. */
  readonly method: string;
  /** uWebSockets.js pattern. */
  readonly pattern: string;
}

/** The first pattern of each shape, with the `Allow` value of the paths that match it best. */
export function allowedMethods(routes: readonly MethodPattern[]): Map<string, string> {
  const patterns = new Map<string, string>();
  for (const { pattern } of routes) {
    const shape = segmentsOf(pattern).join('/');
    if (!patterns.has(shape)) patterns.set(shape, pattern);
  }
  return new Map(
    [...patterns.values()].map(pattern => {
      const methods = routes.filter(route => covers(route.pattern, pattern)).map(route => route.method);
      return [pattern, [...new Set(methods)].sort().join(', ')];
    }),
  );
}

/** Whether every path that matches `inner` matches `outer` too. */
function covers(outer: string, inner: string): boolean {
  const [wide, narrow] = [segmentsOf(outer), segmentsOf(inner)];
  const rest = wide.indexOf('*');
  if (rest < 0 ? wide.length !== narrow.length : narrow.length <= rest) return false;
  return wide.every((segment, index) => segment === '*' || isWithin(narrow[index], segment));
}

function isWithin(segment: string | undefined, wider: string): boolean {
  return segment === wider || (wider === ':' && segment !== '*' && segment !== '');
}

/** The pattern without the names of its parameters. */
function segmentsOf(pattern: string): string[] {
  return pattern.split('/').map(segment => (segment.startsWith(':') ? ':' : segment));
}
