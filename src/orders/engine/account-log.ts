// The log lines about accounts, their wallets, and what halts their orders. Engine thread.

import { isoMillisOf } from '../../core/domain/iso-time.ts';
import { formatMicroDollars, formatMicroShares, type UnixMillis } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Account } from '../../core/store/order-records.ts';
import { formatTime } from '../../core/wire/time-text.ts';
import type { AccountNews } from '../life/account-parts.ts';
import type { HearRedeem } from '../life/auto-redeem.ts';
import type { HaltChange } from './halt-change.ts';

/** Logs a redeem that the engine made by itself. At protocol V1 no actor hears of these redeems, so the log is the only report. */
export function logRedeem(log: Log, ...[result, action]: Parameters<HearRedeem>): void {
  const { podId, actorId, actionId, tokenId, shares, amount, transactionHash, error } = action;
  const sizes = { shares: formatMicroShares(shares), amountUsd: formatMicroDollars(amount) };
  const isExpected = result === 'made' || result === 'confirmed';
  const detail = {
    result,
    podId,
    actorId,
    actionId,
    tokenId,
    ...sizes,
    transactionHash,
    error: error?.message ?? null,
  };
  log[isExpected ? 'info' : 'warn']('automatic redeem', detail);
}

/** A process may be killed before anybody reads its count. After this many milliseconds, metrics were read and alarms were sent. */
const HEARD_MS = 60_000;

/**
 * Logs and counts that a protection was triggered or a loss limit was reached. A start reports again each halt that still stands; a halt
 * older than HEARD_MS is logged but not counted again.
 */
export function logHalt(log: Log, metrics: Pick<Metrics, 'count'>, change: HaltChange, now: UnixMillis): void {
  if (change.event === 'TRIGGERED') {
    const { actorId, venue, address, triggered } = change.protection;
    const { at, fills, size } = triggered!;
    if (now - at < HEARD_MS) metrics.count('protections_triggered_total', venue);
    log.warn('protection triggered', { actorId, venue, address, at: formatTime(at), fills, size });
  } else if (change.event === 'REACHED') {
    const { scope, limit } = change;
    const { reachedAt: at, lossMaxUsd, lossUsd } = limit;
    if (now - isoMillisOf(at!)! < HEARD_MS) metrics.count('loss_limits_reached_total');
    log.warn('loss limit reached', { scope, at, lossMaxUsd, lossUsd });
  }
}

export function logNews(log: Log, { podId, venue }: Account, news: AccountNews): void {
  switch (news.type) {
    case 'read':
      log.info('account read', { podId, venue });
      break;
    case 'unread':
      log.warn('account cannot be read', { podId, venue, message: news.message });
      break;
    case 'held':
      log.warn('fills cannot be read', { podId, venue, rows: news.rows });
      break;
    case 'attestation':
      if (news.endsAt !== null)
        log.warn('location attestation ends', { podId, venue, at: new Date(news.endsAt).toISOString() });
      break;
    case 'actions':
      break;
    case 'behind':
      log.debug('reads of the account', { podId, venue, isBehind: news.isBehind });
      break;
    case 'stream-up':
      log.info('private stream up', { podId, venue });
      break;
    case 'stream-down':
      log.warn('private stream down', { podId, venue, message: news.message });
      break;
    default:
      unreachable(news);
  }
}
