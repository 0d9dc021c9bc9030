// Owners of wallets at venue A's paper exchange, which has no chain to ask. An address that makes an API key owns itself. Any other wallet
// (proxy, Safe, deposit wallet) belongs to the owner that the operator sets, else to the first who trades from it. Each gets the faucet's
// money once, on its first use. Thread of the paper exchanges.

import type { MicroDollars } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';
import { type Address, checksumAddress } from '../../../venues/venue-a/address.ts';
import type { SignatureType } from '../../../venues/venue-a/typed-data.ts';
import type { VenueAExchange } from '../exchange.ts';

interface Wallet {
  /** Checksummed. */
  readonly address: string;
  readonly owner: Address;
}

export class Wallets {
  readonly #exchange: Pick<VenueAExchange, 'deposit'>;
  readonly #faucet: MicroDollars;
  readonly #wallets = new Map<Address, Wallet>();
  /** By owner and signature type: the last one bound. */
  readonly #byOwner = new Map<string, Address>();

  constructor(exchange: Pick<VenueAExchange, 'deposit'>, faucet: MicroDollars) {
    this.#exchange = exchange;
    this.#faucet = faucet;
  }

  /** Its checksummed address if `owner` may trade from it, now or as the first; null if it belongs to another. */
  claim(wallet: Address, owner: Address, type: SignatureType): string | null {
    const known = this.#wallets.get(wallet);
    if (known === undefined) return this.bind(wallet, owner, type);
    return known.owner === owner ? known.address : null;
  }

  /** Replaces an earlier binding. Null with too many wallets. */
  bind(wallet: Address, owner: Address, type: SignatureType): string | null {
    const known = this.#wallets.get(wallet);
    const key = `${owner}|${type}`;
    const isNew = known === undefined || !this.#byOwner.has(key);
    if (isNew && Math.max(this.#wallets.size, this.#byOwner.size) >= limits.paperWalletsMax) return null;
    const bound = { address: known?.address ?? checksumAddress(wallet), owner };
    this.#wallets.set(wallet, bound);
    this.#byOwner.set(key, wallet);
    if (known === undefined && this.#faucet > 0) this.#exchange.deposit(bound.address, this.#faucet);
    return bound.address;
  }

  /** The wallet of an owner under a signature type; null if unknown. */
  of(owner: Address, type: SignatureType): string | null {
    const wallet = this.#byOwner.get(`${owner}|${type}`);
    const bound = wallet === undefined ? undefined : this.#wallets.get(wallet);
    return bound?.owner === owner ? bound.address : null;
  }
}
