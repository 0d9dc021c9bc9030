// `crossbook venue-b` shows the cash of an account at venue B by shard, and transfers cash between shards (venue-b.md §3, §6). No other
// command moves cash. A transfer is sent once, and only with words that repeat its effect.

import { countOf, isObject, objectsOf, parseJson, textOf } from '../../core/domain/json.ts';
import { formatMicroDollars, type MicroDollars } from '../../core/domain/numbers.ts';
import type { PodVenues, VenueBTradingAccount } from '../../core/domain/pod-accounts.ts';
import type { LivePaper } from '../../venues/source-settings.ts';
import type { ShardCash } from '../../venues/venue.ts';
import { createVenueBSigner } from '../../venues/venue-b/auth.ts';
import { shardsIn } from '../../venues/venue-b/trading/account.ts';
import { moneyOf } from '../../venues/venue-b/trading/amounts.ts';
import { isRefusing, wordsIn } from '../../venues/venue-b/trading/refusals.ts';
import { type Arguments, type CommandIo, type RunCommand, UsageError, withSubcommands } from './command-io.ts';
import type { Finding } from './finding.ts';

const ANSWER_MS = 10_000;
const TRANSFERS = '/portfolio/intra_exchange_instance_transfer';
const MICROS_PER_CENTICENT = 100;
const OK = 200;

/** Sends a request to venue B. Rejects if there is no answer. */
export async function askVenueB(
  { restUrl, keyId, privateKeyPem }: VenueBTradingAccount,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const url = `${restUrl}${path}`;
  const method = body === undefined ? 'GET' : 'POST';
  const signed = createVenueBSigner(keyId, privateKeyPem)(method, url, Date.now());
  const headers = { ...signed, 'Content-Type': 'application/json' };
  const request = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
  return { status: answer.status, body: parseJson(await answer.text()) };
}

/** The cash as the venue states it. Empty if the venue does not state the cash of all shards. */
async function cashOf(account: VenueBTradingAccount): Promise<readonly ShardCash[]> {
  const { status, body } = await askVenueB(account, '/portfolio/balance');
  if (status !== OK || !isObject(body))
    throw new Error(`venue B shows no balance: ${errorIn(body) || `HTTP ${status}`}`);
  return shardsIn(body, [], []);
}

/** The findings about cash for `crossbook doctor`. */
export async function cashFindings({ podId, venueB }: PodVenues): Promise<readonly Finding[]> {
  if (venueB === null) return [];
  try {
    const cash = await cashOf(venueB);
    if (cash.length === 0) return [];
    return [{ about: 'venues', level: 'ok', says: `cash of ${podId} at venue B: ${cash.map(cashText).join(', ')}` }];
  } catch {
    // An address that cannot be reached is reported by another finding.
    return [];
  }
}

/** Finds out whether the key of live-paper may do more than read, as far as the venue says (venue-b.md §2). */
export async function readKeyFindings({ b }: LivePaper): Promise<readonly Finding[]> {
  if (b === null) return [];
  const about = 'venues';
  try {
    const { body } = await askVenueB({ ...b.venueB, ...b.account }, '/api_keys');
    const keys = isObject(body) ? objectsOf(body.api_keys) : [];
    const scopes = keys.find(it => it.api_key_id === b.account.keyId)?.scopes;
    if (!Array.isArray(scopes)) {
      return [{ about, level: 'ok', says: 'venue B does not say what the key of live-paper may do' }];
    }
    const words = scopes.map(textOf).join(', ');
    if (!scopes.some(scope => !/^read(::|$)/.test(textOf(scope)))) {
      return [{ about, level: 'ok', says: `the key of live-paper only reads at venue B: ${words}` }];
    }
    const advice =
      'make a key with the scope read on the site of venue B: live-paper sends no orders, but a thief of the key could';
    return [{ about, level: 'warn', says: `the key of live-paper may do more than read at venue B: ${words}`, advice }];
  } catch {
    // An address that cannot be reached is reported by another finding.
    return [];
  }
}

/** `readPods` throws an error in words if the accounts are faulty. */
export function venueBCommand(readPods: () => readonly PodVenues[]): RunCommand {
  return withSubcommands('venue-b', {
    cash: { options: ['pod'], run: async (args, io) => showCash(accountOf(readPods(), args), io) },
    transfer: {
      options: ['pod', 'from', 'to', 'usd', 'confirm'],
      run: async (args, io) => transfer(accountOf(readPods(), args), wishIn(args), io),
    },
  });
}

function accountOf(pods: readonly PodVenues[], args: Arguments): VenueBTradingAccount {
  const named = args.one('pod');
  const found = pods.flatMap(({ podId, venueB }) =>
    venueB === null || (named !== undefined && podId !== named) ? [] : [venueB],
  );
  if (found.length === 1) return found[0]!;
  throw new UsageError(
    found.length === 0 ? '--pod: must have an account at venue B' : '--pod: is required with several pods',
  );
}

async function showCash(account: VenueBTradingAccount, io: CommandIo): Promise<void> {
  const cash = await cashOf(account);
  io.out(cash.length === 0 ? 'venue B does not state the cash of each shard\n' : `${cash.map(cashText).join('\n')}\n`);
}

function cashText({ shard, available }: ShardCash): string {
  return `$${formatMicroDollars(available)} on shard ${shard}`;
}

interface Wish {
  readonly from: number;
  readonly to: number;
  readonly amount: MicroDollars;
}

function wishIn(args: Arguments): Wish {
  const [from, to] = [shardIn(args, 'from'), shardIn(args, 'to')];
  if (from === to) throw new UsageError('--to: must differ from --from');
  const amount = moneyOf(args.required('usd'));
  if (amount === null || amount === 0 || amount % MICROS_PER_CENTICENT !== 0)
    throw new UsageError('--usd: must be a decimal above 0, of at most 4 decimals');
  const words = `move ${formatMicroDollars(amount)} from ${from} to ${to}`;
  if (args.one('confirm') !== words) throw new UsageError(`nothing is moved yet; to do it: --confirm '${words}'`);
  return { from, to, amount };
}

function shardIn(args: Arguments, option: string): number {
  const text = args.required(option);
  const shard = /^\d{1,4}$/.test(text) ? countOf(Number(text)) : null;
  if (shard === null) throw new UsageError(`--${option}: must be the number of a shard`);
  return shard;
}

async function transfer(account: VenueBTradingAccount, { from, to, amount }: Wish, io: CommandIo): Promise<void> {
  const instance = 'event_contract';
  const wish = { source: instance, destination: instance, amount: amount / MICROS_PER_CENTICENT };
  const answer = await askVenueB(account, TRANSFERS, {
    ...wish,
    source_exchange_shard: from,
    destination_exchange_shard: to,
  }).catch(() => null);
  const said = answer === null ? '' : errorIn(answer.body);
  if (answer !== null && isRefusing(answer.status) && said !== '')
    throw new Error(`venue B refuses the transfer: ${said}`);
  const id = isObject(answer?.body) ? textOf(answer.body.transfer_id) : '';
  if (answer?.status !== OK || id === '')
    throw new Error('venue B has not confirmed the transfer: see crossbook venue-b cash before you repeat it');
  io.out(`venue B moves it as transfer ${id}, at once or within an hour\n`);
  await showCash(account, io);
}

function errorIn(body: unknown): string {
  return wordsIn(body)?.text ?? '';
}
