// Changes of limits, for the audit log. Other processes write the limits of actors and pods to the key store. The engine compares these
// limits with the limits that it saw last, which its ledger keeps. So a change made while the gateway was down is found after the next
// start. Engine thread.

import { type ActorLimits, fullActorId, LIMIT_NAMES, NO_LIMITS } from '../../core/domain/identity.ts';
import { isObject, parseJson } from '../../core/domain/json.ts';
import { assert } from '../../core/domain/result.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { KeyStore } from '../../core/store/key-store.ts';
import { LIMIT_CHANGE_MARK } from '../../core/store/order-records.ts';
import { actorLimitsView } from '../../core/wire/account-views.ts';
import { formatTime } from '../../core/wire/time-text.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerEntry } from './ledger-entry.ts';

interface LimitChangesParts {
  readonly ledger: Pick<Ledger, 'store' | 'change'>;
  readonly keys: Pick<KeyStore, 'version' | 'read'>;
  readonly log: Pick<Log, 'info'>;
}

/** A change of one limit, with the values in the form of views. Null means that the limit was not set, or is not set any more. */
export interface LimitChange {
  readonly limit: string;
  readonly from: string | number | boolean | null;
  readonly to: string | number | boolean | null;
}

export class LimitChanges {
  readonly #parts: LimitChangesParts;
  #version = -1;

  constructor(parts: LimitChangesParts) {
    this.#parts = parts;
  }

  /**
   * Records the changes of limits since the last look. Throws a StoreError if the keys cannot be read, or if a change cannot be recorded.
   * The next look then finds the change again.
   */
  recordChanges(): void {
    const { keys } = this.#parts;
    const version = keys.version();
    if (version === this.#version) return;
    const { pods, actors } = keys.read();
    for (const { podId, exposureMax } of pods) this.#compare(podId, { ...NO_LIMITS, exposureMax });
    for (const actor of actors) this.#compare(fullActorId(actor), actor.limits);
    this.#version = version;
  }

  #compare(scope: string, limits: ActorLimits): void {
    const { ledger, log } = this.#parts;
    const name = `limits ${scope}`;
    const seen = limitsIn(ledger.store.mark(name));
    const changed = LIMIT_NAMES.filter(limit => seen[limit] !== limits[limit]);
    if (changed.length === 0) return;
    const [before, after] = [actorLimitsView(seen), actorLimitsView(limits)];
    const changes = changed.map(limit => ({ limit, from: before[limit], to: after[limit] }));
    ledger.change(entry => {
      entry.transaction.putMark(name, JSON.stringify(limits));
      putLimitChange(entry, scope, changes);
    });
    log.info('limits changed', { scope, changes: JSON.stringify(changes) });
  }
}

/** Records changes of the limits of a scope: a pod, or the full id of an actor. */
export function putLimitChange({ transaction, at }: LedgerEntry, scope: string, changes: readonly LimitChange[]): void {
  transaction.putMark(LIMIT_CHANGE_MARK, JSON.stringify({ at: formatTime(at), scope, changes }));
}

function limitsIn(text: string | null): ActorLimits {
  if (text === null) return NO_LIMITS;
  const limits = parseJson(text);
  assert(isObject(limits), 'the ledger keeps limits as this program writes them');
  return { ...NO_LIMITS, ...limits };
}
