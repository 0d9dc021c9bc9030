// Venue A's relayer, its routes, and the chain behind it (venue-a.md §15). The venue has its relayer on a host of its own; here it shares
// the CLOB's port. The relayer sends signed transactions of wallets, one at a time for each wallet, and reports how far each one is. The
// chain executes a transaction as a whole or not at all. Thread of the paper exchanges.

import { BoundedMap } from '../../../core/domain/bounded-map.ts';
import { SECOND_MS } from '../../../core/domain/durations.ts';
import { fail, type Result, ok as success } from '../../../core/domain/result.ts';
import type { Reply } from '../../../core/net/listen.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import { type Address, checksumAddress, readAddress, writeHex } from '../../../venues/venue-a/address.ts';
import { keccak256 } from '../../../venues/venue-a/keccak.ts';
import type { SignatureType } from '../../../venues/venue-a/typed-data.ts';
import type { WalletKind } from '../../../venues/venue-a/wallet/wallet-transactions.ts';
import type { Faults } from '../../faults/faults.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { Wallets } from '../rest/access.ts';
import { errorReply, ok, publicGet, relayed, type VenueARoute } from '../rest/route.ts';
import { execute, RELAY, readCall, readSigned, type SignedRequest } from './signed-request.ts';

const INVALID_ADDRESS = errorReply(400, 'invalid address');
const INVALID_TYPE = errorReply(400, 'invalid type');
const NO_TRANSACTION = errorReply(404, 'transaction not found');

export function relayerRoutes(relayer: Relayer, wallets: Wallets): VenueARoute[] {
  return [
    publicGet('/v1/account/transactions/params', ({ query }) => {
      const [owner, kind] = [readAddress(query.get('address') ?? ''), query.get('type')];
      if (owner === null) return INVALID_ADDRESS;
      if (kind !== 'WALLET' && kind !== 'SAFE' && kind !== 'PROXY') return INVALID_TYPE;
      const { address, nonce } = relayer.place(owner, kind);
      return ok({ address: checksumAddress(address), nonce: String(nonce) });
    }),
    publicGet('/v1/account/transactions/:id', ({ parameters }) => {
      const transaction = relayer.find(parameters[0]!);
      return transaction === undefined ? NO_TRANSACTION : shown(transaction);
    }),
    publicGet('/deployed', ({ query }) => {
      const wallet = readAddress(query.get('address') ?? '');
      return wallet === null ? INVALID_ADDRESS : ok({ deployed: wallets.isBound(wallet) });
    }),
    relayed('/submit', ({ body }) => {
      const submitted = relayer.submit(body);
      if (!submitted.ok) return errorReply(400, submitted.error);
      const { id, state, hash } = submitted.value;
      return ok({ transactionID: id, state, transactionHash: hash });
    }),
  ];
}

function shown({ id, state, hash, error }: Transaction): Reply {
  return ok({
    transaction_id: id,
    transaction_hash: hash ?? '',
    state,
    ...(error === null ? {} : { error_msg: error }),
  });
}

type State = 'STATE_NEW' | 'STATE_EXECUTED' | 'STATE_MINED' | 'STATE_CONFIRMED' | 'STATE_FAILED' | 'STATE_INVALID';

interface Transaction {
  readonly id: string;
  readonly state: State;
  /** The hash. Null until the transaction is sent to the chain. */
  readonly hash: string | null;
  /** The reason of a failure. Null if there is none. */
  readonly error: string | null;
}

interface RelayerParts {
  readonly exchange: VenueAExchange;
  readonly wallets: Wallets;
  readonly faults: Pick<Faults, 'ofTransaction' | 'settlementDelayMs'>;
  /** The venue's clock. */
  readonly timers: Timers;
}

const TYPES: Readonly<Record<WalletKind, SignatureType>> = { PROXY: 1, SAFE: 2, WALLET: 3 };
export const BUSY = 'wallet busy: it has an active action';
const REVERTED = 'execution reverted';

export class Relayer {
  readonly #parts: RelayerParts;
  readonly #transactions = new BoundedMap<string, Transaction>(limits.paperVenueATradesMax);
  /** The wallets with a transaction that has not ended yet. */
  readonly #busy = new Set<Address>();
  #count = 0;

  constructor(parts: RelayerParts) {
    this.#parts = parts;
  }

  /** Returns the nonce of the owner's next transaction. For a proxy, the address is the relayer's own. */
  place(owner: Address, kind: WalletKind): { readonly address: Address; readonly nonce: number } {
    const { exchange, wallets } = this.#parts;
    const wallet = wallets.of(owner, TYPES[kind]);
    return { address: kind === 'PROXY' ? RELAY : owner, nonce: wallet === null ? 0 : exchange.nonce(wallet) };
  }

  find(id: string): Transaction | undefined {
    return this.#transactions.get(id);
  }

  /** Takes a transaction and sends it on its way, or refuses it in words. */
  submit(body: unknown): Result<Transaction, string> {
    const { exchange, wallets, timers } = this.#parts;
    const read = readSigned(body);
    if (!read.ok) return read;
    const request = read.value;
    const { kind, owner, wallet, nonce, deadlineS } = request;
    if (wallets.of(owner, TYPES[kind])?.toLowerCase() !== wallet)
      return fail('invalid wallet: it is not of the signer');
    if (this.#busy.has(wallet)) return fail(BUSY);
    const onChain = exchange.nonce(wallet);
    if (nonce !== onChain) return fail(`batch nonce ${nonce} does not match on-chain nonce ${onChain}`);
    if (deadlineS !== null && deadlineS * SECOND_MS <= timers.now()) return fail('invalid deadline: it has passed');
    this.#count += 1;
    const id = `${wallet}-${nonce}-${this.#count}`;
    const transaction: Transaction = { id, state: 'STATE_NEW', hash: null, error: null };
    this.#transactions.set(id, transaction);
    this.#busy.add(wallet);
    this.#send(request, transaction);
    return success(transaction);
  }

  #send(request: SignedRequest, transaction: Transaction): void {
    const { faults, timers } = this.#parts;
    const confirmedMs = faults.settlementDelayMs('venue_a') ?? limits.paperVenueAConfirmedMs;
    const minedMs = Math.floor((confirmedMs * limits.paperVenueAMinedMs) / limits.paperVenueAConfirmedMs);
    const sentMs = Math.floor(minedMs / 2);
    timers.after(sentMs, () => {
      if (request.deadlineS !== null && request.deadlineS * SECOND_MS <= timers.now()) {
        this.#end(request, transaction, { state: 'STATE_INVALID', error: 'deadline passed' });
        return;
      }
      const sent = this.#change(transaction, { state: 'STATE_EXECUTED', hash: writeHex(keccak256(transaction.id)) });
      timers.after(minedMs - sentMs, () => this.#mine(request, sent, confirmedMs - minedMs));
    });
  }

  /**
   * Executes the transaction on the chain. A call that reverts uses no nonce, except for a proxy: the relay hub counts before it calls. A
   * transaction that a fault hits is MINED without effect, and the chain takes it back later.
   */
  #mine(request: SignedRequest, sent: Transaction, restMs: number): void {
    const { exchange, faults, timers } = this.#parts;
    const { wallet } = request;
    const undone = faults.ofTransaction();
    const call = readCall(request.call, exchange.markets);
    if (undone === null && (call === null || !execute(exchange, wallet, call))) {
      if (request.kind === 'PROXY') exchange.useNonce(wallet);
      this.#end(request, sent, { state: 'STATE_FAILED', error: REVERTED });
      return;
    }
    exchange.useNonce(wallet);
    const mined = this.#change(sent, { state: 'STATE_MINED' });
    timers.after(restMs, () => {
      if (undone?.usesNonce === false) exchange.useNonce(wallet, false);
      this.#end(
        request,
        mined,
        undone === null ? { state: 'STATE_CONFIRMED' } : { state: 'STATE_FAILED', error: REVERTED },
      );
    });
  }

  #end({ wallet }: SignedRequest, transaction: Transaction, change: Partial<Transaction>): void {
    this.#busy.delete(wallet);
    this.#change(transaction, change);
  }

  #change(transaction: Transaction, change: Partial<Transaction>): Transaction {
    const changed = { ...transaction, ...change };
    this.#transactions.set(transaction.id, changed);
    return changed;
  }
}
