// Operations of callers, with their outcome as a promise.

import type { KeyEntry } from '../../src/core/auth/keyring.ts';
import type { InboundRequest } from '../../src/core/net/listen.ts';
import type { CallerAdmission } from '../../src/gateway/api/caller-admission.ts';
import type { Needs, Requester } from '../../src/gateway/api/reserved.ts';

/** Resolves with the caller's answer. */
export function operated(
  admission: CallerAdmission,
  request: InboundRequest,
  needs: Needs,
  operationOf: (key: KeyEntry) => ReturnType<Requester['operationOf']>,
): Promise<Parameters<Requester['answer']>[0]> {
  return new Promise((answer, failed) => admission.perform(request, needs, { operationOf, answer, failed }));
}

/** Stands for a thread that has no part in a test. */
export function neverAsked(): never {
  throw new Error('not asked');
}
