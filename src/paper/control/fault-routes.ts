// Fault rules over HTTP: create, list, delete; their seed; and the log of their effects. Thread of the paper exchanges.

import { ok } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { PlannedRule } from '../faults/rule-list.ts';
import { refused } from './control-parts.ts';
import { answer, bodyOf, type ControlRoute, nothing } from './control-route.ts';
import { readFaultRule, writePlannedRule } from './fault-rule-json.ts';
import { objectOf, wholeNumber } from './json-readers.ts';

const readSeed = objectOf({ seed: wholeNumber(0, 2 ** 32 - 1) });
const readEntriesMax = wholeNumber(1, limits.paperFaultJournalMax);

export const FAULT_ROUTES: readonly ControlRoute[] = [
  {
    method: 'get',
    pattern: '/faults',
    handle: ({ parts: { plan } }) => ok({ seed: plan.seed, rules: [...plan.rules].map(rule => written(plan, rule)) }),
  },
  {
    method: 'post',
    pattern: '/faults',
    creates: true,
    handle: call => {
      const { plan } = call.parts;
      const rule = bodyOf(call, readFaultRule);
      if (!rule.ok) return rule;
      const added = plan.add(rule.value);
      return added.ok ? ok(written(plan, added.value)) : refused(409, added.error);
    },
  },
  {
    method: 'delete',
    pattern: '/faults',
    handle: call => answer(bodyOf(call, nothing), () => ({ removed: call.parts.plan.clear() })),
  },
  {
    method: 'delete',
    pattern: '/faults/:id',
    handle: ({ parts: { plan }, parameters }) => {
      const rule = /^\d{1,15}$/.test(parameters[0]!) ? plan.rule(Number(parameters[0])) : null;
      if (rule === null) return refused(404, 'id: must be that of a rule');
      const before = written(plan, rule);
      plan.remove(rule.id);
      return ok(before);
    },
  },
  {
    method: 'put',
    pattern: '/faults/seed',
    handle: call =>
      answer(bodyOf(call, readSeed), ({ seed }) => {
        call.parts.plan.seed = seed;
        return { seed };
      }),
  },
  {
    method: 'get',
    pattern: '/faults/journal',
    handle: ({ parts: { plan }, query }) => {
      const entriesMax = readEntriesMax(Number(query.get('limit') ?? limits.paperFaultJournalMax), 'limit');
      if (!entriesMax.ok) return refused(400, entriesMax.error);
      const entries = [...plan.journal.newestFirst()].slice(0, entriesMax.value);
      return ok({ counts: Object.fromEntries(plan.journal.counts), entries });
    },
  },
];

function written(plan: FaultPlan, rule: PlannedRule): object {
  return writePlannedRule(rule, plan.isSpent(rule));
}
