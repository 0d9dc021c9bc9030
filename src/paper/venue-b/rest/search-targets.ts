// Structured targets: the teams that custom strikes name by UUID. Shapes of the official client 3.30.0.
// Thread of the paper exchanges.

import type { JsonObject } from '../../../domain/json.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueBExchange } from '../exchange.ts';
import { timeText } from '../wire-text.ts';
import { errorReply, NOT_FOUND } from './errors.ts';
import { QueryReader } from './market-query.ts';
import { pageOf } from './parameters.ts';
import type { VenueBRoute } from './route.ts';

const TARGETS_PER_PAGE = 100;
const TARGETS_PER_PAGE_MAX = 2_000;

interface Target {
  readonly id: string;
  readonly type: string;
  readonly competition: string;
  readonly shown: JsonObject;
}

export function targetRoutes(exchange: VenueBExchange): VenueBRoute[] {
  return [
    {
      method: 'get',
      path: '/structured_targets',
      access: 'public',
      handle: ({ query }) => targetPage([...targetsOf(exchange).values()], query),
    },
    {
      method: 'get',
      path: '/structured_targets/:target',
      access: 'public',
      handle: ({ parameters: [id = ''] }) => {
        const target = targetsOf(exchange).get(id);
        return target === undefined ? errorReply(NOT_FOUND) : jsonReply(200, { structured_target: target.shown });
      },
    },
  ];
}

function targetPage(targets: readonly Target[], parameters: URLSearchParams): Reply {
  const query = new QueryReader('GetStructuredTargets', parameters);
  const limit = query.limit(TARGETS_PER_PAGE, TARGETS_PER_PAGE_MAX, 'page_size');
  const [type, competition, ids] = [query.text('type'), query.text('competition'), parameters.getAll('ids')];
  if (query.refusal !== null) return query.refusal;
  const { items, cursor } = pageOf(targets, {
    limit,
    cursor: query.text('cursor'),
    idOf: target => target.id,
    admits: target =>
      (ids.length === 0 || ids.includes(target.id)) &&
      (type === null || target.type === type) &&
      (competition === null || target.competition === competition),
  });
  return jsonReply(200, { cursor, structured_targets: items.map(({ shown }) => shown) });
}

function targetsOf({ markets }: VenueBExchange): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  for (const { listing, event } of markets.values()) {
    for (const [type, id] of Object.entries(listing.strike.custom ?? {})) {
      const shown = {
        details: { league: event.competition },
        id,
        last_updated_ts: timeText(listing.createdAt),
        name: listing.yesSubTitle,
        source_ids: {},
        type,
      };
      if (!targets.has(id)) targets.set(id, { id, type, competition: event.competition, shown });
    }
  }
  return targets;
}
