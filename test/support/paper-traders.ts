// Callers of the paper exchanges, for tests of the whole product. Signed requests of our own making call venue B, and venue A's official
// client calls venue A. Both use the demo accounts.

import { ClobClient } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { wallTimers } from '../../src/core/runtime/timers.ts';
import type { DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { createVenueBSigner } from '../../src/venues/venue-b/auth.ts';

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** Returns the answer of a server of the paper exchanges, in the type that its caller expects. */
export async function ask<Body = unknown>(
  url: string,
  method = 'GET',
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<Body>> {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export class VenueBTrader {
  readonly #restUrl: string;
  readonly #sign: ReturnType<typeof createVenueBSigner>;

  constructor(restUrl: string, { venueB }: DemoAccounts, keyType: 'ed25519' | 'rsa' = 'ed25519') {
    const { keyId, privateKeyPem } = venueB.keys.find(key => key.keyType === keyType)!;
    this.#restUrl = restUrl;
    this.#sign = createVenueBSigner(keyId, privateKeyPem);
  }

  call<Body = unknown>(method: Method, path: string, body?: object): Promise<Answer<Body>> {
    const url = this.#restUrl + path;
    return ask(url, method, body, this.#sign(method, url, wallTimers.now()));
  }

  /** Returns the balance in cents. */
  async balance(): Promise<number> {
    return (await this.call<{ readonly balance: number }>('GET', '/portfolio/balance')).body.balance;
  }

  /** Places an order. `price` is in dollars, of YES. */
  order(
    ticker: string,
    side: 'bid' | 'ask',
    count: string,
    price: string,
    timeInForce: 'good_till_canceled' | 'immediate_or_cancel' = 'good_till_canceled',
  ): Promise<Answer<unknown>> {
    return this.call('POST', '/portfolio/events/orders', {
      ...{ ticker, side, count, price },
      client_order_id: crypto.randomUUID(),
      time_in_force: timeInForce,
      self_trade_prevention_type: 'taker_at_cross',
    });
  }
}

export function venueAClient(host: string, { venueA }: DemoAccounts): ClobClient {
  const account = privateKeyToAccount(venueA.privateKey as `0x${string}`);
  return new ClobClient({
    host,
    chain: venueA.chainId as number,
    signer: createWalletClient({ account, transport: http(host) }),
    creds: { key: venueA.apiKey, secret: venueA.secret, passphrase: venueA.passphrase },
  });
}

const isMiddling = (price: string | number): boolean => Number(price) > 0.2 && Number(price) < 0.8;

/**
 * The markets that have been handed out, the newest last. Test files share a gateway, and the trades of a file must not meet the trades of
 * an earlier file.
 */
const taken = new Set<string>();

/** Returns the first market that no call has returned before. If all were returned, returns the market that was returned first. */
function untaken(listUrl: string, addresses: readonly string[]): string {
  const names = new Map(addresses.map(address => [`${listUrl} ${address}`, address]));
  const name = [...names.keys()].find(it => !taken.has(it)) ?? [...taken].find(it => names.has(it));
  if (name === undefined) throw new Error(`${listUrl} lists no market with a price in the middle`);
  taken.delete(name);
  taken.add(name);
  return names.get(name)!;
}

/** Returns a ticker whose best ask is not an extreme price. */
export async function someTicker(restUrl: string): Promise<string> {
  type Market = Readonly<Record<'ticker' | 'yes_ask_dollars', string>>;
  const { body } = await ask<{ readonly markets: readonly Market[] }>(`${restUrl}/markets?limit=1000&status=open`);
  const open = body.markets.filter(({ yes_ask_dollars }) => isMiddling(yes_ask_dollars));
  return untaken(
    restUrl,
    open.map(({ ticker }) => ticker),
  );
}

/**
 * Returns the first token of a market of Protocol V1 whose best ask is not an extreme price. Markets of Protocol V2 list such ids, too, but
 * trade by other ids.
 */
export async function someToken(gammaUrl: string): Promise<string> {
  interface Market {
    readonly bestAsk: number;
    readonly acceptingOrders: boolean;
    readonly version: 'v1' | 'v2';
    /** The token ids as JSON text. */
    readonly clobTokenIds: string;
  }
  const { body } = await ask<readonly Market[]>(`${gammaUrl}/markets?limit=500&closed=false`);
  const open = body.filter(it => isMiddling(it.bestAsk) && it.acceptingOrders && it.version === 'v1');
  return untaken(
    gammaUrl,
    open.map(({ clobTokenIds }) => JSON.parse(clobTokenIds)[0]),
  );
}
