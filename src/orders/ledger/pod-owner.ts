// The owner of a pod whose journal is a stream of JetStream (ADR 0024). Marks of the ledger name the owner, so they are records of that
// stream, and the last mark counts. Engine thread, and the command line.

import { createHash } from 'node:crypto';
import { ByteWriter } from '../../core/store/orders/bytes.ts';
import { LEDGER_EVENTS_VERSION, writeEvent } from './events.ts';

const OWNER_MARK = 'owner';
/** The name of the mark with the time at which the stream was made. A ledger belongs to one stream. */
const STREAM_MARK = 'stream';
/** The name of the mark of the secret from which the pod's order ids derive. */
const SECRET_MARK = 'pod-secret';
const SECRET_MARK_DIGITS = 16;

export interface PodOwner {
  /** The id of the owner's data directory. */
  readonly gatewayId: string;
  /** The URL by which clients reach the owner. */
  readonly url: string;
}

interface Marks {
  mark(name: string): string | null;
}

export function streamOf(podId: string): { readonly name: string; readonly subject: string } {
  return { name: `crossbook-pod-${podId}`, subject: `crossbook.pod.${podId}` };
}

/** Returns the owner of the pod. Null means that the pod has had no owner. */
export function readOwner(ledger: Marks): PodOwner | null {
  const [gatewayId, url = ''] = ledger.mark(OWNER_MARK)?.split(' ') ?? [];
  return gatewayId === undefined ? null : { gatewayId, url };
}

/** Returns the time at which the ledger's stream was made. Null means that the ledger has no stream yet. */
export function streamMadeAt(ledger: Marks): string | null {
  return ledger.mark(STREAM_MARK);
}

/** Returns the mark of the pod's secret. Null means that no secret is known. */
export function secretMarkIn(ledger: Marks): string | null {
  return ledger.mark(SECRET_MARK);
}

/** Returns a hash that tells secrets apart, and reveals nothing else. */
export function secretMarkOf(secretHex: string): string {
  return createHash('sha256').update(secretHex).digest('hex').slice(0, SECRET_MARK_DIGITS);
}

/** Returns the marks that a new owner sets. */
export function marksOf(owner: PodOwner, madeAt: string, secretMark: string): readonly (readonly [string, string])[] {
  return [ownerMark(owner), [STREAM_MARK, madeAt], [SECRET_MARK, secretMark]];
}

/** Returns a record of the journal that gives the pod to `owner`. */
export function ownershipRecord(owner: PodOwner): Uint8Array {
  const [name, value] = ownerMark(owner);
  const writer = new ByteWriter().begin().byte(LEDGER_EVENTS_VERSION);
  writeEvent(writer, { type: 'mark-set', name, value });
  return writer.copy();
}

function ownerMark({ gatewayId, url }: PodOwner): readonly [string, string] {
  return [OWNER_MARK, `${gatewayId} ${url}`];
}
