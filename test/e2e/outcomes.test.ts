// The best prices of both venues through the whole gateway, on the paper exchanges: once by REST, and on the stream in both forms.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonCodec } from '../../src/core/wire/json.ts';
import type { OutcomeMessage } from '../../src/core/wire/messages.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { answerProblems } from '../support/contract-schema.ts';
import { eventually } from '../support/eventually.ts';
import type { RunningGateway } from '../support/running-gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { sendSigned } from '../support/signed-requests.ts';
import { RigClient } from '../support/stream-rig.ts';

interface Best {
  readonly id: string;
  readonly outcomes: readonly { readonly buy: object | null; readonly sell: object | null }[];
  readonly omitted: readonly { readonly why: string }[];
  readonly notes: readonly string[];
}

let gateway: RunningGateway;
/** An event that both venues list. */
let eventId: string;

beforeAll(async () => {
  gateway = await sharedGateway();
  eventId = await eventually(async () => {
    expect(gateway.catalog.isWhole).toBe(true);
    const { json } = await sendSigned(`${gateway.httpUrl}/v1/sports/events?status=SCHEDULED&pageSize=100`, gateway.key);
    for (const { id } of (json as { events: { id: string }[] }).events) {
      const { text } = await sendSigned(`${gateway.httpUrl}/v1/sports/events/${id}/markets`, gateway.key);
      if (text.includes(':moneyline"') && text.includes('VENUE_A') && text.includes('VENUE_B')) return id;
    }
    throw new Error('no event of both venues');
  });
});
afterAll(() => gateway.close());

async function bestOf(id: string) {
  const { status, headers, json } = await sendSigned(`${gateway.httpUrl}/v1/sports/events/${id}/best`, gateway.key);
  expect(answerProblems('getEventBest', status, headers, json)).toEqual([]);
  return { status, markets: (json as { markets: readonly Best[] }).markets };
}

describe('GET /v1/sports/events/{eventId}/best', () => {
  it('has a price to buy and to sell for each outcome, once books and fees are read', async () => {
    await eventually(async () => {
      const { markets } = await bestOf(eventId);
      const moneyline = markets.find(({ id }) => id === `${eventId}:moneyline`)!;
      expect(moneyline.omitted).toEqual([]);
      expect(moneyline.notes.length).toBeGreaterThan(0);
      for (const { buy, sell } of moneyline.outcomes) {
        expect(buy).toMatchObject({ state: 'LIVE' });
        expect(sell).toMatchObject({ state: 'LIVE' });
      }
    });
  });

  it('is 404 of an event that does not exist', async () => {
    expect((await bestOf('nba-no-such-1999-01-01')).status).toBe(404);
  });
});

describe.each([jsonCodec, protobufCodec])('the outcome channel in $subprotocol', codec => {
  async function follow(...catalogMarkets: readonly string[]): Promise<RigClient> {
    const client = await RigClient.connect({ url: gateway.url, upgradeHeaders: gateway.upgradeHeaders }, codec);
    client.say({ op: 'subscribe', id: 'o', channel: 'outcome', minIntervalMs: 50, catalogMarkets });
    return client;
  }

  it('begins with the best as they are, and refuses what the catalog does not have', async () => {
    const client = await follow(`${eventId}:moneyline`, `${eventId}:nothing`);
    expect(await client.hear('subscribed')).toMatchObject({
      accepted: [`${eventId}:moneyline`],
      rejected: [{ catalogMarket: `${eventId}:nothing`, code: 'UNKNOWN_MARKET' }],
    });
    const whole = (message: OutcomeMessage) => message.omitted.length === 0;
    const { outcomes } = await client.hear('outcome', whole);
    for (const { buy, sell } of outcomes) {
      for (const quote of [buy, sell]) expect(quote).toMatchObject({ state: 'LIVE' });
      expect(buy!.netPrice).toBe(buy!.price * 100 + buy!.fee);
      expect(sell!.netPrice).toBe(sell!.price * 100 - sell!.fee);
    }
    client.say({ op: 'unsubscribe', id: 'u', channel: 'outcome', catalogMarkets: [`${eventId}:moneyline`] });
    expect(await client.hear('unsubscribed')).toMatchObject({ accepted: [`${eventId}:moneyline`], rejected: [] });
    client.close();
  });
});

describe('a feed that is lost', () => {
  it('takes its routes out at once, and brings them back', async () => {
    const client = await RigClient.connect({ url: gateway.url, upgradeHeaders: gateway.upgradeHeaders });
    const catalogMarkets = [`${eventId}:moneyline`];
    client.say({ op: 'subscribe', id: 'o', channel: 'outcome', minIntervalMs: 60_000, catalogMarkets });
    await client.hear('outcome', ({ omitted }) => omitted.length === 0);
    const before = client.heard.length;
    await gateway.feeds.venue_b.kill();
    const later = () => client.heard.slice(before).filter(message => message.type === 'outcome');
    await client.until(() => later().some(({ omitted }) => omitted.some(({ why }) => why === 'RESYNCING')));
    await client.until(() => later().at(-1)?.omitted.length === 0);
    client.close();
  });
});
