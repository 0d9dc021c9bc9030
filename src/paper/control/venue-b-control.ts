// Operations on venue B that none of its callers may perform: on its exchange, its keys and its streams. Thread of the paper exchanges.

import { type MicroDollars, parseTicks, type UnixMillis } from '../../core/domain/numbers.ts';
import { ok, unreachable } from '../../core/domain/result.ts';
import type { OpenStreams } from '../faults/with-faults.ts';
import type { KeptRows } from '../kept-rows.ts';
import type { VenueBExchange } from '../venue-b/exchange.ts';
import type { VenueBMarket } from '../venue-b/market.ts';
import { ALL_SCOPES, type NewKey, type UsageTier, type VenueBAccess } from '../venue-b/rest/access.ts';
import type { Funds } from '../venue-b/rest/funds.ts';
import { moneyText, priceText } from '../venue-b/wire-text.ts';
import { type Deposit, type Outcome, oneOf, refused } from './json-readers.ts';

interface NewVenueBAccount {
  /** A UUID. */
  readonly userId: string;
  readonly tier: UsageTier;
  readonly balance: MicroDollars;
  readonly keys: readonly Pick<NewKey, 'keyId' | 'name' | 'publicKeyPem'>[];
}

interface VenueBControlParts {
  readonly exchange: VenueBExchange;
  readonly access: VenueBAccess;
  readonly funds: Pick<Funds, 'deposit'>;
  readonly streams: Pick<OpenStreams, 'count' | 'disconnect'>;
}

const UNKNOWN_USER = 'account: must be the user id of an account opened here';
const readMode = oneOf(['trading', 'exchange']);

export class VenueBControl {
  readonly #exchange: VenueBExchange;
  readonly #access: VenueBAccess;
  readonly #funds: Pick<Funds, 'deposit'>;
  readonly #streams: Pick<OpenStreams, 'count' | 'disconnect'>;
  /** The users that were opened here. There are never more of them than the exchange allows. */
  readonly #users = new Set<string>();

  constructor({ exchange, access, funds, streams }: VenueBControlParts) {
    this.#exchange = exchange;
    this.#access = access;
    this.#funds = funds;
    this.#streams = streams;
  }

  /** Returns the state of the exchange as JSON. */
  state(): object {
    const { markets, state } = this.#exchange;
    const { isTradingActive, isExchangeActive } = state;
    const [accounts, streams] = [this.#users.size, this.#streams.count];
    return { isTradingActive, isExchangeActive, markets: markets.size, accounts, streams };
  }

  /** Pauses the venue. With `trading` only cancels work; with `exchange` nothing works. */
  pause(mode: string | null): Outcome<void> {
    const read = readMode(mode ?? 'trading', 'mode');
    if (!read.ok) return refused(400, read.error);
    if (read.value === 'trading') this.#exchange.state.setTradingActive(false);
    else this.#exchange.state.setExchangeActive(false);
    return ok(undefined);
  }

  resume(): void {
    this.#exchange.state.setExchangeActive(true);
    this.#exchange.state.setTradingActive(true);
  }

  /** Returns the state of a market as JSON. `address` is its ticker. */
  market(address: string): Outcome<object> {
    return this.#with(address, ({ ticker, status, closeAt, outcome }) =>
      ok({ market: ticker, status, closeAt, value: outcome === null ? null : priceText(outcome.yesValue) }),
    );
  }

  setPaused(address: string, isPaused: boolean): Outcome<void> {
    return this.#with(address, market => {
      if (market.status !== 'active' && market.status !== 'inactive')
        return refused(409, 'market: must be open or paused');
      return ok(this.#exchange.life.setPaused(market, isPaused));
    });
  }

  /** Closes the market after a delay. 0 closes it at once. */
  close(address: string, inMs: number): Outcome<void> {
    return this.#with(address, market => {
      if (isClosed(market)) return refused(409, 'market: must not be closed already');
      return ok(this.#exchange.life.setCloseAt(market, (this.#exchange.now() + inMs) as UnixMillis));
    });
  }

  /** Settles a market, and closes it first if it is open. `value` is the value of a share of YES, as decimal text. */
  settle(address: string, value: string): Outcome<void> {
    return this.#with(address, market => {
      const yesValue = parseTicks(value);
      if (yesValue === null) return refused(400, 'value: must be from 0 to 1, decimal text with at most 4 decimals');
      if (market.status === 'finalized') return refused(409, 'market: must not be settled already');
      this.#exchange.life.determine(market, yesValue);
      return ok(undefined);
    });
  }

  open({ userId, tier, balance, keys }: NewVenueBAccount): Outcome<void> {
    if (this.#users.has(userId)) return refused(409, 'userId: must not be known already');
    if (!this.#access.addUser({ userId, tier })) return refused(409, 'accounts: no more can be opened');
    for (const key of keys) {
      const added = this.#access.addKey({ ...key, userId, scopes: ALL_SCOPES, subaccount: null });
      if (added.ok) continue;
      switch (added.error) {
        case 'invalid-key':
          return refused(400, 'publicKeyPem: must be an RSA or Ed25519 public key as PEM');
        case 'key-exists':
          return refused(409, 'keyId: must not be in use');
        case 'keys-max':
          return refused(409, 'keys: the user can have no more');
        default:
          return unreachable(added.error);
      }
    }
    this.#users.add(userId);
    this.#funds.deposit({ userId, subaccount: 0 }, balance);
    return ok(undefined);
  }

  /** Restores the users of the last run who were opened here. */
  restore(rows: KeptRows): void {
    for (const [userId] of rows.rows('venue_b user')) this.#users.add(userId);
    this.#access.takeUp(rows);
    this.#exchange.takeUp(rows);
  }

  /** Returns the accounts that were opened here, as JSON without secrets. */
  accounts(): object[] {
    return [...this.#users].map(userId => this.#account(userId));
  }

  /** Adds money on a shard. A negative amount removes money. Returns the new state of the account as JSON. */
  deposit(userId: string, { subaccount, shard, amount }: Deposit): Outcome<object> {
    if (!this.#users.has(userId)) return refused(404, UNKNOWN_USER);
    if (!this.#exchange.subaccounts(userId).includes(subaccount)) {
      return refused(404, 'subaccount: must be one that the user has made');
    }
    return this.#funds.deposit({ userId, subaccount }, amount, shard)
      ? ok(this.#account(userId))
      : refused(409, 'amount: must not take more than is free');
  }

  /** Sets when the attestation of the user's location ends. Null means that it does not end. Returns the account as JSON. */
  attest(userId: string, endsInMs: number | null): Outcome<object> {
    if (!this.#users.has(userId)) return refused(404, UNKNOWN_USER);
    this.#access.attest(userId, endsInMs === null ? null : ((this.#exchange.now() + endsInMs) as UnixMillis));
    return ok(this.#account(userId));
  }

  /** Drops the streams of a key. Null means all streams. Returns their number. */
  disconnect(key: string | null): number {
    return this.#streams.disconnect(key);
  }

  #account(userId: string): object {
    const { tier, attestedUntil, keys } = this.#access.user(userId);
    const reads = this.#exchange.reads(0);
    const balances = this.#exchange.subaccounts(userId).map(subaccount => {
      const { available, shards, portfolioValue } = reads.balance({ userId, subaccount });
      const byShard = shards.map(it => ({ shard: it.shard, available: moneyText(it.available) }));
      const worth = moneyText(portfolioValue);
      return { subaccount, available: moneyText(available), shards: byShard, portfolioValue: worth };
    });
    const shown = [...keys.values()].map(({ keyId, name, scopes, subaccount }) => ({
      keyId,
      name,
      scopes,
      subaccount,
    }));
    return { userId, tier, attestedUntil, balances, keys: shown };
  }

  #with<T>(address: string, act: (market: VenueBMarket) => Outcome<T>): Outcome<T> {
    const market = this.#exchange.markets.get(address);
    return market === undefined ? refused(404, 'market: must be a ticker that is listed') : act(market);
  }
}

function isClosed({ status }: VenueBMarket): boolean {
  return status !== 'initialized' && status !== 'active' && status !== 'inactive';
}
