// Order calls that venue B removed in June 2026 (venue-b.md §5.8): they answer so, and cost tokens. Thread of the paper exchanges.

import { errorReply, type VenueBError } from './errors.ts';
import { type VenueBRoute, write } from './route.ts';
import { DEFAULT_COST } from './serving.ts';

const DEPRECATED: VenueBError = {
  status: 410,
  error: {
    code: 'deprecated_v1_order_endpoint',
    message: 'deprecated v1 order endpoint',
    details: 'use the V2 endpoints below /portfolio/events/orders',
  },
};
/** Removed routes, with the costs that the venue still lists. */
const REMOVED: readonly (readonly ['post' | 'delete', path: string, cost: number])[] = [
  ['post', '', 20],
  ['delete', '', DEFAULT_COST],
  ['delete', '/:order_id', 4],
  ['post', '/:order_id/amend', 20],
  ['post', '/:order_id/decrease', 20],
  ['post', '/batched', 20],
  ['delete', '/batched', 4],
];

export const removedRoutes: readonly VenueBRoute[] = REMOVED.map(([method, path, cost]) =>
  write(method, `/portfolio/orders${path}`, () => errorReply(DEPRECATED), { scope: 'write::trade', cost }),
);
