// The Data API's answers about the chain: approvals of a wallet, and results of markets (venue-a.md §0.1). Thread of the paper exchanges.

import { jsonReply, type Reply } from '../../../core/net/listen.ts';
import { POLYGON } from '../../../venues/venue-a/exchanges.ts';
import { conditionKey } from '../../../venues/venue-a/position-ids.ts';
import { APPROVALS } from '../approvals.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { Query } from '../gamma/query.ts';
import type { VenueAMarket } from '../market.ts';
import { secondsOf } from '../rest/decimal-text.ts';
import { invalidRequest } from './v2-replies.ts';

export function approvalsReply(exchange: VenueAExchange, user: string): Reply {
  const revoked = exchange.revoked(user);
  const contracts = APPROVALS.map(it => ({ ...it, approved: !revoked.has(it.id) }));
  return jsonReply(200, {
    data: { address: user.toLowerCase(), chain_id: POLYGON, checked_at: secondsOf(exchange.now()), contracts },
  });
}

/** The query has exactly one of the ids; an unknown market has no row. */
export function resolutionsReply(exchange: VenueAExchange, query: Query): Reply {
  const asked = SUBJECTS.filter(name => query.text(name) !== '');
  const [subject] = asked;
  if (asked.length !== 1 || subject === undefined)
    return invalidRequest('condition', 'exactly one of condition, question_id, event_id');
  const markets = [...exchange.markets.values()].filter(market => isAbout(market, subject, query.text(subject)));
  return jsonReply(200, { data: markets.map(resolutionRow), pagination: NO_MORE });
}

const SUBJECTS = ['condition', 'question_id', 'event_id'] as const;
const NO_MORE = { limit: 1_000, offset: 0, has_more: false, next_cursor: null };
function isAbout({ listing, event }: VenueAMarket, subject: (typeof SUBJECTS)[number], id: string): boolean {
  if (subject === 'event_id') return event.id === id;
  if (subject === 'question_id') return listing.questionId === id.toLowerCase();
  return conditionKey(id) === listing.conditionId;
}

const MICROS = { won: 1_000_000, half: 500_000, lost: 0 };

function resolutionRow({ listing, resolution }: VenueAMarket): object {
  const common = {
    condition_id: listing.conditionId,
    question_id: listing.questionId,
    market_type: 'BINARY',
    reporter: 'UMA_OO',
    was_disputed: false,
    extended_review: false,
    new_version_q: false,
    transaction_hash: '',
    log_index: '',
  };
  if (resolution === null) return { ...common, status: 'posed', price: UNSET, proposed_price: UNSET };
  const { winner, at } = resolution;
  const first = winner === null ? MICROS.half : winner === 0 ? MICROS.won : MICROS.lost;
  return {
    ...common,
    status: 'resolved',
    payouts: [first, MICROS.won - first],
    resolution_source: 'reported',
    price: PRICES.get(first),
    proposed_price: PRICES.get(first),
    resolved_at: secondsOf(at),
    last_update_timestamp: String(secondsOf(at)),
  };
}

/** The number in units of 1e18; the venue's word for an unset price. */
const UNSET = '69';
const PRICES = new Map([
  [MICROS.won, '1000000000000000000'],
  [MICROS.half, '500000000000000000'],
  [MICROS.lost, '0'],
]);
