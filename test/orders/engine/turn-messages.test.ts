// Messages of one turn to another thread arrive as they were sent.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EngineOperation } from '../../../src/core/domain/operation.ts';
import type { FromEngine, ToEngine } from '../../../src/orders/engine/engine-messages.ts';
import {
  type Cursor,
  Outgoing,
  readFromEngine,
  readToEngine,
  type Turn,
  writeFromEngine,
  writeToEngine,
} from '../../../src/orders/engine/turn-messages.ts';
import { actorLimits } from '../../core/store/identities.ts';

test('a turn makes one message, with its events behind its replies', async () => {
  const posted: Turn[] = [];
  const outgoing = new Outgoing<string>(
    (to, message) => {
      to.turn[to.at++] = message;
    },
    turn => posted.push([...turn]),
  );
  outgoing.sendBehind('event');
  outgoing.send('reply 1');
  outgoing.send('reply 2');
  await nextTick();
  outgoing.send('reply 3');
  await nextTick();
  expect(posted).toEqual([['reply 1', 'reply 2', 'event'], ['reply 3']]);
});

function nextTick(): Promise<void> {
  return new Promise(resolve => process.nextTick(resolve));
}

const text = fc.string({ maxLength: 12 });
const size = fc.nat();
const orNull = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null });
const caller = fc.record({ podId: text, actorId: text, keyId: text });
const venue = fc.constantFrom('venue_a', 'venue_b');

const rate = fc.record({ perS: size, burstMax: size });

const newOrder = {
  venue,
  caller,
  body: fc.oneof(
    fc.record({
      ok: fc.constant(true),
      value: fc.dictionary(text, fc.jsonValue({ maxDepth: 1 }), { noNullPrototype: true }),
    }),
    fc.record({ ok: fc.constant(false), error: text }),
  ),
  bodySha256Hex: text,
  idempotencyKey: text,
  isTradable: fc.boolean(),
  limits: actorLimits,
  notAfter: orNull(size),
  names: fc.record({ idempotencyKey: text, notAfter: text }),
  acknowledges: fc.boolean(),
};
const operation = fc.oneof(
  fc.record({ name: fc.constant('submit'), ...newOrder }),
  fc.record({ name: fc.constant('replace'), orderId: text, ...newOrder }),
  fc.record({ name: fc.constantFrom('get', 'cancel'), venue, caller, orderId: text, rate: orNull(rate) }),
  fc.record({ name: fc.constant('cancel-batch'), venue, caller, orderIds: fc.array(text) }),
) as fc.Arbitrary<EngineOperation>;
const toEngine: fc.Arbitrary<ToEngine> = fc.oneof(
  fc.record({
    type: fc.constant('operate' as const),
    number: size,
    operation,
    timedFromUs: orNull(size),
    checkedUs: orNull(fc.tuple(size, size)),
  }),
  fc.record({ type: fc.constant('follow' as const), actorId: text, isFollowed: fc.boolean() }),
  fc.record({ type: fc.constant('in-use' as const), number: size }),
);

const ofVenueA = { venue: fc.constant('venue_a'), tokenId: text, side: fc.constantFrom('BUY', 'SELL') };
const ofMarket = { ...ofVenueA, type: fc.constant('MARKET'), worstPrice: orNull(size) };
const request = fc.oneof(
  fc.record({ ...ofVenueA, type: fc.constant('LIMIT'), size, price: size }),
  fc.record({ ...ofMarket, size }),
  fc.record({ ...ofMarket, dollars: size }),
  fc.record({ venue: fc.constant('venue_b'), ticker: text, side: text, action: text, size, price: size }),
);
const ofOrder = fc
  .tuple(text, text, request, orNull(fc.constant({ whole: 1n })))
  .chain(([podId, actorId, asked, record]) =>
    fc.record({
      ...{ podId: fc.constant(podId), actorId: fc.constant(actorId), cursor: size, record: fc.constant(record) },
      order: fc.record({
        ...{ podId: fc.constant(podId), actorId: fc.constant(actorId), request: fc.constant(asked) },
        ...{ orderId: text, keyId: text, status: text, createdAt: size, venueOrderId: orNull(text), traded: size },
        cost: fc.bigInt({ min: 0n, max: 2n ** 70n }),
      }),
    }),
  );
const ofAction = fc.record({
  podId: text,
  actorId: text,
  cursor: size,
  order: fc.constant(null),
  record: fc.record({ action: text }),
});
const fromEngine = fc.oneof(
  fc.record({
    type: fc.constant('reply'),
    number: size,
    reply: fc.record({ status: size, body: text, headers: fc.array(fc.tuple(text, text)) }),
  }),
  fc.record({ type: fc.constant('events'), news: fc.array(fc.oneof(ofOrder, ofAction)) }),
  fc.record({ type: fc.constant('recorded'), number: size, orderId: text }),
) as fc.Arbitrary<FromEngine>;

describe('messages arrive as they were sent, in their order', () => {
  test('at the engine', () => arrives(toEngine, writeToEngine, readToEngine));
  test('at main', () => arrives(fromEngine, writeFromEngine, readFromEngine));
});

function arrives<Message>(
  message: fc.Arbitrary<Message>,
  write: (to: Cursor, message: Message) => void,
  read: (turn: Turn, hear: (message: Message) => void) => void,
): void {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), sent => {
      const to: Cursor = { turn: [], at: 0 };
      for (const it of sent) write(to, it);
      const heard: Message[] = [];
      read(structuredClone(to.turn), it => heard.push(it));
      expect(heard).toEqual(sent);
    }),
  );
}
