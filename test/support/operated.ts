// Operations of callers, with their outcome as a promise.

import type { CallerAdmission } from '../../src/gateway/api/caller-admission.ts';

type Operate = CallerAdmission['operated'];
type Outcome = Parameters<Parameters<Operate>[3]['answer']>[0];

/** The caller's answer. */
export function operated(
  admission: CallerAdmission,
  ...[request, needs, asks]: [Parameters<Operate>[0], Parameters<Operate>[1], Parameters<Operate>[2]]
): Promise<Outcome> {
  return new Promise((answer, failed) => admission.operated(request, needs, asks, { answer, failed }));
}

/** Stands for a thread that has no part in a test. */
export function neverAsked(): never {
  throw new Error('not asked');
}
