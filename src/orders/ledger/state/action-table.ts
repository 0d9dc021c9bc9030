// Actions of wallets in memory: those that are not over, and the others until the history has them on disk. Engine thread.

import type { OrderId } from '../../../core/domain/order.ts';
import { isOver, type WalletAction } from '../../../core/domain/wallet-action.ts';
import type { Archive } from '../archive.ts';
import type { EvictionQueue } from './eviction-queue.ts';

interface HeldAction {
  readonly action: WalletAction;
  /** Journal sequence of its last change. */
  readonly changedBy: number;
}

const NONE: readonly WalletAction[] = [];

export class ActionTable {
  readonly #archive: Archive;
  readonly #queue: EvictionQueue;
  readonly #held = new Map<OrderId, HeldAction>();
  /** Those that are not over, by pod and turn. */
  readonly #open = new Map<string, readonly WalletAction[]>();

  constructor(archive: Archive, queue: EvictionQueue) {
    this.#archive = archive;
    this.#queue = queue;
  }

  get(actionId: OrderId): WalletAction | null {
    return this.#held.get(actionId)?.action ?? this.#archive.action(actionId);
  }

  open(podId: string): readonly WalletAction[] {
    return this.#open.get(podId) ?? NONE;
  }

  /** Returns the function that undoes it. */
  put(action: WalletAction, changedBy: number): () => void {
    const { actionId, podId } = action;
    const before = this.#held.get(actionId);
    this.#held.set(actionId, { action, changedBy });
    const openBefore = this.open(podId);
    const others = openBefore.filter(it => it.actionId !== actionId);
    const open = isOver(action) ? others : [...others, action].sort((one, other) => one.turn - other.turn);
    this.#setOpen(podId, open);
    if (isOver(action))
      this.#queue.changed({ kind: 'action', owner: podId, venue: 'venue_a', name: actionId, changedBy });
    return () => {
      if (before === undefined) this.#held.delete(actionId);
      else this.#held.set(actionId, before);
      this.#setOpen(podId, openBefore);
    };
  }

  /** The history has it as of this change. */
  leave(actionId: OrderId, changedBy: number): void {
    const held = this.#held.get(actionId);
    if (held?.changedBy === changedBy && isOver(held.action)) this.#held.delete(actionId);
  }

  #setOpen(podId: string, open: readonly WalletAction[]): void {
    if (open.length === 0) this.#open.delete(podId);
    else this.#open.set(podId, open);
  }
}
