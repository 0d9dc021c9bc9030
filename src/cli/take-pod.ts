// `crossbook pods take POD`: gives a replicated pod to the gateway of this data directory, by a record of the pod's stream. From then on the
// former owner is refused (ADR 0024). Neither gateway has to run.

import { IDENTITY_PATTERN } from '../domain/identity.ts';
import { type PodOwner, streamOf, takingRecord } from '../ledger/pod-owner.ts';
import { NatsLink } from '../nats/connection.ts';
import { readReplicated } from '../nats/settings.ts';
import { NatsStream } from '../nats/stream.ts';
import { gatewayIdIn } from '../store/secret-file.ts';
import { type Arguments, type CommandIo, dataDirOf, UsageError } from './command-io.ts';

/** The former owner may append between our look at the stream's end and our record. */
const ATTEMPTS_MAX = 100;

export async function takePod(args: Arguments, io: CommandIo): Promise<void> {
  const podId = args.positionals[0]!;
  if (!IDENTITY_PATTERN.test(podId)) throw new UsageError(`POD: must match ${IDENTITY_PATTERN.source}`);
  const settings = readReplicated(io.env);
  if (settings === null)
    throw new UsageError('CROSSBOOK_DURABILITY: must be replicated, with the settings of the gateway');
  const owner = { gatewayId: gatewayIdIn(dataDirOf(args, io)), url: settings.url };
  const link = await NatsLink.connect(settings.nats, `crossbook pods take ${podId}`);
  try {
    const sequence = await take(link, podId, owner);
    io.out(`pod ${podId} is taken by record ${sequence} of its stream, for the gateway at ${owner.url}\n`);
  } finally {
    await link.close();
  }
}

async function take(link: NatsLink, podId: string, owner: PodOwner): Promise<number> {
  const { name, subject } = streamOf(podId);
  const stream = await NatsStream.open(link, name, subject);
  const record = takingRecord(owner);
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
