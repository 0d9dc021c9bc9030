// The control API on a real port over both paper exchanges and their servers, with time that stands still and a catalog of the
// house.

import { constants, createPrivateKey, sign } from 'node:crypto';
import { isObject, type JsonObject, parseJson } from '../../../src/core/domain/json.ts';
import { createCatalog } from '../../../src/paper/catalog/catalog.ts';
import { startControlServer } from '../../../src/paper/control/control-server.ts';
import { FaultPlan } from '../../../src/paper/faults/fault-plan.ts';
import { startPaperVenueA, startPaperVenueB } from '../../../src/paper/paper-venues.ts';
import { l2Signature } from '../../../src/venues/venue-a/auth.ts';
import { POLYGON } from '../../../src/venues/venue-a/exchanges.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

interface Answer {
  readonly status: number;
  /** The body of the answer; an empty object if the body is not JSON. */
  readonly body: JsonObject;
}

export type ControlRig = Awaited<ReturnType<typeof startControlRig>>;

export async function startControlRig() {
  const timers = new VirtualTimers();
  const plan = new FaultPlan({ seed: 1, timers });
  const catalog = createCatalog({ seed: 1, now: timers.now() });
  const common = { timers, faults: plan, seed: 1, host: '127.0.0.1', mode: 'exact' } as const;
  const ports = { clob: 0, gamma: 0, data: 0 };
  const paperA = await startPaperVenueA({ ...common, catalog: catalog.venueA, chainId: POLYGON, keySeed: 'k', ports });
  const paperB = await startPaperVenueB({ ...common, catalog: catalog.venueB, port: 0 });
  const [venueA, venueB] = [paperA.control, paperB.control];
  const parts = { plan, timers, seed: 7, urls: { venueB: paperB.urls.rest }, venueA, venueB };
  const server = await startControlServer({ parts, host: '127.0.0.1', port: 0 });
  return {
    ...{ server, timers, plan, venueA, venueB, exchangeA: paperA.exchange, exchangeB: paperB.exchange },
    ...{ urlsA: paperA.urls, urlsB: paperB.urls },
    conditionId: [...paperA.exchange.markets.keys()][0]!,
    ticker: [...paperB.exchange.markets.values()].findLast(({ status }) => status === 'active')!.ticker,
    /** A request to the control API; `body` is sent as JSON. */
    call: (method: string, path: string, body?: unknown) => ask(server.url + path, method, {}, body),
    /** A request to venue A, signed by a client with the right time. */
    callA: (account: VenueAAccount, method: string, path: string) =>
      ask(paperA.urls.rest + path, method, headersA(account, { method, path, nowMs: timers.now() }), undefined),
    /** A request to venue B, signed by a client with the right time. */
    callB: (account: VenueBAccount, method: string, path: string, body?: unknown) => {
      const url = new URL(paperB.urls.rest + path);
      return ask(url.href, method, headersB(account, { method, path: url.pathname, nowMs: timers.now() }), body);
    },
    close: () => {
      for (const it of [server, paperA, paperB]) it.close();
    },
  };
}

interface Signed {
  readonly method: string;
  readonly path: string;
  readonly nowMs: number;
}

function headersA({ address, apiKey, secret, passphrase }: VenueAAccount, { method, path, nowMs }: Signed) {
  const timestamp = String(Math.floor(nowMs / 1_000));
  return {
    POLY_ADDRESS: address,
    POLY_SIGNATURE: l2Signature({ secret, timestamp, method, path, body: new Uint8Array() }),
    POLY_TIMESTAMP: timestamp,
    POLY_API_KEY: apiKey,
    POLY_PASSPHRASE: passphrase,
  };
}

export function headersB({ keyId, privateKeyPem }: VenueBAccount, { method, path, nowMs }: Signed) {
  const text = Buffer.from(nowMs + method + path);
  const key = createPrivateKey(privateKeyPem);
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  const signature = key.asymmetricKeyType === 'rsa' ? sign('sha256', text, pss) : sign(null, text, key);
  return {
    'KALSHI-ACCESS-KEY': keyId,
    'KALSHI-ACCESS-TIMESTAMP': String(nowMs),
    'KALSHI-ACCESS-SIGNATURE': signature.toString('base64'),
  };
}

export interface VenueAAccount {
  readonly address: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

export interface VenueBAccount {
  readonly keyId: string;
  readonly privateKeyPem: string;
}

async function ask(url: string, method: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers: { ...headers, ...type }, ...sent });
  const json = parseJson(await answer.text());
  return { status: answer.status, body: isObject(json) ? json : {} };
}
