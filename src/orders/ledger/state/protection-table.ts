// The protections of actors, with the fills of their windows. Engine thread.

import {
  type CountedFill,
  countedWith,
  type Protection,
  type ProtectionScope,
} from '../../../core/domain/protection.ts';
import { assert } from '../../../core/domain/result.ts';
import type { UndoLog } from './undo-log.ts';

export class ProtectionTable {
  readonly #undo: UndoLog;
  /** The protections by actor. Each change replaces the list. */
  readonly #ofActor = new Map<string, readonly Protection[]>();

  constructor(undo: UndoLog) {
    this.#undo = undo;
  }

  /** Returns the protections of an actor. Null means the protections of all actors. */
  protectionsOf(actorId: string | null): readonly Protection[] {
    return actorId === null ? [...this.#ofActor.values()].flat() : (this.#ofActor.get(actorId) ?? NONE);
  }

  get(scope: ProtectionScope): Protection | null {
    return this.protectionsOf(scope.actorId).find(it => isInScope(it, scope)) ?? null;
  }

  put(protection: Protection): void {
    this.#set(protection.actorId, [...this.#others(protection), protection]);
  }

  remove(scope: ProtectionScope): void {
    this.#set(scope.actorId, this.#others(scope));
  }

  count(scope: ProtectionScope, fill: CountedFill, dropped: number): void {
    const protection = this.get(scope);
    assert(protection !== null, 'a protection that counts a fill exists');
    this.put({ ...protection, counted: countedWith(protection.counted, fill, dropped) });
  }

  #others(scope: ProtectionScope): readonly Protection[] {
    return this.protectionsOf(scope.actorId).filter(it => !isInScope(it, scope));
  }

  #set(actorId: string, protections: readonly Protection[]): void {
    this.#undo.note(set, this.#ofActor, actorId, this.protectionsOf(actorId));
    set(this.#ofActor, actorId, protections);
  }
}

const NONE: readonly Protection[] = [];

function isInScope(protection: Protection, { venue, address }: ProtectionScope): boolean {
  return protection.venue === venue && protection.address === address;
}

function set(ofActor: Map<string, readonly Protection[]>, actorId: string, protections: readonly Protection[]): void {
  if (protections.length === 0) ofActor.delete(actorId);
  else ofActor.set(actorId, protections);
}
