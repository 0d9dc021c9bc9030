// Measures the bytes that an exchange keeps after a full garbage collection, for each kind of object that it keeps for long. Run with `--expose-gc`,
// it prints a line of JSON.

import { BID } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../src/core/domain/numbers.ts';
import type { AccountId, MarketId, NewOrder, OrderId } from '../../src/paper/engine/engine-types.ts';
import { Account, Market, type Order } from '../../src/paper/engine/order.ts';
import { OrderBook } from '../../src/paper/engine/order-book.ts';
import { OrderTable } from '../../src/paper/engine/order-table.ts';
import { KnownIds } from '../../src/paper/record-ring.ts';
import { noFees } from './engine/desk.ts';
import { CoreRig } from './venue-a/core/core-rig.ts';
import { Rig } from './venue-b/core/rig.ts';

const BOOKS = 200;

function bytesLeft(): number {
  gc!();
  gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const [venueA, venueB] = [new CoreRig(), new Rig()];

const account = new Account(0 as AccountId);
const market = new Market(0 as MarketId, { isOnGrid: () => true, sizeStep: 1 as MicroShares, fees: noFees });
const size = 10 as MicroShares;
const request: NewOrder = {
  account: account.id,
  market: market.id,
  side: BID,
  effect: 'open',
  price: 5_000 as Ticks,
  size,
  timeInForce: { type: 'GTC' },
  postOnly: false,
  reduceOnly: false,
  selfTrade: 'taker',
};

/** Returns the bytes that the table keeps for an order that rests while thousands come and go. */
function bytesOfResting(): number {
  const [endedMax, orders, resting] = [1_000, 1_000_000, 500];
  const table = new OrderTable(endedMax);
  const before = bytesLeft();
  for (let number = 0; number < orders; number += 1) {
    const order = table.open(account, market, request, size);
    if (number % (orders / resting) !== 0) table.end(order);
  }
  const bytes = bytesLeft() - before;
  // This use keeps the table alive, so that it is not collected before the measurement.
  if (table.view((orders - endedMax / 2) as OrderId) === undefined) throw new Error('the last orders are known');
  return bytes / resting;
}

/** Returns the bytes of each empty price, in books in which all prices, a cent apart, have been used. */
function bytesOfPrice(): number {
  const cents = Array.from({ length: 99 }, (_, at) => (100 * (at + 1)) as Ticks);
  const table = new OrderTable(1);
  const books = Array.from({ length: BOOKS }, (_, id) => new OrderBook<Order>(id as MarketId));
  const before = bytesLeft();
  for (const book of books) {
    for (const price of cents) {
      const order = table.open(account, market, { ...request, price }, size);
      order.resting = size;
      const level = book.insert(order, null);
      book.remove(order, level);
      level.forgetIfEmpty();
      table.end(order);
    }
  }
  const bytes = bytesLeft() - before;
  if (books[0]!.best(BID) !== null) throw new Error('nothing rests');
  return bytes / BOOKS / cents.length;
}

const ORDERS = 5_000;

/** Returns the bytes that an exchange keeps for each ended order, while all ended orders are recent. */
function bytesOfEnded(placeAndCancel: () => void): number {
  for (let order = 0; order < 1_000; order += 1) placeAndCancel();
  const before = bytesLeft();
  for (let order = 0; order < ORDERS; order += 1) placeAndCancel();
  return (bytesLeft() - before) / ORDERS;
}

const endedOfA = bytesOfEnded(() => {
  venueA.cancel('ann', venueA.placed('ann', 'buy yes 5 @ 1'));
  venueA.timers.advance(10);
  venueA.events.length = 0;
});
const endedOfB = bytesOfEnded(() => {
  const order = venueB.order(venueB.ann, 'bid 1 @ 1', { clientOrderId: crypto.randomUUID() });
  venueB.exchange.orders.cancel(venueB.ann, order.orderId);
  venueB.timers.advance(10);
  venueB.heard.length = 0;
});

/** Returns the bytes of each id that is remembered for good. */
function bytesOfKnownId(): number {
  const ids = 100_000;
  const known = new KnownIds(10 * ids);
  const before = bytesLeft();
  for (let id = 0; id < ids; id += 1) known.add(crypto.randomUUID());
  const bytes = bytesLeft() - before;
  if (known.has('another')) throw new Error('it was never added');
  return bytes / ids;
}

const knownId = bytesOfKnownId();
const [restingOrder, levelPrice] = [bytesOfResting(), bytesOfPrice()];
console.log(JSON.stringify({ restingOrder, levelPrice, endedOfA, endedOfB, knownId }));
