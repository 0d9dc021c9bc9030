// The forms of alarms: what is escaped, and what goes where.

import { describe, expect, it } from 'vitest';
import { type Alarm, type AlarmOrder, alarmRequest } from '../../../src/core/alerts/alarm-request.ts';
import type { AlertFormat } from '../../../src/core/alerts/alert-settings.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';

const ORDER: AlarmOrder = {
  actorId: 'a/b',
  orderId: '1',
  venue: 'venue_b',
  market: 'KX-1',
  title: '<b>A</b> at B',
  outcome: 'A',
  side: 'YES',
  action: 'BUY',
  size: '5',
  amountUsd: null,
  price: '0.5',
  status: 'FILLED',
  filled: '5',
  averagePrice: '0.5',
};

const ALARM: Alarm = {
  id: 'b1946ac9-2a05-4d8e-8c44-1d8a3b6a5b11',
  kind: 'fills',
  at: 1_780_000_000_000 as UnixMillis,
  count: 12,
  lines: ['a/b: 5 in <!channel> *x* @everyone [l](http://e)', 'two\nlines\u202e'],
  orders: [ORDER],
  gateway: 'gw_1',
};

function requestOf(format: AlertFormat, url: string, alarm = ALARM) {
  const request = alarmRequest({ url, format, kinds: ['fills'], secret: null }, alarm, () => 5);
  return { ...request, body: JSON.parse(request.body as string) as Record<string, unknown> };
}

describe('a form', () => {
  it('for programs has every field, and plain lines', () => {
    const { target, body } = requestOf('json', 'https://a.example/hook?t=1');
    expect(target).toBe('/hook?t=1');
    expect(body).toEqual({ ...ALARM, at: '2026-05-28T20:26:40.000Z', lines: [ALARM.lines[0], 'two lines'] });
  });

  it('for Slack has no mark that Slack obeys', () => {
    const { body } = requestOf('slack', 'https://hooks.slack.example/services/T/B/x');
    expect(body).toEqual({
      text: 'crossbook on gw_1: fills, 12 times\na/b: 5 in &lt;!channel&gt; *x* @everyone [l](http://e)\ntwo lines',
    });
  });

  it('for Discord escapes its marks, and mentions nobody', () => {
    const { body } = requestOf('discord', 'https://discord.example/api/webhooks/1/x');
    expect(body).toEqual({
      content:
        'crossbook on gw\\_1\\: fills, 12 times\na/b\\: 5 in \\<!channel\\> \\*x\\* \\@everyone \\[l\\]\\(http\\://e\\)\ntwo lines',
      allowed_mentions: { parse: [] },
    });
  });

  it('for Telegram names the chat in the body, and has no mode in which marks count', () => {
    const { target, body } = requestOf('telegram', 'https://api.telegram.example/bot1:x/sendMessage?chat_id=-100');
    expect(target).toBe('/bot1:x/sendMessage');
    expect(body).toEqual({
      chat_id: '-100',
      text: 'crossbook on gw_1: fills, 12 times\na/b: 5 in <!channel> *x* @everyone [l](http://e)\ntwo lines',
      link_preview_options: { is_disabled: true },
    });
  });

  it.each<AlertFormat>(['slack', 'discord', 'telegram'])('for %s fits into its longest message', format => {
    const lines = Array.from({ length: 10 }, () => '*<'.repeat(1_000));
    const { body } = requestOf(format, 'https://a.example/hook?chat_id=1', { ...ALARM, lines });
    const text = String(body.text ?? body.content);
    expect(text.length).toBeLessThanOrEqual(2_000);
    // A line is whole or absent, because a cut line could end within a mark.
    const whole = text.split('\n').slice(1, -1);
    expect([new Set(whole).size, text.endsWith('\n…')]).toEqual([1, true]);
  });
});

it('without a secret is not signed', () => {
  const { headers } = requestOf('json', 'https://a.example/hook');
  expect((headers as () => object)()).toEqual({
    'Content-Type': 'application/json',
    'Idempotency-Key': ALARM.id,
    'Crossbook-Timestamp': '5',
  });
});
