// The listings of both venues that are about one event (docs/CATALOG.md), and the worst outcome for those who hold them. Pure.

import type { Venue } from './market.ts';
import type { MicroDollars } from './numbers.ts';

/** A unit of `address` pays a dollar in the outcome with this index; with `isNot`, in every other outcome. */
export interface Leg {
  readonly venue: Venue;
  readonly address: string;
  readonly outcome: number;
  readonly isNot: boolean;
}

/** Exactly one of the outcomes happens. */
export interface Question {
  readonly outcomes: readonly string[];
  /** Each address once. */
  readonly legs: readonly Leg[];
}

/** Questions of an event count as independent of each other. */
export interface LinkedEvent {
  readonly id: string;
  readonly questions: readonly Question[];
}

/** The event of a market that is linked to no other. */
export function aloneEvent(venue: Venue, address: string): LinkedEvent {
  const legs = [{ venue, address, outcome: 0, isNot: false }];
  return { id: `${venue}:${address}`, questions: [{ outcomes: ['pays', 'pays nothing'], legs }] };
}

/** What is lost of a leg; negative: what is gained. */
export interface LegLoss {
  readonly leg: Leg;
  readonly ifPaid: number;
  readonly ifUnpaid: number;
}

export interface WorstOutcome {
  readonly outcome: string;
  readonly loss: MicroDollars;
}

/** The outcome with the largest loss; the first one of several. `losses`: of the legs that are held or traded. */
export function worstOf({ outcomes }: Question, losses: readonly LegLoss[]): WorstOutcome {
  let elsewhere = 0;
  const changes = new Array<number>(outcomes.length).fill(0);
  for (const { leg, ifPaid, ifUnpaid } of losses) {
    elsewhere += leg.isNot ? ifPaid : ifUnpaid;
    changes[leg.outcome]! += leg.isNot ? ifUnpaid - ifPaid : ifPaid - ifUnpaid;
  }
  const change = Math.max(...changes);
  return { outcome: outcomes[changes.indexOf(change)]!, loss: (elsewhere + change) as MicroDollars };
}
