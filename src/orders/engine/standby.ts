// Stands in the engine's place while another gateway owns the pod: follows the pod's stream, and names the owner in answers. Engine thread.

import { isSubmission, type TimedOperation } from '../../core/domain/operation.ts';
import type { Log } from '../../core/runtime/log.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import type { KeyStore } from '../../core/store/key-store.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { otherOwnerReply } from '../../core/wire/replies.ts';
import { limits } from '../../limits.ts';
import type { PodOwner } from '../ledger/pod-owner.ts';
import type { InUse } from '../life/markets-in-use.ts';
import type { OperationHooks } from '../life/operation-in-flight.ts';
import type { EngineDisk } from './engine-disk.ts';
import type { FromEngine } from './engine-messages.ts';

interface StandbyParts {
  /** The disk of a pod that another gateway owns. */
  readonly disk: EngineDisk;
  readonly keys: KeyStore;
  readonly log: Log;
  readonly post: (message: Extract<FromEngine, { type: 'owner' | 'follow-stopped' }>) => void;
}

export class Standby {
  readonly #parts: StandbyParts;
  readonly #followed: Promise<boolean>;
  #owner: PodOwner;
  /** Why the last upkeep failed. Null means that it did not fail. */
  #fault: string | null = null;
  #cancelUpkeep: () => void = () => {};

  constructor(parts: StandbyParts, owner: PodOwner) {
    this.#parts = parts;
    this.#owner = owner;
    this.#followed = this.#follow();
    this.#runUpkeep();
  }

  /**
   * Resolves to true when this gateway owns the pod, and to false when the standby is closed. Rejects with a StoreError if another gateway
   * has taken the pod over at once.
   */
  get followed(): Promise<boolean> {
    return this.#followed;
  }

  /** The base URL of the gateway that owns the pod. */
  get ownerUrl(): string {
    return this.#owner.url;
  }

  operate({ operation }: TimedOperation, hooks: OperationHooks): void {
    hooks.replied(otherOwnerReply(this.ownerUrl, { isSubmission: isSubmission(operation) }));
  }

  /** False, because a standby answers no reads. */
  isBehind(): boolean {
    return false;
  }

  isTradable(): boolean {
    return false;
  }

  /** Null, because the owner spends the budgets. */
  venueBudgets(): null {
    return null;
  }

  /** Does nothing, because a standby has sent no orders. */
  cancelledByGuard(): void {}

  /** Resolves to no markets: the owner subscribes to the books of the pod's holdings. */
  inUse(): Promise<InUse> {
    return Promise.resolve({ markets: [], holdings: new Map() });
  }

  async close(): Promise<void> {
    const { disk, keys } = this.#parts;
    this.#cancelUpkeep();
    await disk.close();
    await this.#followed;
    await keys.close();
  }

  async #follow(): Promise<boolean> {
    const { disk, log, post } = this.#parts;
    const isOurs = await disk.follow({
      onOwner: owner => {
        this.#owner = owner;
        log.info('another gateway owns the pod', { owner: owner.url });
        post({ type: 'owner', url: owner.url });
      },
      onStopped: words => {
        log.warn('the pod is not followed any more', { error: words });
        post({ type: 'follow-stopped', words });
      },
      onSilent: ({ url }) => log.warn('the owner is silent: this gateway takes the pod over', { owner: url }),
    });
    this.#cancelUpkeep();
    return isOurs;
  }

  /** Evicts rows as the engine does, so that memory grows with open orders only. */
  #runUpkeep(): void {
    this.#cancelUpkeep = wallTimers.after(limits.engineUpkeepMs, () => {
      const fault = this.#upkeepFault();
      if (fault !== null && fault !== this.#fault) this.#parts.log.warn('the order store failed', { error: fault });
      this.#fault = fault;
      this.#runUpkeep();
    });
  }

  /**
   * Evicts and prunes. Returns the fault of a failing disk, which does not end the standby: it goes on to follow. Null means that nothing
   * failed.
   */
  #upkeepFault(): string | null {
    const { disk } = this.#parts;
    try {
      disk.evict();
      disk.prune();
      return null;
    } catch (error) {
      if (error instanceof StoreError) return error.message;
      throw error;
    }
  }
}
