// Reads the USDC.e of a wallet, which venue A accepts after conversion. Asks the operator's node by one call, and caches the answer
// briefly. The node's words are never repeated, because its address may contain a key. Any thread.

import { isObject, parseJson } from '../../../core/domain/json.ts';
import type { MicroDollars } from '../../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { HTTP_OK } from '../../../core/net/http-status.ts';
import type { OutboundOutcome, OutboundPool } from '../../../core/net/outbound.ts';
import { limits } from '../../../limits.ts';
import { askAgainIfLost, REQUEST_HEADERS } from '../../venue-json.ts';

interface UnconvertedParts {
  /** The connections to the node. Their creator closes them. */
  readonly outbound: OutboundPool;
  /** The path of the node's JSON-RPC. */
  readonly target: string;
  readonly now: () => number;
}

type Unconverted = Result<MicroDollars, string>;

/** The token's contract on Polygon (venue-a.md §0); it has six decimals, as dollars have here. */
const USDC_E = '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174';
/** The selector of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231';
const WORD_HEX_DIGITS = 64;
const WORD = /^0x[0-9a-f]{64}$/i;
/** Our own words for a missing answer, because the original words name the host. */
const NO_ANSWER: Readonly<Record<Exclude<OutboundOutcome['type'], 'answer'>, string>> = {
  'not-sent': 'no connection to the node',
  lost: 'the connection to the node broke',
  timeout: 'no answer of the node in time',
};

/** Returns a reader that reads one wallet at a time, because an account has one wallet. */
export function unconvertedReader({
  outbound,
  target,
  now,
}: UnconvertedParts): (wallet: string) => Promise<Unconverted> {
  let last: { readonly wallet: string; readonly at: number; readonly answer: Promise<Unconverted> } | null = null;
  return async wallet => {
    if (last !== null && last.wallet === wallet && now() - last.at < limits.unconvertedFreshMs) return last.answer;
    const asked = { wallet, at: now(), answer: read(outbound, target, wallet) };
    last = asked;
    const answer = await asked.answer;
    if (!answer.ok && last === asked) last = null;
    return answer;
  };
}

async function read(outbound: OutboundPool, target: string, wallet: string): Promise<Unconverted> {
  const call = { to: USDC_E, data: BALANCE_OF + wallet.slice(2).toLowerCase().padStart(WORD_HEX_DIGITS, '0') };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, 'latest'] });
  const headers = { ...REQUEST_HEADERS, 'content-type': 'application/json' };
  const ask = () => outbound.request({ method: 'POST', target, headers, body }, limits.upstreamRestTimeoutMs);
  return amountOf(await askAgainIfLost(ask));
}

function amountOf(outcome: OutboundOutcome): Unconverted {
  if (outcome.type !== 'answer') return fail(`USDC.e: ${NO_ANSWER[outcome.type]}`);
  if (outcome.status !== HTTP_OK) return fail(`USDC.e: HTTP ${outcome.status} of the node`);
  const answer = parseJson(outcome.body);
  if (!isObject(answer)) return fail('USDC.e: an answer of the node that is not a JSON object');
  if (isObject(answer.error)) {
    const { code } = answer.error;
    return fail(`USDC.e: error${typeof code === 'number' ? ` ${code}` : ''} of the node`);
  }
  // A node of another chain does not have this contract, and answers `0x`.
  const { result } = answer;
  if (typeof result !== 'string' || !WORD.test(result))
    return fail('USDC.e: an answer of the node that is not a balance');
  const micros = Number(BigInt(result));
  return Number.isSafeInteger(micros) ? ok(micros as MicroDollars) : fail('USDC.e: a balance past 2^53');
}
