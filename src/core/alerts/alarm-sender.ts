// Sends alarms to the operator's address, one request at a time. A kind that was sent is quiet for a while; events of this kind become one
// alarm with a count meanwhile. So at most one alarm of a kind waits, however long the address fails. The alerts' thread.

import { randomUUID } from 'node:crypto';
import { BoundedMap } from '../domain/bounded-map.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { OutboundOutcome } from '../net/outbound.ts';
import { HttpOutboundPool } from '../net/outbound-pool.ts';
import { retryAfterSeconds } from '../net/retry-after.ts';
import type { Log } from '../runtime/log.ts';
import type { Timers } from '../runtime/timers.ts';
import { type Alarm, type AlarmOrder, alarmRequest, LINES_MAX } from './alarm-request.ts';
import { ALARM_KINDS, type AlarmKind, type AlertSettings } from './alert-settings.ts';

/** The time for which a kind is quiet after it was sent. */
const QUIET_MS = 30_000;
/** The time for one attempt. */
const ANSWER_MS = 10_000;
/** The number of attempts after which an alarm is given up, about five minutes. */
const ATTEMPTS_MAX = 10;
/** The first pause after a failed attempt. The pause doubles with each attempt, up to the second value. */
const BACKOFF_MS = 1_000;
const BACKOFF_MS_MAX = 60_000;
/** The longest pause that `Retry-After` can ask for. */
const STATED_PAUSE_MS_MAX = 300_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** An event that happened `count` times. */
export interface AlarmNews extends Pick<Alarm, 'at' | 'count'> {
  readonly kind: AlarmKind;
  readonly line: string;
  /** The order that the line is about. Null means that the line is about no order. */
  readonly order: AlarmOrder | null;
}

interface AlarmSenderParts {
  readonly settings: AlertSettings;
  /** The name of the gateway's machine. */
  readonly gateway: string;
  readonly timers: Timers;
  readonly sent: () => void;
  /** Called when an alarm is given up, with the number of events in the alarm. */
  readonly dropped: (count: number) => void;
  readonly log: Log;
  /** The time for one attempt. The default is `ANSWER_MS`. */
  readonly answerMs?: number;
}

interface Draft {
  readonly at: UnixMillis;
  count: number;
  /** The lines by order, or by line if a line is about no order. The latest line of an order replaces the line before. */
  readonly found: Map<string, Pick<AlarmNews, 'line' | 'order'>>;
}

interface Sending {
  readonly alarm: Alarm & { readonly kind: AlarmKind };
  attempts: number;
}

export class AlarmSender {
  readonly #parts: AlarmSenderParts;
  readonly #pool: HttpOutboundPool;
  readonly #drafts = new Map<AlarmKind, Draft>();
  /** The time from which each kind may be sent again, by `elapsed()`. */
  readonly #quietUntil = new BoundedMap<AlarmKind, number>(ALARM_KINDS.length);
  #sending: Sending | null = null;
  #isClosed = false;
  #cancelTimer: () => void = () => {};

  constructor(parts: AlarmSenderParts) {
    this.#parts = parts;
    this.#pool = alertPool(parts.settings);
  }

  handle({ kind, at, count, line, order }: AlarmNews): void {
    const draft = this.#drafts.get(kind) ?? { at, count: 0, found: new Map() };
    this.#drafts.set(kind, draft);
    draft.count += count;
    const key = order?.orderId ?? line;
    // The latest line stands last, so that a state that is raised again does not stand above its earlier end.
    if (draft.found.delete(key) || draft.found.size < LINES_MAX) draft.found.set(key, { line, order });
    this.#sendNext();
  }

  /** Ends the sender. Alarms that were not sent are lost. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#pool.destroy();
  }

  #sendNext(): void {
    if (this.#sending !== null || this.#isClosed) return;
    this.#cancelTimer();
    const now = this.#parts.timers.elapsed();
    const dueAt = (kind: AlarmKind): number => this.#quietUntil.get(kind) ?? now;
    const waiting = ALARM_KINDS.filter(kind => this.#drafts.has(kind));
    const kind = waiting.find(it => dueAt(it) <= now);
    if (kind !== undefined) this.#send(kind);
    else if (waiting.length > 0) this.#later(Math.min(...waiting.map(dueAt)) - now, () => this.#sendNext());
  }

  #send(kind: AlarmKind): void {
    const { at, count, found } = this.#drafts.get(kind)!;
    this.#drafts.delete(kind);
    const lines = Array.from(found.values(), it => it.line);
    const orders = Array.from(found.values(), it => it.order).filter(it => it !== null);
    const alarm = { id: randomUUID(), kind, at, count, lines, orders, gateway: this.#parts.gateway };
    this.#sending = { alarm, attempts: 0 };
    this.#attempt(this.#sending);
  }

  #attempt(sending: Sending): void {
    const { settings, timers, answerMs = ANSWER_MS } = this.#parts;
    sending.attempts += 1;
    const request = alarmRequest(settings, sending.alarm, () => timers.now());
    this.#pool.send(request, answerMs, outcome => this.#handleOutcome(sending, outcome));
  }

  #handleOutcome(sending: Sending, outcome: OutboundOutcome): void {
    if (this.#isClosed) return;
    const { timers, sent, dropped, log } = this.#parts;
    const { kind, count } = sending.alarm;
    const fault = faultIn(outcome);
    if (fault === null) sent();
    else if (isTemporary(outcome) && sending.attempts < ATTEMPTS_MAX) {
      if (sending.attempts === 1) log.warn('an alarm is not taken', { kind, fault });
      const pauseMs = Math.max(backoffMs(sending.attempts), statedPauseMs(outcome, timers.now()));
      this.#later(pauseMs, () => this.#attempt(sending));
      return;
    } else {
      dropped(count);
      log.warn('an alarm is lost', { kind, count, fault });
    }
    this.#quietUntil.set(kind, timers.elapsed() + QUIET_MS);
    this.#sending = null;
    this.#sendNext();
  }

  #later(delayMs: number, task: () => void): void {
    this.#cancelTimer = this.#parts.timers.after(delayMs, task);
  }
}

/** Sends an alarm once. Returns null if the alarm was taken; otherwise returns the reason why not, without a secret. */
export async function sendAlarm(settings: AlertSettings, alarm: Alarm): Promise<string | null> {
  const pool = alertPool(settings);
  const outcome = await pool.request(
    alarmRequest(settings, alarm, () => Date.now()),
    ANSWER_MS,
  );
  pool.destroy();
  return faultIn(outcome);
}

function alertPool({ url }: AlertSettings): HttpOutboundPool {
  return new HttpOutboundPool({
    origin: new URL(url).origin,
    connectionsMax: 1,
    idleMs: 0,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
}

/** Returns null if the alarm was taken. A service's own words are left out, because they may repeat its address, which is a secret. */
function faultIn(outcome: OutboundOutcome): string | null {
  if (outcome.type !== 'answer') return outcome.message;
  return outcome.status >= 200 && outcome.status < 300 ? null : `it answers ${outcome.status}`;
}

const TOO_MANY = 429;
const SLOW_REQUEST = 408;

function isTemporary(outcome: OutboundOutcome): boolean {
  if (outcome.type !== 'answer') return true;
  return outcome.status >= 500 || outcome.status === TOO_MANY || outcome.status === SLOW_REQUEST;
}

function backoffMs(attempts: number): number {
  return Math.min(BACKOFF_MS * 2 ** (attempts - 1), BACKOFF_MS_MAX);
}

function statedPauseMs(outcome: OutboundOutcome, now: number): number {
  if (outcome.type !== 'answer') return 0;
  const { headers } = outcome;
  const seconds = retryAfterSeconds(headers.get('retry-after') ?? '0', headers.get('date') ?? '', now) ?? 0;
  return Math.min(seconds * 1_000, STATED_PAUSE_MS_MAX);
}
