// Order groups of venue B (venue-b.md §5.7): requests about groups, and what the refusal of an order says about its group. A group is on
// one shard, and every request names the shard: otherwise the venue looks for the group on the first shard (§3). Engine thread.

import { isObject, parseJson } from '../../../core/domain/json.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import type { VenueWindow } from '../../../core/domain/protection.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { HTTP_CREATED, HTTP_NOT_FOUND, HTTP_OK, HTTP_TOO_MANY } from '../../../core/net/http-status.ts';
import type { OutboundOutcome } from '../../../core/net/outbound.ts';
import { limits } from '../../../limits.ts';
import type { GroupEvent, GroupRefusal, SubmitOutcome, VenueGroups } from '../../venue.ts';
import { venueIdOf } from '../../wire-values.ts';
import type { VenueBBudget } from './budget.ts';
import type { VenueBFacts } from './facts.ts';
import { logText, unreadableAnswer, wordsIn } from './refusals.ts';
import type { VenueBRest } from './rest.ts';
import type { RestMethod } from './signatures.ts';

const GROUPS = '/portfolio/order_groups';

export class VenueBGroups implements VenueGroups {
  readonly window: VenueWindow = { windowMs: 15_000, sharesMax: 1_000_000 };
  readonly #rest: VenueBRest;
  readonly #budget: VenueBBudget;
  readonly #facts: Pick<VenueBFacts, 'shardOf'>;

  constructor(rest: VenueBRest, budget: VenueBBudget, facts: Pick<VenueBFacts, 'shardOf'>) {
    this.#rest = rest;
    this.#budget = budget;
    this.#facts = facts;
  }

  shardOf(address: string): number {
    return this.#facts.shardOf(address);
  }

  async make(shard: number, sharesMax: number): Promise<Result<string, GroupRefusal>> {
    const body = { contracts_limit_fp: `${sharesMax}.00`, exchange_index: shard };
    const outcome = await this.#send(shard, 'POST', '/create', body);
    const answer = bodyOrRefusal(outcome, HTTP_CREATED);
    if (!answer.ok) return answer;
    const groupId = isObject(answer.value) ? venueIdOf(answer.value.order_group_id) : '';
    return groupId === '' ? fail({ isGone: false, message: 'venue B does not name the group' }) : ok(groupId);
  }

  setLimit(shard: number, groupId: string, sharesMax: number): Promise<Result<null, GroupRefusal>> {
    return this.#change('PUT', shard, groupId, '/limit', { contracts_limit_fp: `${sharesMax}.00` });
  }

  reset(shard: number, groupId: string): Promise<Result<null, GroupRefusal>> {
    return this.#change('PUT', shard, groupId, '/reset', {});
  }

  remove(shard: number, groupId: string): Promise<Result<null, GroupRefusal>> {
    return this.#change('DELETE', shard, groupId, '', null);
  }

  async #change(
    method: RestMethod,
    shard: number,
    groupId: string,
    path: string,
    body: object | null,
  ): Promise<Result<null, GroupRefusal>> {
    const target = `/${encodeURIComponent(groupId)}${path}?exchange_index=${shard}`;
    const answer = bodyOrRefusal(await this.#send(shard, method, target, body), HTTP_OK);
    return answer.ok ? ok(null) : answer;
  }

  /** Sends a request, which takes the tokens of an order on the group's shard. */
  async #send(shard: number, method: RestMethod, path: string, body: object | null): Promise<OutboundOutcome> {
    if (this.#budget.takeOrder(shard) > 0)
      return { type: 'not-sent', message: 'the rate limit of the account is spent' };
    const text = body === null ? '' : JSON.stringify(body);
    const outcome = await this.#rest.request(method, GROUPS + path, text, limits.upstreamRestTimeoutMs);
    if (outcome.type === 'answer' && outcome.status === HTTP_TOO_MANY) this.#budget.emptyWrites(shard);
    return outcome;
  }
}

/** Returns the body of the answer, or the refusal. */
function bodyOrRefusal(outcome: OutboundOutcome, status: number): Result<unknown, GroupRefusal> {
  if (outcome.type !== 'answer') return fail({ isGone: false, message: logText(outcome.message) });
  const body = parseJson(outcome.body);
  const words = wordsIn(body);
  if (outcome.status === status && words === null) return ok(body);
  // An answer without the venue's words comes from a gateway in between.
  const isGone = outcome.status === HTTP_NOT_FOUND && words !== null;
  return fail({ isGone, message: words?.text ?? unreadableAnswer(outcome) });
}

const CHANGES: ReadonlyMap<string, 'triggered' | 'gone'> = new Map<string, 'triggered' | 'gone'>([
  ['exceeded_order_group_risk_limit', 'triggered'],
  ['order_group_not_found', 'gone'],
]);

/** Returns the group's change that the refusal of an order reveals, or null if it reveals none. */
export function groupRefusal(outcome: SubmitOutcome, payload: Uint8Array, sentAt: UnixMillis): GroupEvent | null {
  const code = outcome.type === 'not-sent' ? outcome.venueError?.code : undefined;
  const change = CHANGES.get(code?.toLowerCase() ?? '');
  if (change === undefined) return null;
  const order = parseJson(Buffer.from(payload).toString());
  const groupId = isObject(order) ? venueIdOf(order.order_group_id) : '';
  return groupId === '' ? null : { type: 'group', groupId, change, sentAt };
}
