// Fault rules over HTTP: create, list, delete; their seed; and the log of their effects. A rule is `{"venue": "venue_b", "operation":
// "POST *", "fault": {"kind": "lost", "isApplied": true}, "probability": 0.5, "countMax": 3}`; only the fault is required. Thread of the paper
// exchanges.

import { fail, ok, type Result } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { FaultKind, FaultRule, PlannedFault, PlannedRule } from '../faults/fault-rules.ts';
import { FAULT_VENUES } from '../faults/faults.ts';
import { answer, bodyOf, type ControlRoute, creating, nothing, route } from './control-route.ts';
import {
  anyValue,
  flag,
  objectOf,
  oneOf,
  optional,
  probability,
  recordOf,
  text,
  variantOf,
  wholeNumber,
} from './json-readers.ts';
import { refused } from './outcome.ts';

const readSeed = objectOf({ seed: wholeNumber(0, 2 ** 32 - 1) });
const readEntriesMax = wholeNumber(1, limits.paperFaultJournalMax);

export const FAULT_ROUTES: readonly ControlRoute[] = [
  route('get', '/faults', ({ parts: { plan } }) =>
    ok({ seed: plan.seed, rules: [...plan.rules].map(rule => written(plan, rule)) }),
  ),
  creating('/faults', call => {
    const { plan } = call.parts;
    const rule = bodyOf(call, readFaultRule);
    if (!rule.ok) return rule;
    const added = plan.add(rule.value);
    return added.ok ? ok(written(plan, added.value)) : refused(409, added.error);
  }),
  route('delete', '/faults', call => answer(bodyOf(call, nothing), () => ({ removed: call.parts.plan.clear() }))),
  route('delete', '/faults/:id', ({ parts: { plan }, parameters }) => {
    const rule = /^\d{1,15}$/.test(parameters[0]!) ? plan.rule(Number(parameters[0])) : null;
    if (rule === null) return refused(404, 'id: must be that of a rule');
    const before = written(plan, rule);
    plan.remove(rule.id);
    return ok(before);
  }),
  route('put', '/faults/seed', call =>
    answer(bodyOf(call, readSeed), ({ seed }) => {
      call.parts.plan.seed = seed;
      return { seed };
    }),
  ),
  route('get', '/faults/journal', ({ parts: { plan }, query }) => {
    const entriesMax = readEntriesMax(Number(query.get('limit') ?? limits.paperFaultJournalMax), 'limit');
    if (!entriesMax.ok) return refused(400, entriesMax.error);
    const entries = [...plan.journal.newestFirst()].slice(0, entriesMax.value);
    return ok({ counts: Object.fromEntries(plan.journal.counts), entries });
  }),
];

function written(plan: FaultPlan, planned: PlannedRule): object {
  const { id, rule, asked, struck } = planned;
  return { id, ...rule, asked, struck, isSpent: plan.isSpent(planned) };
}

const isApplied = flag;
const delay = optional(wholeNumber(0, limits.paperFaultMs), 0);

const planned = variantOf<PlannedFault>({
  lost: { isApplied },
  hung: { isApplied, hangMs: wholeNumber(1, limits.paperFaultMs) },
  status: { status: wholeNumber(400, 599), isApplied },
  'rate-limited': {},
  rows: {
    where: optional(recordOf(text(0, limits.paperFaultTextCharactersMax), limits.paperFaultFieldsMax), {}),
    set: recordOf(anyValue, limits.paperFaultFieldsMax),
    isMore: optional(flag, false),
  },
  delay: { beforeMs: delay, afterMs: delay },
  drop: {},
  duplicate: {},
  swap: {},
  disconnect: {},
  'settlement-fails': {},
  'settlement-retries': {},
  'transaction-fails': { usesNonce: optional(flag, false) },
});

const readFields = objectOf<FaultRule>({
  venue: optional(oneOf(FAULT_VENUES), null),
  key: optional(text(0, limits.paperFaultTextCharactersMax), null),
  operation: optional(text(1, limits.paperFaultTextCharactersMax), null),
  fault: planned,
  probability: optional(probability, 1),
  countMax: optional(wholeNumber(1, Number.MAX_SAFE_INTEGER), null),
  lastsMs: optional(wholeNumber(1, limits.paperFaultMs), null),
});

/** Errors name the field and the rule. */
export function readFaultRule(json: unknown): Result<FaultRule, string> {
  const rule = readFields(json, '');
  return rule.ok && isOfSettlement(rule.value.fault.kind) ? ofVenueOnly(rule.value) : rule;
}

/** A settlement belongs to no request: a rule with a key would hit other keys. */
function ofVenueOnly(rule: FaultRule): Result<FaultRule, string> {
  const named = (['key', 'operation'] as const).find(field => rule[field] !== null);
  if (named !== undefined) return fail(`${named}: must be absent of a fault of settlement`);
  return { ok: true, value: rule };
}

function isOfSettlement(kind: FaultKind): boolean {
  return kind === 'settlement-fails' || kind === 'settlement-retries' || kind === 'transaction-fails';
}
