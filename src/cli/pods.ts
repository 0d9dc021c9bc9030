// `crossbook pods`: pods, each one set of venue accounts, and the actors within them. Keys belong to these (contract §2).

import type { KeyRecords } from '../domain/identity.ts';
import { type Arguments, type CommandIo, runSubcommand, type Subcommand } from './command-io.ts';
import { accepted, type CommandKeys, listOf, now, onKeyStore, timeText } from './key-arguments.ts';
import { takePod } from './take-pod.ts';

export const PODS_USAGE = `  pods create POD
  pods add-actor POD ACTOR
  pods list [--json]
  pods take POD
      with CROSSBOOK_DURABILITY=replicated and the other settings of the gateway: from then on the gateway of this data directory
      trades for the pod, and the former one is refused; then start it
      all of pods: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data
`;

export function podsCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return runSubcommand('pods', SUBCOMMANDS, args, io);
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  create: { positionals: ['POD'], run: onKeyStore(create, { mayCreate: true }) },
  'add-actor': { positionals: ['POD', 'ACTOR'], run: onKeyStore(addActor) },
  list: listOf(['POD', 'CREATED', 'ACTORS'], podViews, pod => [
    pod.podId,
    timeText(pod.createdAt),
    pod.actors.join(','),
  ]),
  take: { positionals: ['POD'], run: takePod },
};

async function create(keys: CommandKeys, { positionals: [podId] }: Arguments, io: CommandIo): Promise<void> {
  const pod = accepted(await keys.change(it => it.createPod({ podId: podId!, createdAt: now() })));
  io.out(`pod ${pod.podId} is created\n`);
}

async function addActor(keys: CommandKeys, { positionals: [podId, actorId] }: Arguments, io: CommandIo): Promise<void> {
  accepted(await keys.change(it => it.createActor({ actorId: actorId!, podId: podId!, createdAt: now() })));
  io.out(`actor ${actorId} is created in pod ${podId}\n`);
}

function podViews({ pods, actors }: KeyRecords) {
  return pods.map(pod => ({
    ...pod,
    actors: actors.filter(actor => actor.podId === pod.podId).map(actor => actor.actorId),
  }));
}
