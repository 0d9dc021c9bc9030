// `crossbook pods` manages pods and the actors within them. A pod is one set of venue accounts. Keys belong to actors (contract §2).

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { IDENTITY_PATTERN, type KeyRecords } from '../../core/domain/identity.ts';
import { NatsLink } from '../../core/nats/connection.ts';
import { readReplicated } from '../../core/nats/settings.ts';
import { NatsStream } from '../../core/nats/stream.ts';
import { gatewayIdIn } from '../../core/store/data-files.ts';
import type { StatusReport } from '../../core/wire/reports.ts';
import { ownershipRecord, type PodOwner, streamOf } from '../../orders/ledger/pod-owner.ts';
import { type Arguments, type CommandIo, dataDirOf, UsageError, withSubcommands } from './command-io.ts';
import { askGateway, NoGatewayError } from './gateway-request.ts';
import { accepted, type CommandKeys, listOf, now, onKeyStore } from './key-arguments.ts';
import { timeText } from './output.ts';

export const PODS_USAGE = `  pods create POD
  pods add-actor POD ACTOR
  pods list [--json]
  pods take POD
      run this with CROSSBOOK_DURABILITY=replicated and the other settings of the gateway, and start the gateway afterwards: from then on
      the gateway of this data directory trades for the pod, and the stream refuses the former gateway
      all of pods: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data

    crossbook pods create desk
    crossbook pods add-actor desk maker
`;

export const podsCommand = withSubcommands('pods', {
  create: { positionals: ['POD'], run: onKeyStore(create, { mayCreate: true }) },
  'add-actor': { positionals: ['POD', 'ACTOR'], run: onKeyStore(addActor) },
  list: listOf(['POD', 'CREATED', 'ACTORS'], podViews, pod => [
    pod.podId,
    timeText(pod.createdAt),
    pod.actors.join(','),
  ]),
  take: { positionals: ['POD'], run: takePod },
});

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

/** The number of attempts to append the record. The former owner may append between our look at the stream's end and our record. */
const ATTEMPTS_MAX = 100;

/**
 * Gives a replicated pod to the gateway of this data directory, by a record in the pod's stream. From then on records of the former owner
 * are refused (ADR 0024). Neither gateway has to run.
 */
async function takePod(args: Arguments, io: CommandIo): Promise<void> {
  const podId = args.positionals[0]!;
  if (!IDENTITY_PATTERN.test(podId)) throw new UsageError(`POD: must match ${IDENTITY_PATTERN.source}`);
  const settings = readReplicated(io.env);
  if (settings === null)
    throw new UsageError('CROSSBOOK_DURABILITY: must be replicated, with the settings of the gateway');
  const dataDir = dataDirOf(args, io);
  // With a mistyped folder, no gateway would ever trade for the pod again.
  if (!existsSync(join(dataDir, 'pods', `${podId}.secret`)))
    throw new UsageError(
      `--data-dir: ${dataDir} has no pods/${podId}.secret: copy it from the gateway that had the pod`,
    );
  // If this gateway runs as the owner, the record would end it, because its own records would no longer follow on each other.
  if (await isOwner(dataDir)) {
    io.out(`pod ${podId}: the gateway of ${dataDir} runs and owns it: nothing was done\n`);
    return;
  }
  const owner = { gatewayId: gatewayIdIn(dataDir), url: settings.url };
  const link = await NatsLink.connect(settings.nats, `crossbook pods take ${podId}`);
  try {
    const sequence = await take(link, podId, owner);
    io.out(`pod ${podId} is taken by record ${sequence} of its stream, for the gateway at ${owner.url}\n`);
  } finally {
    await link.close();
  }
}

/** Whether a gateway that is no standby runs with this data directory. Rejects if a gateway runs and does not say what it is. */
async function isOwner(dataDir: string): Promise<boolean> {
  try {
    const { report } = await askGateway(dataDir, { op: 'status' });
    return (report as StatusReport).gauges.standby === 0;
  } catch (error) {
    if (error instanceof NoGatewayError) return false;
    throw error;
  }
}

async function take(link: NatsLink, podId: string, owner: PodOwner): Promise<number> {
  const { name, subject } = streamOf(podId);
  const stream = await NatsStream.open(link, name, subject);
  const record = ownershipRecord(owner);
  let refusal = '';
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const { last } = await stream.end();
    if (last === 0) throw new Error(`stream ${name}: is empty: no gateway has owned pod ${podId}`);
    const stored = await stream.append(record, last);
    if (stored.type === 'stored') return stored.sequence;
    refusal = stored.message;
  }
  throw new Error(`stream ${name}: ${refusal}`);
}
