// proto/asyncapi.yaml is valid, agrees with the REST contract and the code, and describes what the codec writes and reads.

import { crc32 } from 'node:zlib';
import specifications from '@asyncapi/specs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOOK_STATES, STATE_REASONS } from '../../src/core/domain/market.ts';
import { jsonCodec } from '../../src/core/wire/json.ts';
import {
  CHANNELS,
  type ClientMessage,
  ELSEWHERE,
  type MarketRequest,
  ORDER_EVENTS,
  ORDERS,
  OUTCOME,
  REJECTION_CODES,
  type ServerMessage,
} from '../../src/core/wire/messages.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { limits } from '../../src/limits.ts';
import { clientMessage, serverMessages } from '../core/wire/arbitraries.ts';
import { asyncapi, asyncapiSchemas, at, type Json, objectsIn, openapi } from '../support/contract-schema.ts';
import { describeReferences } from './references.ts';

const decoder = new TextDecoder();
const read = (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes));
const schema = (name: string) => at(asyncapi, `#/components/schemas/${name}`)!;
const problems = (name: string, value: unknown) => asyncapiSchemas.problems(`#/components/schemas/${name}`, value);

const messages = Object.entries(at(asyncapi, '#/components/messages')!);
const schemaOf = (message: string) => String(at(asyncapi, `#/components/messages/${message}/payload/$ref`)).slice(21);

describe('proto/asyncapi.yaml', () => {
  it('is AsyncAPI 3.0, version 1.0.0', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    formats.default(ajv);
    const validate = ajv.compile(specifications.schemasWithoutId['3.0.0'] as object);
    expect(validate(asyncapi), JSON.stringify(validate.errors?.slice(0, 5))).toBe(true);
    expect(asyncapi.asyncapi).toBe('3.0.0');
    expect(asyncapi.info!.version).toBe('1.0.0');
  });

  it('offers every message on a channel, and says who sends it', () => {
    const offered = ['orderbook', 'orderEntry'].flatMap(channel =>
      Object.keys(at(asyncapi, `#/channels/${channel}/messages`)!).map(name => ({ channel, name })),
    );
    expect(new Set(offered.map(({ name }) => name))).toEqual(new Set(messages.map(([name]) => name)));
    const operations = Object.values(at(asyncapi, '#/operations')!);
    const said = operations.flatMap(it =>
      [...it.messages!, ...(it.reply?.messages ?? [])].map(message => message.$ref),
    );
    for (const { channel, name } of offered) expect(said).toContain(`#/channels/${channel}/messages/${name}`);
  });

  it('names what the code names', () => {
    expect(schema('Channel').enum).toEqual(CHANNELS);
    expect(schema('Subscribed').properties!.channel!.enum).toEqual([...CHANNELS, OUTCOME, ORDERS]);
    expect(schema('OrderEventKind').enum).toEqual(ORDER_EVENTS);
    expect(schema('BookState').enum).toEqual(BOOK_STATES);
    expect(schema('StateReason').enum).toEqual(STATE_REASONS);
    expect(schema('RejectionCode').enum).toEqual(REJECTION_CODES);
    expect(schema('StreamErrorCode').enum).toEqual([
      ...REJECTION_CODES,
      'CURSOR_EXPIRED',
      ELSEWHERE,
      'LAGGED',
      'TRADES_MISSED',
      'TOO_MANY_IN_FLIGHT',
    ]);
    const headers = at(asyncapi, '#/channels/orderbook/bindings/ws/headers/properties')!;
    const subprotocols = [jsonCodec.subprotocol, protobufCodec.subprotocol];
    expect(headers['Sec-WebSocket-Protocol']!.enum).toEqual(subprotocols);
  });

  it('states the bounds that are enforced', () => {
    expect(schema('RequestId').maxLength).toBe(limits.streamIdCharactersMax);
    expect(schema('Subscribe').properties!.markets!.maxItems).toBe(limits.marketsPerSubscribeMax);
    const addresses = objectsIn(asyncapi).filter(({ pointer }) => /MarketRequest\/.*\/(ticker|tokenId)$/.test(pointer));
    expect(addresses.map(({ value }) => value.maxLength)).toEqual(Array(2).fill(limits.marketAddressCharactersMax));
  });

  it('has the schemas that it shares with the REST contract word for word', () => {
    const rest = at(openapi, '#/components/schemas')!;
    const shared = Object.keys(at(asyncapi, '#/components/schemas')!).filter(name => name in rest);
    expect(shared).toEqual(expect.arrayContaining(['VenueAOrder', 'VenueBOrder', 'Fill']));
    for (const name of shared) expect({ [name]: schema(name) }).toEqual({ [name]: rest[name] });
  });

  describeReferences(asyncapi);
});

describe('each example', () => {
  it.each(messages)('fits its message: %s', (name, message) => {
    expect(message.examples!.length).toBeGreaterThan(0);
    for (const { payload } of message.examples!) expect(problems(schemaOf(name), payload)).toEqual([]);
  });

  it('fits no other message', () => {
    for (const [name, message] of messages) {
      const kinds = messages.filter(([other]) => problems(schemaOf(other), message.examples![0]!.payload).length === 0);
      expect(kinds.map(([other]) => other)).toEqual([name]);
    }
  });

  it('has the right checksums', () => {
    const payload = (name: string) => at(asyncapi, `#/components/messages/${name}/examples/0/payload`)!;
    const before = [...payload('snapshot').bids!, ...payload('snapshot').asks!];
    expect(payload('snapshot').checksum).toBe(checksumOf(before));
    const changed = new Map(payload('delta').changes!.map(([, price, size]) => [String(price), size!]));
    const after = before.map(([price, size]) => [price!, changed.get(String(price)) ?? size!] as unknown as Json);
    expect(payload('delta').checksum).toBe(checksumOf(after.filter(([, size]) => String(size) !== '0')));
  });
});

describe('what the JSON codec writes', () => {
  it.each(Object.entries(serverMessages))('%s', (type, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, knownCode, (message, code) => {
        const reported = message.type === 'error' ? { ...message, code } : message;
        expect(problems(schemaOf(message.type), read(jsonCodec.encode(reported)))).toEqual([]);
      }),
      { numRuns: 300 },
    );
    expect(messages.map(([name]) => name)).toContain(type);
  });

  it('is no longer what is described once a member is missing or added', () => {
    fc.assert(
      fc.property(fc.oneof(...Object.values(serverMessages)), fc.nat(), (message: ServerMessage, at) => {
        const written = read(jsonCodec.encode(message)) as Record<string, unknown>;
        const required = schema(schemaOf(message.type)).required!.map(String);
        const { [required[at % required.length]!]: _, ...less } = written;
        expect(problems(schemaOf(message.type), less)).not.toEqual([]);
        expect(problems(schemaOf(message.type), { ...written, surprise: 1 })).not.toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('what a client reads', () => {
  const sent = messages.filter(([name]) => name in serverMessages);

  it.each(sent)('%s: its examples are read, and written again as they were, by both codecs', (_name, message) => {
    for (const { payload } of message.examples!) {
      const reported = jsonCodec.decodeServer(Buffer.from(JSON.stringify(payload)));
      expect(read(jsonCodec.encode(reported))).toEqual(payload);
      expect(protobufCodec.decodeServer(protobufCodec.encode(reported))).toEqual(reported);
    }
  });
});

describe('what the JSON codec reads', () => {
  const schemaByOp = { subscribe: 'Subscribe', unsubscribe: 'Unsubscribe', snapshot: 'RequestSnapshot', ping: 'Ping' };
  const endings: Readonly<Record<string, string>> = { [ORDERS]: 'Orders', [OUTCOME]: 'Outcomes' };
  const schemaFor = (message: ClientMessage) =>
    `${schemaByOp[message.op]}${('channel' in message && endings[message.channel]) || ''}`;

  it('is described, unless it asks for a side that has no book', () => {
    fc.assert(
      fc.property(clientMessage, message => {
        const bytes = jsonCodec.encodeClient(message);
        expect(jsonCodec.decode(bytes).ok).toBe(true);
        const hasBooks = marketsOf(message).every(({ side }) => side === null || side === 'yes');
        expect(problems(schemaFor(message), read(bytes)).length === 0).toBe(hasBooks);
      }),
      { numRuns: 500 },
    );
  });

  const requests = [
    ...['subscribe', 'unsubscribe', 'subscribeOrders', 'unsubscribeOrders'],
    ...['subscribeOutcomes', 'unsubscribeOutcomes', 'requestSnapshot', 'ping'],
  ];

  it.each(requests)('%s: its examples are understood', name => {
    for (const { payload } of at(asyncapi, `#/components/messages/${name}/examples`)!) {
      expect(jsonCodec.decode(Buffer.from(JSON.stringify(payload))).ok).toBe(true);
    }
  });
});

describe('an order event', () => {
  const event = at(asyncapi, '#/components/messages/order/examples/0/payload')! as object;

  it.each<[what: string, change: object]>([
    ['of another venue than its order', { venue: 'venue_a' }],
    ['that is a fill without one', { fill: undefined }],
    ['that is no fill and has one', { event: 'STATUS' }],
    ['without a cursor', { cursor: undefined }],
  ])('%s is no order event', (_what, change) => {
    expect(problems('OrderEvent', event)).toEqual([]);
    expect(problems('OrderEvent', JSON.parse(JSON.stringify({ ...event, ...change })))).not.toEqual([]);
  });
});

const knownCode = fc.constantFrom(...REJECTION_CODES, 'CURSOR_EXPIRED', ELSEWHERE, 'LAGGED', 'TRADES_MISSED');

function marketsOf(message: ClientMessage): readonly MarketRequest[] {
  if (message.op === 'snapshot') return [message.market];
  return 'markets' in message ? message.markets : [];
}

/** Contract §8, of at most ten levels a side. */
function checksumOf(levels: readonly Json[]): number {
  return crc32(levels.map(([price, size]) => `${price}:${size}`).join('|'));
}
