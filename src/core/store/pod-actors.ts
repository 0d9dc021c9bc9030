// The actors of every pod by the key store, read again only after a change. Any thread.

import { fullActorId } from '../domain/identity.ts';
import type { KeyStore } from './key-store.ts';

/** Full ids of a pod's actors; throws the key store's StoreError. */
export type ActorsOf = (podId: string) => readonly string[];

export function podActors(store: Pick<KeyStore, 'version' | 'read'>): ActorsOf {
  let version = -1;
  let idsByPod = new Map<string, readonly string[]>();
  return podId => {
    const current = store.version();
    if (current !== version) {
      const byPod = Map.groupBy(store.read().actors, actor => actor.podId);
      idsByPod = new Map([...byPod].map(([pod, actors]) => [pod, actors.map(fullActorId)]));
      version = current;
    }
    return idsByPod.get(podId) ?? [];
  };
}
