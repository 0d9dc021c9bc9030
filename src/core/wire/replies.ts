// The replies to operations, as HTTP sends them (interface §7, contract §3). Runs on the threads that perform operations.

import { type Answer, API_ERRORS, type ApiErrorKind, type Refused, refused, unavailable } from '../domain/answer.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { OperationReply } from '../domain/operation.ts';
import type { Order, OrderId } from '../domain/order.ts';
import { budgetText, type VenueBudget } from '../domain/venue-budget.ts';
import { formatTime } from './time-text.ts';

export function replyOf(status: number, value: object): OperationReply {
  return textReply(status, JSON.stringify(value));
}

/** Returns a reply with the body `body`, which is JSON text already. */
export function textReply(status: number, body: string): OperationReply {
  return { status, body, headers: [] };
}

/** Returns the reply to a dead man's switch. `deadline` null means that the switch is disarmed. */
export function switchReply(deadline: UnixMillis | null): OperationReply {
  return replyOf(200, { deadline: deadline === null ? null : formatTime(deadline) });
}

/** Adds the time that each stage has taken, as the stopwatch writes it in `serverTiming`. Null means that the caller did not ask for it. */
export function timed(reply: OperationReply, serverTiming: string | null): OperationReply {
  if (serverTiming === null) return reply;
  return { ...reply, headers: [...reply.headers, ['Server-Timing', serverTiming]] };
}

/** Adds what the venue's rate limits leave after the request. */
export function budgetReply({ status, body, headers }: OperationReply, budget: VenueBudget): OperationReply {
  if (latest.budget !== budget) latest = { budget, headers: [[VENUE_BUDGET, budgetText(budget)]] };
  return { status, body, headers: headers.length === 0 ? latest.headers : [...headers, ...latest.headers] };
}

/** The latest budget, and its header: a venue gives the same object while no number in it changes. */
let latest: { readonly budget: VenueBudget | null; readonly headers: OperationReply['headers'] } = {
  budget: null,
  headers: [],
};

/** Marks the reply as that of a request that was performed before. */
export function replayedReply(reply: OperationReply): OperationReply {
  return { ...reply, headers: [...reply.headers, ...replayed(true)] };
}

/** Says that the change could not be recorded, unless `isRecorded`. */
export function recordedReply(reply: OperationReply, isRecorded: boolean): OperationReply {
  return isRecorded ? reply : { ...reply, headers: [...reply.headers, NOT_RECORDED] };
}

interface Answered {
  readonly status: number;
  readonly headers?: OperationReply['headers'];
}

/**
 * Returns the answer of `read`, marked if it may lack news of the venue. `mayLack` is asked twice, because the missing news may be read
 * before the answer comes, or may be missed only then.
 */
export async function markedIfBehind<Reply extends Answered>(
  mayLack: () => boolean,
  read: () => Promise<Reply>,
): Promise<Reply> {
  const mightLack = mayLack();
  const reply = await read();
  return mightLack || mayLack() ? withNotCurrent(reply) : reply;
}

/** Marks the reply to a read that may lack news of the venue. A refusal shows no data, and gets no mark. */
export function withNotCurrent<Reply extends Answered>(reply: Reply): Reply {
  return reply.status < 400 ? { ...reply, headers: [...(reply.headers ?? []), NOT_CURRENT] } : reply;
}

export function isRecorded({ headers }: Pick<OperationReply, 'headers'>): boolean {
  return !headers.some(([name]) => name === NOT_RECORDED[0]);
}

/** Returns the reply to a request of which nothing was done. The caller may repeat the request. */
export function unavailableReply(message: string): OperationReply {
  return refusedReply(unavailable(message));
}

/** Returns the reply for an error without an order. */
export function errorReply(kind: ApiErrorKind, message: string): OperationReply {
  return refusedReply(refused(kind, message));
}

export function notFound(): OperationReply {
  return errorReply('notFound', 'orderId: no such order');
}

export function answerReply(answer: Answer): OperationReply {
  if (answer.type === 'refused') return refusedReply(answer);
  const { orderId, status, expiresAt, isReplayed } = answer;
  const until = expiresAt === null ? '' : `,"expiresAt":"${formatTime(expiresAt)}"`;
  return { status: 201, body: `{"orderId":"${orderId}","status":"${status}"${until}}`, headers: replayed(isReplayed) };
}

/** Returns the reply as `answerReply` does, with the present state of the order that was to be replaced. */
export function replacedReply(answer: Answer, { orderId, status }: Pick<Order, 'orderId' | 'status'>): OperationReply {
  const reply = answerReply(answer);
  return { ...reply, body: `${reply.body.slice(0, -1)},"replaces":${JSON.stringify({ orderId, status })}}` };
}

export function refusedReply({ kind, message, reason, orderId, retryAfterS, isReplayed }: Refused): OperationReply {
  const { status, code, retry } = API_ERRORS[kind];
  const error = { code, ...(reason === null ? {} : { reason }), message, ...orderPart(orderId) };
  const later: readonly (readonly [string, string])[] =
    retry === 'later' ? [['Retry-After', String(Math.max(1, Math.ceil(retryAfterS ?? 1)))]] : [];
  return { ...replyOf(status, { error }), headers: [...replayed(isReplayed), ...later] };
}

const VENUE_BUDGET = 'SVC-Venue-Budget';
const NOT_RECORDED = ['SVC-Recorded', 'false'] as const;
const NOT_CURRENT = ['SVC-Current', 'false'] as const;

function orderPart(orderId: OrderId | null): object {
  return orderId === null ? {} : { orderId };
}

function replayed(isReplayed: boolean): OperationReply['headers'] {
  return isReplayed ? [['Idempotency-Replayed', 'true']] : [];
}

// A reply as members of a JSON object: a result on /v1/trade, or the reply to one order of a batch. Headers of REST become members, too.

const BUDGET_PART = /;(\w+)=(\d+);\1-ps=([\d.]+)/g;

/** Returns the answer to a batch: the replies to its items, in the sequence of the items. */
export function batchReply(replies: readonly OperationReply[]): OperationReply {
  return textReply(200, `{"results":[${replies.map(reply => `{${replyMembers(reply, isOk(reply))}}`).join(',')}]}`);
}

/**
 * Returns the members. `isOrder` means that the body is an order, which stands under `order`. Otherwise the body's members stand beside the
 * status.
 */
export function replyMembers({ status, body, headers }: OperationReply, isOrder: boolean): string {
  const members = isOrder ? `"order":${body}` : body.slice(1, -1);
  return `"status":${status},${members}${headers.map(memberOf).join('')}`;
}

function isOk({ status }: OperationReply): boolean {
  return status < 400;
}

/** Returns the member for a header of the REST answer. Empty if the header says nothing about this order. */
function memberOf([name, value]: readonly [string, string]): string {
  switch (name) {
    case 'Idempotency-Replayed':
      return ',"replayed":true';
    case 'SVC-Recorded':
      return ',"recorded":false';
    case 'Retry-After':
      return `,"retryAfterS":${value}`;
    case VENUE_BUDGET:
      // The value has the form `venue_b;orders=7;orders-ps=10;…`.
      return `,"venueBudget":{"venue":"${value.replace(BUDGET_PART, ',"$1":{"left":$2,"perSecond":$3}').replace(',', '",')}}`;
    case 'Server-Timing':
      // The value has the form `admit;dur=0.1, store;dur=0.2`: the milliseconds of each stage.
      return `,"timing":{"${value.replaceAll(';dur=', '":').replaceAll(', ', ',"')}}`;
    default:
      return '';
  }
}

// The answer of a gateway that does not own the caller's pod (beyond §7): it says that nothing was done, and who owns the pod.

const POD_OWNER = 'SVC-Pod-Owner';

/**
 * `owner` is the owner's base URL. A submission gets 503, as a 4xx would mean that the submission must change (interface §7). All other
 * requests get 421.
 */
export function otherOwnerReply(owner: string, { isSubmission = false } = {}): OperationReply {
  const words = `the gateway at ${owner} owns the pod: nothing was done`;
  const reply = isSubmission ? unavailableReply(words) : errorReply('elsewhere', words);
  return { ...reply, headers: [...reply.headers, [POD_OWNER, owner]] };
}
