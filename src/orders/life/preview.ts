// Previews a submission: the answer that admission would give now, the fill by the displayed book, and the cost of the fill. Nothing is
// recorded or sent, and no rate counts the preview. Engine thread.

import { API_ERRORS, type Refused, refused } from '../../core/domain/answer.ts';
import type { Grid } from '../../core/domain/grid.ts';
import type { Venue } from '../../core/domain/market.ts';
import {
  COST_PER_MICRO_DOLLAR,
  formatMicroDollars,
  formatMicroShares,
  formatTicks,
  type MicroDollars,
  type MicroShares,
} from '../../core/domain/numbers.ts';
import type { OperationReply, PreviewOperation } from '../../core/domain/operation.ts';
import type { OrderId } from '../../core/domain/order.ts';
import { addressOf, directionOf } from '../../core/domain/order-frame.ts';
import type { OrderRequest } from '../../core/domain/order-request.ts';
import { readVenueAOrder, readVenueBOrder } from '../../core/wire/order-requests.ts';
import { averageText } from '../../core/wire/order-views.ts';
import { errorReply, replyOf } from '../../core/wire/replies.ts';
import { type LimitUse, limitUses } from './actor-limits.ts';
import { admit } from './admission.ts';
import { type BookSides, displayedAt, type Walk, walk } from './book-walk.ts';
import { haltRefusal } from './halts.ts';
import { haltNow, refusalOf } from './intents.ts';
import type { Submission, SubmitParts } from './submission.ts';

export interface PreviewParts extends SubmitParts {
  /** Returns the whole LIVE book of a market. Null means that the market has none. */
  readonly sidesOf: (venue: Venue, address: string) => BookSides | null;
}

interface AdmissionView {
  readonly status: number;
  readonly code: string | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly retryAfterS: number | null;
}

interface FillView {
  readonly size: string;
  readonly averagePrice: string | null;
  readonly worstPrice: string | null;
  readonly costUsd: string;
  readonly feesUsd: string | null;
  readonly isWhole: boolean;
}

interface PreviewView {
  readonly admission: AdmissionView;
  readonly fill: FillView | null;
  readonly queueAhead: { readonly min: string; readonly max: string } | null;
  readonly position: { readonly size: string; readonly afterFill: string };
  readonly limits: readonly LimitUse[];
}

/** Replies with a preview. `orderId` is an id that no order has. */
export async function preview(
  parts: PreviewParts,
  operation: PreviewOperation,
  orderId: OrderId,
): Promise<OperationReply> {
  const { venue, body, fees } = operation;
  const request = body.ok ? (venue === 'venue_a' ? readVenueAOrder : readVenueBOrder)(body.value) : body;
  if (!request.ok) return errorReply('invalid', request.error);
  const submission = previewOf(operation, request.value, orderId);
  const admission = await admit(parts, submission);
  // Everything from here on is read at the same moment.
  const [at, grid] = [parts.timers.now(), admission.type === 'refused' ? null : admission.grid];
  const refusal = admission.type === 'refused' ? admission.answer : refusalNow(parts, submission, admission);
  const sides = parts.sidesOf(venue, submission.address);
  const taken = sides === null ? null : walk(submission.request, sides, fees, at);
  const displayed = sides === null ? null : displayedAt(submission.request, sides);
  const view: PreviewView = {
    admission: admissionView(refusal),
    fill: taken === null ? null : fillView(taken),
    queueAhead: displayed === null ? null : queueAheadView(displayed, operation.undisplayed),
    position: positionView(parts, submission, taken),
    limits: grid === null ? [] : limitUsesOf(parts, submission, grid),
  };
  return replyOf(200, view);
}

function previewOf(
  { caller, body, isTradable, limits }: PreviewOperation,
  request: OrderRequest,
  orderId: OrderId,
): Submission {
  return {
    ...caller,
    orderId,
    request,
    address: addressOf(request),
    direction: directionOf(request),
    isTradable,
    limits,
    hasExactPrice: body.ok && body.value.price !== undefined,
    idempotencyKey: '',
    bodySha256Hex: '',
    notAfter: null,
    names: { idempotencyKey: '', notAfter: '' },
    isAckWanted: false,
    hooks: { claim: () => false, begun: () => {}, recorded: () => {} },
    asker: { answered: () => {}, failed: () => {} },
    stopwatch: null,
  };
}

/** Returns the refusal that the submission would get when it is to be recorded. Null means that it would be recorded. */
function refusalNow(
  parts: SubmitParts,
  submission: Submission,
  admitted: Parameters<typeof refusalOf>[2],
): Refused | null {
  const { store } = parts.ledger;
  const measured = parts.exposure.measure(submission, store);
  const halt = haltNow(parts, store, store, submission, measured) ?? parts.rates.checkOrder(submission);
  if (halt !== null) return haltRefusal(halt);
  const refusal = refusalOf(parts, submission, admitted, { reads: store, measured, at: parts.timers.now() });
  return refusal === null ? null : refused(refusal.kind, refusal.error.message ?? '', refusal.error.code);
}

function admissionView(refusal: Refused | null): AdmissionView {
  if (refusal === null) return { status: 201, code: null, reason: null, message: null, retryAfterS: null };
  const { kind, reason, message, retryAfterS } = refusal;
  const { status, code } = API_ERRORS[kind];
  return { status, code, reason, message, retryAfterS };
}

function fillView({ size, cost, worst, fees, isWhole }: Walk): FillView {
  return {
    size: formatMicroShares(size),
    averagePrice: size === 0 ? null : averageText(cost, size),
    worstPrice: worst === null ? null : formatTicks(worst),
    costUsd: formatMicroDollars(Number((cost + COST_PER_MICRO_DOLLAR / 2n) / COST_PER_MICRO_DOLLAR) as MicroDollars),
    feesUsd: fees === null ? null : formatMicroDollars(fees),
    isWhole,
  };
}

function queueAheadView(displayed: MicroShares, undisplayed: MicroShares): PreviewView['queueAhead'] {
  return { min: formatMicroShares(displayed), max: formatMicroShares((displayed + undisplayed) as MicroShares) };
}

function limitUsesOf(parts: SubmitParts, submission: Submission, grid: Grid): readonly LimitUse[] {
  const { store } = parts.ledger;
  const { holdings, exposures } = parts.exposure.measure(submission, store);
  const uses = (exposures ?? []).map(({ name, max, after }) => ({
    name,
    max: formatMicroDollars(max),
    after: formatMicroDollars(after),
  }));
  return [...limitUses(submission, store, holdings, grid), ...uses];
}

/** Returns the position before and after the fill. At venue B it is in terms of YES. */
function positionView(
  { ledger: { store } }: SubmitParts,
  { actorId, request, address, direction }: Submission,
  taken: Walk | null,
): PreviewView['position'] {
  const size = store.position(actorId, request.venue, address)?.size ?? 0;
  const after = size + direction * (taken?.size ?? 0);
  return { size: formatMicroShares(size as MicroShares), afterFill: formatMicroShares(after as MicroShares) };
}
