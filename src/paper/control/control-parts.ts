// What the control API drives, as ports: two venues whose operator may do what no caller of theirs may, and the plan of
// faults. venue-a-control.ts and venue-b-control.ts make the venues true. Thread of the paper exchanges.

import type { MicroDollars } from '../../domain/numbers.ts';
import { fail, type Result } from '../../domain/result.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { ChainId } from '../../venues/venue-a/exchanges.ts';
import type { SignatureType } from '../../venues/venue-a/typed-data.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { Restriction } from '../venue-a/rest/access.ts';
import type { UsageTier } from '../venue-b/rest/usage-tiers.ts';

/** What an account is opened with if nobody says: $10 000. */
export const OPENING_BALANCE = 10_000_000_000 as MicroDollars;

export interface ControlParts {
  readonly plan: FaultPlan;
  /** The simulator's own clock, without skew. */
  readonly timers: Timers;
  /** What the sessions of the markets are drawn from. */
  readonly seed: number;
  /** Where callers find the exchanges, by what is there. */
  readonly urls: Readonly<Record<string, string>>;
  readonly venueA: VenueAControl;
  readonly venueB: VenueBControl;
}

/** Why nothing was done: a status of HTTP, and `field: rule`. */
interface Refusal {
  readonly status: 400 | 404 | 409;
  readonly error: string;
}

export type Outcome<T> = Result<T, Refusal>;

export function refused(status: Refusal['status'], error: string): { readonly ok: false; readonly error: Refusal } {
  return fail({ status, error });
}

/** What both venues have. */
export interface VenueControl {
  /** As JSON. */
  state(): object;
  /** Of the whole venue, in one of its own ways; by default the plainest. */
  pause(mode: string | null): Outcome<void>;
  /** Everything as usual. */
  resume(): void;
  /** A market as it stands, as JSON; by ticker, condition id or token id. */
  market(address: string): Outcome<object>;
  setPaused(market: string, isPaused: boolean): Outcome<void>;
  /** What a share of YES, or of the first token, pays: decimal text. An open market is closed first. */
  settle(market: string, value: string): Outcome<void>;
  /** Those that were opened here, as JSON without secrets. */
  accounts(): object[];
  /** Adds money, negative takes it out; the account as it stands then, as JSON. */
  deposit(account: string, subaccount: number, amount: MicroDollars): Outcome<object>;
  /** Drops the streams of a key, or all if null; returns how many. */
  disconnect(key: string | null): number;
}

export interface VenueAControl extends VenueControl {
  readonly chainId: ChainId;
  setTickSize(market: string, tickSize: string): Outcome<void>;
  /** Makes API credentials for who signs, unless there are some from before, and gives the wallet the balance. */
  open(account: NewVenueAAccount, credentials: VenueACredentials | null): Outcome<VenueACredentials>;
  /** Shuts out who signs for a wallet, wholly or but for selling; null lifts it. The account as it stands then, as JSON. */
  restrict(wallet: string, restriction: Restriction | null): Outcome<object>;
}

export interface NewVenueAAccount {
  /** Who signs. */
  readonly address: string;
  /** Where the money is: the signer's own address under type 0. */
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
  /** At once, or after a while. */
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
