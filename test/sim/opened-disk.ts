// The engine's disk of a simulated gateway, on a simulated machine. The disk of a replicated pod is opened over a simulated stream.

import type { Durability } from '../../src/config.ts';
import type { Order } from '../../src/core/domain/order.ts';
import { createArena } from '../../src/market-data/book/memory.ts';
import { EngineDisk } from '../../src/orders/engine/engine-disk.ts';
import type { ConnectPod } from '../../src/orders/engine/replica.ts';
import type { JournalPositions } from '../../src/orders/journal/positions.ts';
import type { BudgetedPod } from '../../src/venues/pod-budgets.ts';
import { POD, SECRET } from './calls.ts';
import type { Life } from './life.ts';
import { FOLDER, type Machine } from './machine.ts';
import type { Schedule } from './schedule.ts';
import type { Wire } from './wire.ts';

const arena = createArena();
/** The size of a segment, so small that there are several segments. */
const SEGMENT_BYTES = 6_000;
const KEPT_BYTES = [0, 10_000] as const;

/** The stream of a replicated pod. */
interface OfStream {
  readonly gatewayId: string;
  readonly connect: ConnectPod;
  /** The time as this process has it. */
  readonly schedule: Schedule;
  readonly lost: () => void;
  readonly sending: (order: Order) => void;
}

export interface DiskParts {
  readonly wire: Wire;
  readonly machine: Machine;
  readonly life: Life;
  readonly durability: Durability;
  /** The stream. Null means that the journal is the process's own. */
  readonly ofStream: OfStream | null;
}

/** Opens the disk. Rejects with a StoreError. Never settles if the life ends before. */
export function openDisk(parts: DiskParts, positions: JournalPositions): Promise<EngineDisk> {
  const { machine, life, durability, wire, ofStream } = parts;
  const secretHex = SECRET.toString('hex');
  const pod = {
    podId: POD,
    secretHex,
    venueA: null,
    venueB: null,
    [wire.venue === 'venue_a' ? 'venueA' : 'venueB']: {},
  };
  const data = {
    folder: FOLDER,
    positions: positions.memory,
    ...{ durability, replication: ofStream === null ? null : replicationOf(ofStream) },
    arena,
    pods: [pod as unknown as BudgetedPod],
  };
  return EngineDisk.open(data, ofStream?.lost ?? neverLost, {
    files: machine.files(life),
    timers: life.timers,
    bootId: () => `boot ${machine.boot}`,
    openTables: () => machine.tables(life),
    segmentBytes: SEGMENT_BYTES,
    keptBytes: wire.schedule.random.pick(KEPT_BYTES),
    connect: ofStream?.connect ?? noStream,
  });
}

function noStream(): never {
  throw new Error('a journal without a stream');
}

function replicationOf({ gatewayId }: OfStream) {
  const owner = { gatewayId, url: `http://${gatewayId}` };
  return { nats: { servers: [], credentials: null }, owner, takeOverAfterMs: null, knownPosition: 0 };
}

function neverLost(): void {
  throw new Error('a journal without a stream has no other owner');
}
