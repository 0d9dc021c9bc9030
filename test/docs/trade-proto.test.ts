// proto/trade.proto against the JSON form: the binary form has a field for each member of an order and of a result, and for nothing else.

import { expect, it } from 'vitest';
import { messageType } from '../../src/core/wire/protobuf-schema.ts';
import { membersOf } from '../../src/core/wire/trade-protobuf.ts';
import { asyncapi, type Json, openapi } from '../support/contract-schema.ts';

const namesOf = (message: string): readonly string[] => membersOf(messageType(message)).map(it => it.name);
const propertiesOf = (document: Json, schema: string): readonly string[] => {
  const { properties } = document.components!.schemas![schema]!;
  return Object.keys(properties!);
};
const ORDERS = ['VenueALimitOrder', 'VenueAMarketOrder', 'VenueBOrderRequest'];

it('NewOrder has the members of all orders that can be submitted', () => {
  const members = new Set(ORDERS.flatMap(schema => propertiesOf(openapi, schema)));
  // That of an order in a batch.
  members.add('idempotencyKey');
  expect(namesOf('NewOrder').toSorted()).toEqual([...members].toSorted());
});

it.each([
  ['SubmitOrder', 'TradeSubmit'],
  ['SubmitBatch', 'TradeBatch'],
  ['ReplaceOrder', 'TradeReplace'],
  ['CancelOrder', 'TradeCancel'],
  ['CancelAllOrders', 'TradeCancelAll'],
  ['CancelOnDisconnect', 'TradeSwitch'],
  ['AskQueue', 'TradeQueue'],
  ['AskLimits', 'TradeLimits'],
])('%s has the members of %s', (message, schema) => {
  const members = propertiesOf(asyncapi, schema).filter(name => name !== 'op' && name !== 'id');
  expect(namesOf(message).toSorted()).toEqual(members.toSorted());
});

it('TradeResult has the members of a result, its order and its results by what was asked', () => {
  const forms = {
    order: ['submitted', 'cancelledVenueA', 'cancelledVenueB', 'replaced', 'queue'],
    results: ['cancelledAll', 'batch'],
  };
  const fields = propertiesOf(asyncapi, 'TradeResult').flatMap(name =>
    name === 'type' ? [] : (forms[name as keyof typeof forms] ?? [name]),
  );
  expect(namesOf('TradeResult').toSorted()).toEqual(fields.toSorted());
});

it.each([
  ['TradeAccepted', 'TradeAccepted'],
  ['TradeError', 'Error'],
  ['Pong', 'Pong'],
])('%s has the members of %s', (message, schema) => {
  // Rejected markets, and the owner of the pod, are of /v1/orderbook.
  const members = propertiesOf(asyncapi, schema).filter(name => !/^(type|podOwner|rejected.*)$/.test(name));
  expect(namesOf(message).toSorted()).toEqual(members.toSorted());
});
