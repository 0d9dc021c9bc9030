// The wallet of our adapter against the paper relayer of venue A, over real sockets, with time that stands still and faults on demand. A
// rig closes when its test ends.

import { onTestFinished } from 'vitest';
import type { MicroDollars, MicroShares, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { RelayerAccess, VenueAAccount } from '../../../../src/core/domain/pod-accounts.ts';
import type { WalletActionKind, WalletIntent } from '../../../../src/core/domain/wallet-action.ts';
import { HttpOutboundPool } from '../../../../src/core/net/outbound-pool.ts';
import { silentLog } from '../../../../src/core/runtime/log.ts';
import { FaultPlan } from '../../../../src/paper/faults/fault-plan.ts';
import type { PlannedFault } from '../../../../src/paper/faults/faults.ts';
import type { HttpServer } from '../../../../src/paper/http-server.ts';
import { startDataServer } from '../../../../src/paper/venue-a/data-api/data-server.ts';
import type { VenueTrading } from '../../../../src/venues/venue.ts';
import { type Address, checksumAddress, readAddress } from '../../../../src/venues/venue-a/address.ts';
import { createVenueATrading } from '../../../../src/venues/venue-a/trading.ts';
import type { VenueWallet, WalletTransactionState } from '../../../../src/venues/wallet-port.ts';
import { REGULAR, START_MS, VenueARig, type Wallet } from '../../../paper/venue-a/venue-a-rig.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';

const MILLION = 1_000_000;
export const shares = (value: number): MicroShares => Math.round(value * MILLION) as MicroShares;
export const FUNDER = readAddress(`0x${'77'.repeat(20)}`)!;
const SETTLED_MS = 5_000;

type Access = 'key' | 'builder' | 'stranger';

export class WalletRig {
  readonly venue: VenueARig;
  readonly plan: FaultPlan;
  readonly owner: Wallet;
  readonly trading: VenueTrading;
  readonly wallet: VenueWallet;
  readonly #data: HttpServer;
  readonly #pools: readonly HttpOutboundPool[];

  private constructor(venue: VenueARig, plan: FaultPlan, data: HttpServer, owner: Wallet, account: VenueAAccount) {
    const urls = [account.restUrl, account.dataUrl, account.relayer?.url ?? account.restUrl];
    this.#pools = urls.map(
      origin => new HttpOutboundPool({ origin, connectionsMax: 4, idleMs: 5_000, answerBytesMax: 1 << 20 }),
    );
    const [outbound, outboundData, outboundRelayer] = this.#pools;
    this.venue = venue;
    this.plan = plan;
    this.owner = owner;
    this.#data = data;
    this.trading = createVenueATrading(account, {
      outbound: outbound!,
      outboundData: outboundData!,
      outboundRelayer: account.relayer === undefined ? null : outboundRelayer!,
      connect: () => ({ send: () => {}, terminate: () => {} }),
      timers: venue.timers,
      random: () => 0.5,
      log: silentLog,
    });
    this.wallet = this.trading.wallet!;
  }

  /**
   * Starts a rig with a wallet of the type, which has a thousand dollars. Type 0 is the signer itself. `isDeployed` means that the wallet
   * is on the chain.
   */
  static async start(
    signatureType: VenueAAccount['signatureType'],
    access: Access | null = 'key',
    isDeployed = true,
  ): Promise<WalletRig> {
    const plan = new FaultPlan({ seed: 1, timers: new VirtualTimers(START_MS) });
    const venue = await VenueARig.start({ faults: plan });
    const data = await startDataServer({ exchange: venue.exchange, host: '127.0.0.1', port: 0 });
    const owner = venue.wallet(1);
    const funder = signatureType === 0 ? owner.address : FUNDER;
    if (signatureType !== 0 && isDeployed) venue.access.bindWallet(funder, owner.address, signatureType);
    venue.exchange.deposit(checksumAddress(funder), (1_000 * MILLION) as MicroDollars);
    const relayer = access === null ? null : await accessOf(venue, owner, access);
    const account: VenueAAccount = {
      restUrl: venue.server.restUrl,
      userStreamUrl: venue.server.userStreamUrl,
      dataUrl: data.url,
      ...(relayer === null ? {} : { relayer }),
      chainId: 137,
      privateKey: '1'.padStart(64, '0'),
      funder: checksumAddress(funder),
      signatureType,
      ...owner.credentials,
    };
    const rig = new WalletRig(venue, plan, data, owner, account);
    onTestFinished(() => rig.close());
    return rig;
  }

  private async close(): Promise<void> {
    await this.trading.close();
    this.venue.close();
    this.#data.close();
    await Promise.all(this.#pools.map(pool => pool.close()));
  }

  /** Makes the next request of the operation meet the fault. Null means that the next event meets the fault. */
  strike(operation: string | null, fault: PlannedFault): void {
    const rule = { venue: 'venue_a', key: null, operation, fault, probability: 1, countMax: 1, lastsMs: null } as const;
    const added = this.plan.add(rule);
    if (!added.ok) throw new Error(added.error);
  }

  get cash(): number {
    return this.venue.exchange.collateral(FUNDER) / MILLION;
  }

  /** Returns the shares of both tokens of a market. */
  held(listing = REGULAR): readonly [number, number] {
    const market = this.venue.market(listing);
    const size = (token: 0 | 1) => this.venue.exchange.shares(FUNDER, market, token) / MILLION;
    return [size(0), size(1)];
  }

  give(pairs: number, listing = REGULAR): void {
    if (!this.venue.exchange.split(FUNDER, this.venue.market(listing), shares(pairs))) throw new Error('no pairs');
  }

  resolve(winner: 0 | 1 | null, listing = REGULAR): void {
    this.venue.exchange.resolutions.resolve(this.venue.market(listing), winner);
  }

  async prepared(kind: WalletActionKind, tokenId: string, size: number): Promise<WalletIntent> {
    const nonce = readingOf(await this.wallet.nonce());
    return readingOf(
      await this.wallet.prepare({ kind, tokenId, shares: shares(size) }, nonce, this.venue.timers.now()),
    );
  }

  submit(intent: WalletIntent) {
    return this.wallet.submit(intent, (this.venue.timers.now() + 5_000) as UnixMillis);
  }

  /** Prepares and sends an action. Returns the id that the relayer gave. */
  async send(kind: WalletActionKind, tokenId: string, size: number): Promise<string> {
    const outcome = await this.submit(await this.prepared(kind, tokenId, size));
    if (outcome.type !== 'accepted') throw new Error(`${outcome.type}: ${outcome.message}`);
    return outcome.transactionId;
  }

  /** Lets the transaction end, and returns its state. */
  async ended(transactionId: string): Promise<WalletTransactionState> {
    this.settle();
    return readingOf(await this.wallet.transaction(transactionId));
  }

  settle(): void {
    this.venue.timers.advance(SETTLED_MS);
  }
}

export function readingOf<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

async function accessOf(venue: VenueARig, owner: Wallet, access: Access): Promise<RelayerAccess> {
  const url = venue.server.restUrl;
  const apiKeyAddress: Address = owner.address;
  if (access === 'key') return { url, apiKey: owner.credentials.apiKey, apiKeyAddress };
  if (access === 'stranger') return { url, apiKey: 'unknown', apiKeyAddress };
  const { body } = await venue.call(owner, 'POST', '/auth/builder-api-key');
  return { url, builderKey: body.key, builderSecret: body.secret, builderPassphrase: body.passphrase };
}
