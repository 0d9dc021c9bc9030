// Actions of wallets in memory: those that are not over, and others until the history has them on disk. Engine thread.

import type { OrderId } from '../../../core/domain/order.ts';
import { isOver, type WalletAction } from '../../../core/domain/wallet-action.ts';
import type { Archive } from '../archive.ts';
import type { EvictionQueue } from './eviction-queue.ts';
import type { UndoLog } from './undo-log.ts';

interface HeldAction {
  readonly action: WalletAction;
  /** The journal sequence of the action's last change. */
  readonly changedBy: number;
}

const NONE: readonly WalletAction[] = [];

export class ActionTable {
  readonly #archive: Archive;
  readonly #queue: EvictionQueue;
  readonly #undo: UndoLog;
  readonly #held = new Map<OrderId, HeldAction>();
  /** The actions that are not over, by pod, in the sequence of their turns. */
  readonly #open = new Map<string, readonly WalletAction[]>();

  constructor(archive: Archive, queue: EvictionQueue, undo: UndoLog) {
    this.#archive = archive;
    this.#queue = queue;
    this.#undo = undo;
  }

  get(actionId: OrderId): WalletAction | null {
    return this.#held.get(actionId)?.action ?? this.#archive.action(actionId);
  }

  open(podId: string): readonly WalletAction[] {
    return this.#open.get(podId) ?? NONE;
  }

  put(action: WalletAction, changedBy: number): void {
    const { actionId, podId } = action;
    const openBefore = this.open(podId);
    const others = openBefore.filter(it => it.actionId !== actionId);
    const open = isOver(action) ? others : [...others, action].sort((one, other) => one.turn - other.turn);
    this.#undo.note(setOpen, this.#open, podId, openBefore);
    this.#undo.setIn(this.#held as Map<string, HeldAction>, actionId, { action, changedBy });
    setOpen(this.#open, podId, open);
    if (isOver(action))
      this.#queue.addChanged({ kind: 'action', owner: podId, venue: 'venue_a', name: actionId, changedBy });
  }

  /** Evicts the action if this is its last change. The history has it. */
  evict(actionId: OrderId, changedBy: number): void {
    const held = this.#held.get(actionId);
    if (held?.changedBy === changedBy && isOver(held.action)) this.#held.delete(actionId);
  }
}

function setOpen(of: Map<string, readonly WalletAction[]>, podId: string, open: readonly WalletAction[]): void {
  if (open.length === 0) of.delete(podId);
  else of.set(podId, open);
}
