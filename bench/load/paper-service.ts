// The paper exchanges as a user starts them (`crossbook paper`), in their own process: quotes, no flow, no delays. Their
// accounts have no rate limits and more money than a run can spend.

import { isObject, textOf } from '../../src/core/domain/json.ts';
import type { VenueAAccount, VenueBTradingAccount } from '../../src/core/domain/pod-accounts.ts';
import type { VenueBKeyType } from '../../src/paper/control/demo-accounts.ts';
import { POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import { OwnProcess } from '../../test/support/child-process.ts';
import type { VenueAMarket, VenueBMarket } from './order-taker.ts';

export type PaperMode = 'exact' | 'instant';

const PORTS = ['venue-a', 'gamma', 'data', 'venue-b', 'venue-d', 'venue-e', 'control'];
const ANY_PORTS = PORTS.flatMap(name => [`--${name}-port`, '0']);
const COMMAND = ['src/tools/cli/crossbook.ts', 'paper', '--intensity', '0', '--taker-delay', '0', ...ANY_PORTS];
const BALANCE = '1000000';

export class PaperService {
  readonly urls: ReadonlyMap<string, string>;
  readonly #program: OwnProcess;

  static async start(mode: PaperMode, dataDir: string): Promise<PaperService> {
    const flags = mode === 'instant' ? ['--instant'] : [];
    const program = new OwnProcess([...COMMAND, ...flags, '--data-dir', dataDir]);
    await program.said(/^accounts .*\n/m);
    const lines = program.stdout.split('\n').map(line => /^(\w.*?) {2,}(\S+)$/.exec(line));
    return new PaperService(program, new Map(lines.flatMap(it => (it === null ? [] : [[it[1]!, it[2]!]]))));
  }

  private constructor(program: OwnProcess, urls: ReadonlyMap<string, string>) {
    this.#program = program;
    this.urls = urls;
  }

  url(name: string): string {
    const url = this.urls.get(name);
    if (url === undefined) throw new Error(`the paper exchanges did not say where ${name} is`);
    return url;
  }

  async venueBAccount(generate: VenueBKeyType): Promise<VenueBTradingAccount> {
    const request = { generate, tier: 'unlimited', balance: BALANCE };
    const made = await this.control('POST', '/venues/venue_b/accounts', request);
    const [keyId, privateKeyPem] = [textOf(made.keyId), textOf(made.privateKeyPem)];
    return { restUrl: this.url('venue B'), streamUrl: this.url('venue B stream'), keyId, privateKeyPem };
  }

  async venueAAccount(): Promise<VenueAAccount> {
    const made = await this.control('POST', '/venues/venue_a/accounts', { balance: BALANCE });
    return {
      restUrl: this.url('venue A CLOB'),
      userStreamUrl: this.url('venue A user stream'),
      dataUrl: this.url('venue A Data API'),
      chainId: POLYGON,
      privateKey: textOf(made.privateKey).replace(/^0x/, ''),
      funder: textOf(made.wallet),
      signatureType: 0,
      apiKey: textOf(made.apiKey),
      secret: textOf(made.secret),
      passphrase: textOf(made.passphrase),
    };
  }

  /** Returns the market that closes last, among the markets whose price is far from one cent. */
  async venueBMarket(): Promise<VenueBMarket> {
    interface Row extends Readonly<Record<'ticker' | 'yes_ask_dollars' | 'expected_expiration_time', string>> {}
    const listed = await json<{ readonly markets: readonly Row[] }>(
      `${this.url('venue B')}/markets?limit=1000&status=open`,
    );
    const row = last(listed.markets, it => [it.yes_ask_dollars, it.expected_expiration_time]);
    return { venue: 'venue_b', ticker: row.ticker };
  }

  async venueAMarket(): Promise<VenueAMarket> {
    interface Row extends Readonly<Record<'clobTokenIds' | 'endDate', string>> {
      readonly bestAsk: number;
      readonly negRisk: boolean;
    }
    const listed = await json<readonly Row[]>(`${this.url('venue A Gamma')}/markets?limit=500&closed=false`);
    const row = last(listed, it => [it.bestAsk, it.endDate]);
    const [tokenId] = JSON.parse(row.clobTokenIds) as [string];
    return { venue: 'venue_a', tokenId, isNegRisk: row.negRisk };
  }

  /** Sends a request to the control API, and returns its answer. */
  async control(
    method: 'POST' | 'DELETE',
    path: string,
    body: object = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(this.url('control') + path, { method, headers, body: JSON.stringify(body) });
    const value: unknown = await answer.json();
    if (!answer.ok || !isObject(value)) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  }

  async close(): Promise<void> {
    this.#program.signal('SIGKILL');
    await this.#program.ended;
  }
}

const MIDDLING = [0.3, 0.7] as const;

function last<Row>(rows: readonly Row[], of: (row: Row) => readonly [ask: string | number, ends: string]): Row {
  const middling = rows.filter(row => Number(of(row)[0]) > MIDDLING[0] && Number(of(row)[0]) < MIDDLING[1]);
  const [found] = middling.toSorted((one, other) => of(other)[1].localeCompare(of(one)[1]));
  if (found === undefined) throw new Error('no market is in the middle');
  return found;
}

async function json<T>(url: string): Promise<T> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return (await answer.json()) as T;
}
