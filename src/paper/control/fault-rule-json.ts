// Fault rules from and to JSON: `{"venue": "venue_b", "operation": "POST *", "fault": {"kind": "lost", "isApplied": true},
// "probability": 0.5, "countMax": 3}`. Only the fault is required. Pure.

import { fail, type Result } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { FaultKind, FaultRule, PlannedFault } from '../faults/fault-rule.ts';
import { FAULT_VENUES } from '../faults/faults.ts';
import type { PlannedRule } from '../faults/rule-list.ts';
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
  return kind === 'settlement-fails' || kind === 'settlement-retries';
}

export function writePlannedRule({ id, rule, asked, struck }: PlannedRule, isSpent: boolean): object {
  return { id, ...rule, asked, struck, isSpent };
}
