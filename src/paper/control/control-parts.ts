// Ports of the control API: two venues, with operations that no caller of theirs may perform, and the fault plan.
// venue-a-control.ts and venue-b-control.ts implement the venues. Thread of the paper exchanges.

import type { MicroDollars } from '../../domain/numbers.ts';
import { fail, type Result } from '../../domain/result.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { ChainId } from '../../venues/venue-a/exchanges.ts';
import type { SignatureType } from '../../venues/venue-a/typed-data.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { Restriction } from '../venue-a/rest/access.ts';
import type { UsageTier } from '../venue-b/rest/usage-tiers.ts';

/** Default opening balance: $10 000. */
export const OPENING_BALANCE = 10_000_000_000 as MicroDollars;

export interface ControlParts {
  readonly plan: FaultPlan;
  /** The simulator's clock, without skew. */
  readonly timers: Timers;
  /** Seed of the markets' sessions. */
  readonly seed: number;
  /** Addresses of the exchanges by name. */
  readonly urls: Readonly<Record<string, string>>;
  readonly venueA: VenueAControl;
  readonly venueB: VenueBControl;
}

/** Why nothing was done: an HTTP status, and `field: rule`. */
interface Refusal {
  readonly status: 400 | 404 | 409;
  readonly error: string;
}

export type Outcome<T> = Result<T, Refusal>;

export function refused(status: Refusal['status'], error: string): { readonly ok: false; readonly error: Refusal } {
  return fail({ status, error });
}

/** Operations of both venues. */
export interface VenueControl {
  /** As JSON. */
  state(): object;
  /** Pauses the whole venue, in one of its own ways; default: the plainest. */
  pause(mode: string | null): Outcome<void>;
  /** Ends every pause. */
  resume(): void;
  /** State of a market as JSON; by ticker, condition id or token id. */
  market(address: string): Outcome<object>;
  setPaused(market: string, isPaused: boolean): Outcome<void>;
  /** Settles at the value of a share of YES, or of the first token, as decimal text. Closes an open market first. */
  settle(market: string, value: string): Outcome<void>;
  /** Accounts that were opened here, as JSON without secrets. */
  accounts(): object[];
  /** Adds money; negative removes it. Returns the new state of the account as JSON. */
  deposit(account: string, subaccount: number, amount: MicroDollars): Outcome<object>;
  /** Drops the streams of a key, or all if null; returns how many. */
  disconnect(key: string | null): number;
}

export interface VenueAControl extends VenueControl {
  readonly chainId: ChainId;
  setTickSize(market: string, tickSize: string): Outcome<void>;
  /** Makes API credentials for the signer, unless it has some, and sets the balance of the wallet. */
  open(account: NewVenueAAccount, credentials: VenueACredentials | null): Outcome<VenueACredentials>;
  /**
   * Bans the signer of a wallet, fully or except for selling; null lifts the ban. Returns the new state of the account as
   * JSON.
   */
  restrict(wallet: string, restriction: Restriction | null): Outcome<object>;
}

export interface NewVenueAAccount {
  /** Address of the signer. */
  readonly address: string;
  /** Address of the money; under type 0 it is the signer's own. */
  readonly wallet: string;
  readonly signatureType: SignatureType;
  readonly balance: MicroDollars;
}

export interface VenueACredentials {
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

export interface VenueBControl extends VenueControl {
  /** Settles at once, or after a delay. */
  close(market: string, inMs: number): Outcome<void>;
  open(account: NewVenueBAccount): Outcome<void>;
}

export interface NewVenueBAccount {
  /** UUID. */
  readonly userId: string;
  readonly tier: UsageTier;
  readonly balance: MicroDollars;
  readonly keys: readonly NewVenueBKey[];
}

interface NewVenueBKey {
  /** UUID. */
  readonly keyId: string;
  readonly name: string;
  readonly publicKeyPem: string;
}
