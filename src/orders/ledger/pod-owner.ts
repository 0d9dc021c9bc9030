// The owner of a pod whose journal is a stream of JetStream (ADR 0024). The owner is named by marks of the ledger, so that they are records
// of that stream; the last mark counts. Engine thread, and the command line.

import { createHash } from 'node:crypto';
import { ByteWriter } from '../../core/store/orders/bytes.ts';
import { LEDGER_EVENTS_VERSION, writeEvent } from './events.ts';

const OWNER_MARK = 'owner';
/** When the stream was made: a ledger belongs to one stream. */
const STREAM_MARK = 'stream';
/** The mark of the secret from which the pod's order ids derive. */
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

/** Null if the pod has had no owner. */
export function ownerIn(ledger: Marks): PodOwner | null {
  const [gatewayId, url = ''] = ledger.mark(OWNER_MARK)?.split(' ') ?? [];
  return gatewayId === undefined ? null : { gatewayId, url };
}

/** Null if the ledger has no stream yet. */
export function streamMadeAt(ledger: Marks): string | null {
  return ledger.mark(STREAM_MARK);
}

/** Null if no secret is known. */
export function secretMarkIn(ledger: Marks): string | null {
  return ledger.mark(SECRET_MARK);
}

/** A hash that tells one secret from another, and reveals nothing else. */
export function secretMarkOf(secretHex: string): string {
  return createHash('sha256').update(secretHex).digest('hex').slice(0, SECRET_MARK_DIGITS);
}

/** The marks that an owner sets when it begins to own. */
export function marksOf(owner: PodOwner, madeAt: string, secretMark: string): readonly (readonly [string, string])[] {
  return [ownerMark(owner), [STREAM_MARK, madeAt], [SECRET_MARK, secretMark]];
}

/** A record of the journal that gives the pod to `owner`. */
export function takingRecord(owner: PodOwner): Uint8Array {
  const [name, value] = ownerMark(owner);
  const writer = new ByteWriter().begin().byte(LEDGER_EVENTS_VERSION);
  writeEvent(writer, { type: 'mark-set', name, value });
  return writer.taken();
}

function ownerMark({ gatewayId, url }: PodOwner): readonly [string, string] {
  return [OWNER_MARK, `${gatewayId} ${url}`];
}
