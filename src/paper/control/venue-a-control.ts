// Operations on venue A that none of its callers may perform: on its exchange, its keys and its streams. Thread of the paper exchanges.

import type { MicroDollars } from '../../core/domain/numbers.ts';
import { ok } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import { type Address, checksumAddress, readAddress } from '../../venues/venue-a/address.ts';
import type { ChainId } from '../../venues/venue-a/exchanges.ts';
import type { SignatureType } from '../../venues/venue-a/typed-data.ts';
import type { OpenStreams } from '../faults/with-faults.ts';
import { type Keeping, type KeptRows, NOT_KEPT } from '../kept-rows.ts';
import type { VenueAExchange } from '../venue-a/exchange.ts';
import type { VenueAMarket } from '../venue-a/market.ts';
import type { Restriction, VenueAAccess } from '../venue-a/rest/access.ts';
import { dollarsText } from '../venue-a/rest/route.ts';
import { type Deposit, type Outcome, oneOf, refused } from './json-readers.ts';

interface NewVenueAAccount {
  /** The address of the signer. */
  readonly address: string;
  /** The address of the wallet with the money. For signature type 0 it is the signer's own address. */
  readonly wallet: string;
  readonly signatureType: SignatureType;
  readonly balance: MicroDollars;
}

export interface VenueACredentials {
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

interface VenueAControlParts {
  readonly exchange: VenueAExchange;
  readonly access: VenueAAccess;
  readonly chainId: ChainId;
  readonly streams: Pick<OpenStreams, 'count' | 'disconnect'>;
  /** Keeps rows for the next start. By default nothing is kept. */
  readonly keeping?: Keeping;
}

type OpenedAccount = Omit<NewVenueAAccount, 'balance'>;

const readMode = oneOf(['cancel-only', 'post-only', 'restarting', 'disabled']);
/** The winner by the payout of the first token. Null means that each token pays half a dollar. */
const WINNERS = { '1': 0, '0': 1, '0.5': null } as const;
const readValue = oneOf(['1', '0', '0.5']);
/** The nonce of keys that are made here. Clients ask for this nonce first. */
const NONCE = 0n;
const UNKNOWN_WALLET = refused(404, 'account: must be the wallet of an account opened here');

export class VenueAControl {
  readonly chainId: ChainId;
  readonly #exchange: VenueAExchange;
  readonly #access: VenueAAccess;
  readonly #streams: Pick<OpenStreams, 'count' | 'disconnect'>;
  /** The accounts that were opened here, by wallet in lower case. There are never more of them than wallets. */
  readonly #accounts = new Map<Address, OpenedAccount>();
  readonly #keeping: Keeping;

  constructor({ exchange, access, chainId, streams, keeping = NOT_KEPT }: VenueAControlParts) {
    this.#exchange = exchange;
    this.#access = access;
    this.chainId = chainId;
    this.#keeping = keeping;
    this.#streams = streams;
  }

  /** Returns the venue's state as JSON. */
  state(): object {
    const { mode, markets } = this.#exchange;
    return { mode, markets: markets.size, accounts: this.#accounts.size, streams: this.#streams.count };
  }

  /** Pauses the whole venue in one of the venue's own ways (venue-a.md §9.6). Null means the usual way. */
  pause(mode: string | null): Outcome<void> {
    const read = readMode(mode ?? 'disabled', 'mode');
    return read.ok ? ok(this.#exchange.setMode(read.value)) : refused(400, read.error);
  }

  resume(): void {
    this.#exchange.setMode('normal');
  }

  /** Returns the state of a market as JSON. `address` is a condition id or a token id. */
  market(address: string): Outcome<object> {
    return this.#with(address, ({ conditionId, listing, tickSize, isAcceptingOrders, resolution }) =>
      ok({ market: conditionId, tokens: listing.tokens, tickSize, isAcceptingOrders, resolution }),
    );
  }

  setPaused(address: string, isPaused: boolean): Outcome<void> {
    return this.#withOpen(address, market => ok(this.#exchange.setAcceptingOrders(market, !isPaused)));
  }

  setTickSize(address: string, tickSize: string): Outcome<void> {
    return this.#withOpen(address, market =>
      this.#exchange.setTickSize(market, tickSize)
        ? ok(undefined)
        : refused(400, 'tickSize: must be one that venue_a has, such as "0.01"'),
    );
  }

  /** Resolves a market. `value` is the value of a share of the first token, as decimal text. */
  settle(address: string, value: string): Outcome<void> {
    return this.#withOpen(address, market => {
      const read = readValue(value, 'value');
      return read.ok ? ok(this.#exchange.resolutions.resolve(market, WINNERS[read.value])) : refused(400, read.error);
    });
  }

  /** Makes API credentials for the signer, unless it has some, and sets the balance of the wallet. */
  open(account: NewVenueAAccount, before: VenueACredentials | null): Outcome<VenueACredentials> {
    const { address, wallet, signatureType, balance } = account;
    const [owner, holder] = [readAddress(address), readAddress(wallet)];
    if (owner === null || holder === null) return refused(400, 'address: must be an address');
    if (this.#accounts.has(holder)) return refused(409, 'wallet: must not be known already');
    const known = this.#access.keys.derive(owner, NONCE)?.credentials ?? null;
    if (known !== null && before !== null) return refused(409, 'address: must not have API credentials already');
    const credentials = known ?? this.#credentials(owner, before);
    if (credentials === null || !this.#access.bindWallet(holder, owner, signatureType)) {
      return refused(409, 'accounts: no more can be opened, or the API key is in use');
    }
    // The money of the faucet counts towards the balance.
    const missing = (balance - this.#exchange.collateral(wallet)) as MicroDollars;
    if (!this.#exchange.deposit(checksumAddress(holder), missing)) {
      return refused(409, 'balance: must not be less than what open orders hold');
    }
    const opened = { address: checksumAddress(owner), wallet: checksumAddress(holder), signatureType };
    this.#accounts.set(holder, opened);
    this.#keeping.touch('venue_a account', holder, () => opened);
    this.#keeping.commit();
    return ok(credentials);
  }

  /** Restores all kept rows of the last run. */
  restore(rows: KeptRows): void {
    for (const [holder, row] of rows.rows('venue_a account'))
      this.#accounts.set(holder as Address, row as OpenedAccount);
    this.#access.takeUp(rows);
    this.#exchange.takeUp(rows);
  }

  /** Returns the accounts that were opened here, as JSON without secrets. */
  accounts(): object[] {
    return [...this.#accounts.keys()].map(holder => this.#account(holder));
  }

  /** Adds money to a wallet. A negative amount removes money. Returns the new state of the account as JSON. */
  deposit(wallet: string, { subaccount, shard, amount }: Deposit): Outcome<object> {
    const holder = readAddress(wallet);
    if (holder === null || !this.#accounts.has(holder)) return UNKNOWN_WALLET;
    if (subaccount !== 0) return refused(400, 'subaccount: must be absent at venue_a');
    if (shard !== 0) return refused(400, 'shard: must be absent at venue_a');
    return this.#exchange.deposit(checksumAddress(holder), amount)
      ? ok(this.#account(holder))
      : refused(409, 'amount: must not take more than is free');
  }

  /** Bans the signer of a wallet, fully or except for selling. Null lifts the ban. Returns the account as JSON. */
  restrict(wallet: string, restriction: Restriction | null): Outcome<object> {
    const holder = readAddress(wallet);
    const account = holder === null ? undefined : this.#accounts.get(holder);
    if (holder === null || account === undefined) return UNKNOWN_WALLET;
    if (this.#access.restrict(account.address, restriction)) return ok(this.#account(holder));
    return refused(409, `account: at most ${limits.paperWalletsMax} are restricted (paperWalletsMax)`);
  }

  /** Drops the streams of a key. Null means all streams. Returns their number. */
  disconnect(key: string | null): number {
    return this.#streams.disconnect(key);
  }

  #credentials(owner: Address, before: VenueACredentials | null): VenueACredentials | null {
    if (before === null) return this.#access.createKey(owner, NONCE);
    return this.#access.addKey(owner, NONCE, before) ? before : null;
  }

  #account(holder: Address): object {
    const account = this.#accounts.get(holder)!;
    const apiKeys = this.#access.keys.ofAddress(account.address);
    const restriction = this.#access.restrictionOf(account.address);
    return { ...account, apiKeys, restriction, balance: dollarsText(this.#exchange.collateral(account.wallet)) };
  }

  #with<T>(address: string, act: (market: VenueAMarket) => Outcome<T>): Outcome<T> {
    const market = this.#exchange.markets.get(address) ?? this.#exchange.tokens.get(address)?.market;
    if (market === undefined) return refused(404, 'market: must be a condition id or a token id that is listed');
    return act(market);
  }

  #withOpen<T>(address: string, act: (market: VenueAMarket) => Outcome<T>): Outcome<T> {
    return this.#with(address, market =>
      market.resolution === null ? act(market) : refused(409, 'market: must not be resolved already'),
    );
  }
}
