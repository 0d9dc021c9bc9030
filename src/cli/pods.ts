// `crossbook pods`: pods, each one set of venue accounts, and the actors within them. Keys belong to these (contract §2).

import type { KeyRecords } from '../domain/identity.ts';
import type { KeyStore } from '../store/key-store.ts';
import { type Arguments, type CommandIo, readArguments, runCommand, UsageError } from './command-io.ts';
import { accepted, jsonText, now, tableText, timeText, withKeyStore } from './key-arguments.ts';

export const PODS_USAGE = `  pods create POD
  pods add-actor POD ACTOR
  pods list [--json]
      all of pods: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data
`;

export async function podsCommand([name, ...rest]: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () => {
    switch (name) {
      case 'create':
        return create(io, readArguments(rest, { options: ['data-dir'], positionals: ['POD'] }));
      case 'add-actor':
        return addActor(io, readArguments(rest, { options: ['data-dir'], positionals: ['POD', 'ACTOR'] }));
      case 'list':
        return list(io, readArguments(rest, { options: ['data-dir'], flags: ['json'] }));
      default:
        throw new UsageError('pods: must be followed by create, add-actor or list');
    }
  });
}

function create(io: CommandIo, args: Arguments): Promise<void> {
  const createIn = (store: KeyStore) => {
    const { podId } = accepted(store.createPod({ podId: args.positionals[0]!, createdAt: now() }));
    io.out(`pod ${podId} is created\n`);
  };
  return withKeyStore(io, args, createIn, { mayCreate: true });
}

function addActor(io: CommandIo, args: Arguments): Promise<void> {
  return withKeyStore(io, args, store => {
    const [podId, actorId] = [args.positionals[0]!, args.positionals[1]!];
    accepted(store.createActor({ actorId, podId, createdAt: now() }));
    io.out(`actor ${actorId} is created in pod ${podId}\n`);
  });
}

function list(io: CommandIo, args: Arguments): Promise<void> {
  return withKeyStore(io, args, store => {
    const pods = podViews(store.read());
    const rows = pods.map(pod => [pod.podId, timeText(pod.createdAt), pod.actors.join(',')]);
    io.out(args.has('json') ? jsonText(pods) : tableText(['POD', 'CREATED', 'ACTORS'], rows));
  });
}

function podViews({ pods, actors }: KeyRecords) {
  return pods.map(pod => ({
    ...pod,
    actors: actors.filter(actor => actor.podId === pod.podId).map(actor => actor.actorId),
  }));
}
