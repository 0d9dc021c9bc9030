// `crossbook paper` in a process of its own, which outlives every gateway. It has two pods' accounts with a million dollars at each venue,
// and the control through which faults are requested.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Venue } from '../../src/core/domain/market.ts';
import type { DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { OwnProcess } from '../support/child-process.ts';
import { type Answer, ask } from '../support/paper-traders.ts';

/** The money of each account at the beginning, in dollars, and in micro-dollars. */
const OPENING = '1000000';
export const OPENING_MICROS = 1_000_000_000_000n;
const OPENING_OF_DEMO = '990000';

const PORTS = ['venue-a', 'gamma', 'data', 'venue-b', 'venue-d', 'venue-e', 'control'];

/** The accounts of one pod, at both venues. */
export interface PodAccount {
  readonly podId: string;
  readonly accounts: DemoAccounts;
  /** The address of the deposit wallet that has the money at venue A. Without this address the signer has the money. */
  readonly wallet?: string;
}

type UrlName =
  | `venue_a ${'rest' | 'marketStream' | 'userStream' | 'gamma' | 'data' | 'relayer'}`
  | `venue_b ${'rest' | 'stream'}`;

interface PaperProcessOptions {
  readonly folder: string;
  readonly seed: number;
  /** A factor on the recorded pace of the market flow. */
  readonly intensity: number;
}

export class PaperProcess {
  readonly urls: Readonly<Record<UrlName, string>>;
  readonly pods: readonly PodAccount[];
  readonly #child: OwnProcess;
  readonly #controlUrl: string;

  private constructor(child: OwnProcess, controlUrl: string, { urls, pods }: Pick<PaperProcess, 'urls' | 'pods'>) {
    this.#child = child;
    this.#controlUrl = controlUrl;
    this.urls = urls;
    this.pods = pods;
  }

  static async start({ folder, seed, intensity }: PaperProcessOptions): Promise<PaperProcess> {
    const ports = PORTS.flatMap(name => [`--${name}-port`, '0']);
    const flow = ['--seed', String(seed), '--intensity', String(intensity), '--taker-delay', '0.5'];
    const args = ['src/tools/cli/crossbook.ts', 'paper', '--data-dir', folder, ...ports, ...flow];
    const child = new OwnProcess(args);
    try {
      await child.said(/^accounts .+\n/m);
      const [, controlUrl = ''] = await child.said(/^control +(\S+)$/m);
      const { urls } = (await ask<Pick<PaperProcess, 'urls'>>(controlUrl)).body;
      const demo = JSON.parse(readFileSync(join(folder, 'paper/accounts.json'), 'utf8')) as DemoAccounts;
      const pods = [await demoPod(controlUrl, demo), await openedPod(controlUrl)];
      return new PaperProcess(child, controlUrl, { urls, pods });
    } catch (error) {
      child.signal('SIGKILL');
      throw error;
    }
  }

  async control<Body = unknown>(method: string, path: string, body?: object): Promise<Body> {
    return taken(await ask<Body>(this.#controlUrl + path, method, body));
  }

  /** Resolves when the process has ended, with its reports of internal faults. */
  async end(): Promise<string> {
    this.#child.signal('SIGTERM');
    await this.#child.ended;
    return this.#child.stderr;
  }
}

async function demoPod(controlUrl: string, accounts: DemoAccounts): Promise<PodAccount> {
  const { venueA, venueB } = accounts;
  const deposit = async (venue: Venue, account: string): Promise<void> => {
    const url = `${controlUrl}/venues/${venue}/accounts/${account}/deposits`;
    taken(await ask(url, 'POST', { amount: OPENING_OF_DEMO }));
  };
  await Promise.all([deposit('venue_a', venueA.address), deposit('venue_b', venueB.userId)]);
  return { podId: 'desk', accounts };
}

async function openedPod(controlUrl: string): Promise<PodAccount> {
  const open = async <Body>(venue: Venue, terms: object): Promise<Body> =>
    taken(await ask<Body>(`${controlUrl}/venues/${venue}/accounts`, 'POST', { balance: OPENING, ...terms }));
  const [venueA, venueB] = await Promise.all([
    open<DemoAccounts['venueA']>('venue_a', {}),
    open<{ readonly userId: string; readonly keyId: string; readonly privateKeyPem: string }>('venue_b', {
      tier: 'prestige',
      generate: 'ed25519',
    }),
  ]);
  const { userId, keyId, privateKeyPem } = venueB;
  return {
    podId: 'fund',
    accounts: { venueA, venueB: { userId, keys: [{ keyId, keyType: 'ed25519', privateKeyPem }] } },
  };
}

function taken<Body>({ status, body }: Answer<Body>): Body {
  if (status < 300) return body;
  throw new Error(`control: HTTP ${status} ${JSON.stringify(body)}`);
}
