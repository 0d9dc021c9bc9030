// Makes the request that sends an alarm: JSON for a program, or ready text for Slack, Discord and Telegram. Lines come from people and
// venues, so each service gets them with the service's own marks escaped. Pure.

import { createHmac } from 'node:crypto';
import type { Venue } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { OrderStatus } from '../domain/order.ts';
import { plainText } from '../domain/plain-text.ts';
import { unreachable } from '../domain/result.ts';
import type { OutboundRequest } from '../net/outbound.ts';
import type { AlarmKind, AlertFormat, AlertSettings } from './alert-settings.ts';

/** An order of an alarm, in the words of docs/PROTOCOL.md; sizes, prices and dollars are decimal text. */
export interface AlarmOrder {
  readonly actorId: string;
  readonly orderId: string;
  readonly venue: Venue;
  /** The token id or ticker. */
  readonly market: string;
  /**
   * The title of the market. Title and outcome are texts of strangers, plain and bounded. Null means that the catalog does not know the
   * market.
   */
  readonly title: string | null;
  /** The outcome in which a token, or YES of the ticker, pays. */
  readonly outcome: string | null;
  readonly side: 'BUY' | 'SELL' | 'YES' | 'NO';
  /** The action; null at venue A. */
  readonly action: 'BUY' | 'SELL' | null;
  /** The size; null for an order in dollars. */
  readonly size: string | null;
  readonly amountUsd: string | null;
  /** The limit price or the worst price. Null means that the order has no such price. */
  readonly price: string | null;
  readonly status: OrderStatus;
  readonly filled: string;
  /** The average price. Null before the first fill. */
  readonly averagePrice: string | null;
}

export interface Alarm {
  /** The id of the alarm, the same at each attempt to send the alarm. */
  readonly id: string;
  readonly kind: AlarmKind | 'test';
  /** The time at which the first of the `count` events happened. */
  readonly at: UnixMillis;
  readonly count: number;
  /** A sentence for each of the first `LINES_MAX` events of `count`. */
  readonly lines: readonly string[];
  /** The orders that the lines are about. */
  readonly orders: readonly AlarmOrder[];
  /** The name of the gateway's machine. */
  readonly gateway: string;
}

export const LINES_MAX = 10;
const LINE_CHARACTERS_MAX = 300;
/** The longest text. Discord takes no longer text; Slack and Telegram take twice as much. */
const TEXT_CHARACTERS_MAX = 2_000;
const MORE = '\n…';

/** Makes the request. `now` returns the Unix milliseconds at which the request leaves. */
export function alarmRequest(settings: AlertSettings, alarm: Alarm, now: () => number): OutboundRequest {
  const { url, format, secret } = settings;
  const { pathname, search, searchParams } = new URL(url);
  const chatId = searchParams.get('chat_id');
  const target = format === 'telegram' ? pathname : `${pathname}${search}`;
  const body = JSON.stringify(bodyOf(format, alarm, chatId));
  return { method: 'POST', target, headers: () => headersOf(secret, alarm.id, String(now()), body), body };
}

function headersOf(secret: string | null, id: string, timestamp: string, body: string): Record<string, string> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': id, 'Crossbook-Timestamp': timestamp };
  if (secret === null) return headers;
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { ...headers, 'Crossbook-Signature': signature };
}

function bodyOf(format: AlertFormat, alarm: Alarm, chatId: string | null): object {
  switch (format) {
    case 'json':
      return { ...alarm, at: new Date(alarm.at).toISOString(), lines: alarm.lines.map(plainLine) };
    case 'slack':
      return { text: textOf(alarm, text => text.replace(/[&<>]/g, it => SLACK_ENTITIES[it]!)) };
    case 'discord':
      return { content: textOf(alarm, escapeMarkdown), allowed_mentions: { parse: [] } };
    case 'telegram':
      // Without a parse mode Telegram shows the text as it is.
      return { chat_id: chatId, text: textOf(alarm, text => text), link_preview_options: { is_disabled: true } };
    default:
      return unreachable(format);
  }
}

const SLACK_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|<>#[\]()@:-]/g, '\\$&');
}

function textOf({ kind, count, lines, gateway }: Alarm, escaped: (text: string) => string): string {
  const head = `crossbook on ${gateway}: ${kind}${count > 1 ? `, ${count} times` : ''}`;
  const all = [head, ...lines.map(plainLine)].map(escaped);
  const shown = all.filter(
    (_, index) => all.slice(0, index + 1).join('\n').length <= TEXT_CHARACTERS_MAX - MORE.length,
  );
  const isWhole = shown.length === all.length && (count <= lines.length || lines.length < LINES_MAX);
  return shown.join('\n') + (isWhole ? '' : MORE);
}

function plainLine(line: string): string {
  return plainText(line, LINE_CHARACTERS_MAX);
}
