// Small changes of single lines on which money or safety depends, each with the tests of the line. A test suite is worth what it notices.

import { ANSWERED } from './answered.ts';
import { BELIEVED_FILLS } from './believed-fills.ts';
import { GUARDED } from './guarded.ts';
import { IMMEDIATE } from './immediate.ts';
import { LIMITS } from './limits.ts';
import { LIVE_PAPER } from './live-paper.ts';
import { LOSSES } from './losses.ts';
import { ONE_MARKET } from './one-market.ts';
import { QUEUES } from './queues.ts';
import { REPLACED } from './replaced.ts';
import { REPLICATION } from './replication.ts';
import { SECRETS } from './secrets.ts';
import { NOTHING_STALE } from './stale-reads.ts';
import { VENUE_B_SAYS } from './venue-b-says.ts';
import { WALLETS } from './wallets.ts';

export interface Mutant {
  /** The promise that would be broken. */
  readonly name: string;
  readonly file: string;
  /** Stands once in the file. */
  readonly search: string;
  readonly replace: string;
  /** Files of which one must fail. */
  readonly tests: readonly string[];
}

const RECORDED_AND_SENT: readonly Mutant[] = [
  {
    name: 'an order is sent before the disk has its record',
    file: 'src/orders/life/intents.ts',
    search: 'parts.ledger.commit(parts.timers, entry =>',
    replace: 'parts.ledger.change(entry =>',
    tests: ['test/orders/life/power-safe.test.ts'],
  },
  {
    name: 'an answer is given before the disk has it',
    file: 'src/orders/life/repeat.ts',
    search: 'await ledger.commit(timers, entry => earlierAnswer(entry, submission, stored))',
    replace: '{ value: ledger.change(entry => earlierAnswer(entry, submission, stored)), fault: null }',
    tests: ['test/orders/life/power-safe.test.ts'],
  },
  {
    name: 'a sync that began before an append counts for it',
    file: 'src/orders/journal/journal.ts',
    search: 'this.#synced = sequence;\n    this.#options.onSynced',
    replace: 'this.#synced = this.#sequence;\n    this.#options.onSynced',
    tests: ['test/orders/journal/journal.test.ts', 'test/orders/life/power-safe.test.ts'],
  },
  {
    name: 'a record is safe though the disk has failed',
    file: 'src/orders/journal/journal.ts',
    search: 'this.#sync.waiters?.reject(fault);',
    replace: 'this.#sync.waiters?.resolve();',
    tests: ['test/orders/journal/journal.test.ts'],
  },
  {
    name: 'an order is sent without a record',
    file: 'src/orders/life/intents.ts',
    search: "entry.putOrder({ order, intent: order.status === 'PENDING' ? null : intent, refusedAs: null });",
    replace: '',
    tests: ['test/orders/life/submit.test.ts'],
  },
  {
    name: 'an order is sent after its time is up',
    file: 'src/orders/life/submit.ts',
    search: 'if (now < answerDeadline(order)) return null;',
    replace: 'if (now > 0) return null;',
    tests: ['test/orders/life/submit.test.ts'],
  },
  {
    name: 'an order is sent after the time that its caller has set',
    file: 'src/orders/life/submit.ts',
    search: 'if (notAfter !== null && now > notAfter) return',
    replace: 'if (notAfter !== null && now < 0) return',
    tests: ['test/orders/life/submit.test.ts'],
  },
  {
    name: 'a connection that broke counts as nothing sent',
    file: 'src/venues/venue.ts',
    search: "{ type, message, retryAfterS } : { type: 'unknown', cause: type, message };",
    replace: "{ type, message, retryAfterS } : { type: 'not-sent', message, retryAfterS };",
    tests: ['test/venues/venue-b/trading/answers.test.ts'],
  },
];

const ONE_KEY_ONE_ORDER: readonly Mutant[] = [
  {
    name: 'a key is not looked up again in the transaction',
    file: 'src/orders/life/intents.ts',
    search: 'const earlier = earlierAnswer(entry, submission, before) ?? problem;',
    replace: 'const earlier = problem as ReturnType<typeof earlierAnswer>;',
    tests: ['test/orders/life/repeat.test.ts'],
  },
  {
    name: 'a key is good for another body',
    file: 'src/orders/life/repeat.ts',
    search: 'if (entry.bodySha256Hex !== bodySha256Hex) return keyConflict(submission);',
    replace: '',
    tests: ['test/orders/life/repeat.test.ts'],
  },
  {
    name: 'the key of an order that is sent is not kept',
    file: 'src/orders/life/intents.ts',
    search: 'putKey(entry, submission, order, null);',
    replace: '',
    tests: ['test/orders/life/repeat.test.ts'],
  },
  {
    name: 'a signed mutation that comes again is done again',
    file: 'src/orders/life/signature-memory.ts',
    search: 'if (known !== undefined) return { reply: known.reply, isRepeated: true };',
    replace: '',
    tests: ['test/orders/life/signature-memory.test.ts'],
  },
];

const FILLED_ONCE: readonly Mutant[] = [
  {
    name: 'a fill that is reported twice counts twice',
    file: 'src/orders/life/ledger-entry.ts',
    search: 'const known = this.transaction.fill(account, fillId);\n    if (known !== null) {',
    replace:
      'const known = this.transaction.fill(account, fillId);\n    if (known !== null && known.orderId === null) {',
    tests: ['test/orders/life/executions-fills.test.ts'],
  },
  {
    name: 'a settlement goes back',
    file: 'src/orders/life/ledger-entry.ts',
    search: 'if (!isAdvance(known.fill.settlement, settlement)) return true;',
    replace: '',
    tests: ['test/orders/life/reversals.test.ts'],
  },
  {
    name: 'a sum of the venue hides the fills that are reported since',
    file: 'src/core/domain/order-sums.ts',
    search: 'return unreported > 0 && !isWhole ? stated : filled;',
    replace: 'return stated;',
    tests: ['test/core/domain/order-sums.test.ts'],
  },
];

const NOTHING_MISSED: readonly Mutant[] = [
  {
    name: 'a gap in the numbers of venue B’s books passes',
    file: 'src/venues/venue-b/subscription.ts',
    search: 'const isNext = seq === this.#lastSeq + 1;',
    replace: 'const isNext = seq > this.#lastSeq;',
    tests: ['test/venues/venue-b/feed.damage.test.ts'],
  },
  {
    name: 'a gap in the numbers of settlements passes',
    file: 'src/venues/venue-b/trading/private-stream.ts',
    search: 'seq !== this.#lastSeq + 1',
    replace: 'seq < this.#lastSeq',
    tests: ['test/venues/venue-b/trading/private-stream.test.ts', 'test/venues/venue-b/trading/settlements.test.ts'],
  },
  {
    name: 'a book of venue A is not compared with its hash',
    file: 'src/venues/venue-a/token-books.ts',
    search: 'return isText(image.digest(), bytes, changes.hashAt(entry));',
    replace: 'return image.digest().length > 0;',
    tests: ['test/venues/venue-a/feed-proof.test.ts'],
  },
  {
    name: 'a client hears no more of what happened while a page was read',
    file: 'src/gateway/stream/order-follower.ts',
    search: 'return isFull || this.#cursor < this.#newestCursor ?',
    replace: 'return isFull ?',
    tests: ['test/gateway/stream/order-follower.test.ts'],
  },
  {
    name: 'a client that comes back hears only what is new',
    file: 'src/gateway/stream/order-follower.ts',
    search: 'from === null ? this.#beginNow(id) : this.#beginAfter(id, from);',
    replace: 'this.#beginNow(id);',
    tests: ['test/gateway/stream/order-follower.test.ts'],
  },
  {
    name: 'only the first page of a list is read',
    file: 'src/venues/venue-b/trading/rest.ts',
    search: 'if (isLast || list.some(isSought)) return ok(rows);',
    replace: 'return ok(rows);',
    tests: ['test/venues/venue-b/trading/look-up-lists.test.ts', 'test/venues/venue-b/trading/reported-rows.test.ts'],
  },
];

const FRAMES: readonly Mutant[] = [
  {
    name: 'the price of NO is that of YES',
    file: 'src/core/domain/order-frame.ts',
    search: "request.venue === 'venue_b' && request.side === 'NO' ? complementTicks(price) : price",
    replace: 'price',
    tests: ['test/core/domain/order-sums.test.ts'],
  },
  {
    name: 'the NO book has its sides exchanged',
    file: 'src/market-data/book/derive-no.ts',
    search: 'return { bids: yes.asks.map(mirrored), asks: yes.bids.map(mirrored) };',
    replace: 'return { bids: yes.bids.map(mirrored), asks: yes.asks.map(mirrored) };',
    tests: ['test/market-data/book/derive-no.test.ts'],
  },
  {
    name: 'NO is bought at the price of YES',
    file: 'src/venues/venue-b/trading/order-body.ts',
    search: 'price: priceInFrame(request, request.price) };',
    replace: 'price: request.price };',
    tests: ['test/venues/venue-b/trading/order-body.test.ts'],
  },
  {
    name: 'a part of a contract is sent as a whole one',
    file: 'src/venues/venue-b/trading/amounts.ts',
    search: 'const hundredths = size / MICROS_PER_HUNDREDTH;',
    replace: 'const hundredths = 100 * Math.ceil(size / (100 * MICROS_PER_HUNDREDTH));',
    tests: ['test/venues/venue-b/trading/order-body.test.ts'],
  },
  {
    name: 'what an ask cost is read as what it brought',
    file: 'src/venues/venue-b/trading/reported-rows.ts',
    search: 'const yes = fullCost(order) - order.cost;',
    replace: 'const yes = order.cost;',
    tests: ['test/venues/venue-b/trading/words.test.ts'],
  },
  {
    name: 'a market order of venue A is worth a tick more than its limit',
    file: 'src/venues/venue-a/order-amounts.ts',
    search: 'twice < shares * BigInt(2 * limit + tick)',
    replace: 'twice < shares * BigInt(2 * limit + 3 * tick)',
    tests: ['test/venues/venue-a/order-amounts.test.ts'],
  },
];

const SIGNED_AND_APART: readonly Mutant[] = [
  {
    name: 'a signature lives for ever',
    file: 'src/core/auth/check.ts',
    search: 'if (Math.abs(aheadMs) <= limits.signatureAgeS * 1_000) return null;',
    replace: 'if (aheadMs <= limits.signatureAgeS * 1_000) return null;',
    tests: ['test/core/auth/check.test.ts'],
  },
  {
    name: 'a body is not what was signed',
    file: 'src/core/auth/check.ts',
    search: 'if (contentSha256 === expected) return null;',
    replace: 'if (contentSha256.length === expected.length) return null;',
    tests: ['test/core/auth/check.test.ts'],
  },
  {
    name: 'a key is good after it is revoked',
    file: 'src/core/auth/check.ts',
    search: 'if (key.revokedAt !== null) return',
    replace: 'if (key.revokedAt === undefined) return',
    tests: ['test/core/auth/check.test.ts'],
  },
  {
    name: 'a key is good from every address',
    file: 'src/core/auth/keyring.ts',
    search: 'return family !== null && list.check(remoteAddress, family);',
    replace: 'return family !== null;',
    tests: ['test/core/auth/keyring.test.ts'],
  },
  {
    name: 'an order is shown to another actor',
    file: 'src/orders/life/under-way.ts',
    search: 'order.podId === podId && order.actorId === actorId &&',
    replace: 'order.podId === podId &&',
    tests: ['test/e2e/orders-venue-b.test.ts'],
  },
  {
    name: 'the page of a list is good for another actor',
    file: 'src/core/wire/page-token.ts',
    search: 'macOf({ secret, actorId, path }: PageScope, content: Uint8Array): Buffer {',
    replace: "macOf({ secret, actorId, path }: PageScope, content: Uint8Array): Buffer {\n  actorId = '';",
    tests: ['test/core/wire/page-token.test.ts'],
  },
  {
    name: 'a ticket opens two streams',
    file: 'src/core/auth/tickets.ts',
    search: 'this.#issued.delete(hashHex);\n    if (nowMs >= found.expiresAt)',
    replace: 'if (nowMs >= found.expiresAt)',
    tests: ['test/core/auth/tickets.test.ts'],
  },
];

const SWITCHES: readonly Mutant[] = [
  {
    name: 'an order ends by a cancel, and the fill that the cancel states is in no limit',
    file: 'src/orders/life/confirmed-cancel.ts',
    search: 'if (isMissingFills(known, confirmed)) return null;',
    replace: '',
    tests: ['test/orders/life/reconcile.test.ts'],
  },
  {
    name: 'a switch fires though it was set anew',
    file: 'src/orders/life/cancel-after.ts',
    search: 'it.keyId === keyId && it.deadline === deadline',
    replace: 'it.keyId === keyId',
    tests: ['test/orders/life/cancel-all.test.ts'],
  },
  {
    name: 'a switch cancels the orders of another key',
    file: 'src/orders/life/cancel-requests.ts',
    search: '(keyId !== null && order.keyId !== keyId)',
    replace: '(keyId !== null && order.keyId === null)',
    tests: ['test/orders/life/cancel-all.test.ts'],
  },
  {
    name: 'a stream that ends cancels while another of its key is open',
    file: 'src/gateway/stream/order-disconnects.ts',
    search: 'if (!this.disarm(key)) return;',
    replace: 'this.disarm(key);',
    tests: ['test/gateway/stream/order-channel.test.ts'],
  },
];

export const MUTANTS: readonly Mutant[] = [
  ...REPLICATION,
  ...WALLETS,
  ...LOSSES,
  ...REPLACED,
  ...IMMEDIATE,
  ...RECORDED_AND_SENT,
  ...ONE_KEY_ONE_ORDER,
  ...LIMITS,
  ...FILLED_ONCE,
  ...NOTHING_MISSED,
  ...NOTHING_STALE,
  ...VENUE_B_SAYS,
  ...ANSWERED,
  ...FRAMES,
  ...SIGNED_AND_APART,
  ...SWITCHES,
  ...GUARDED,
  ...LIVE_PAPER,
  ...SECRETS,
  ...ONE_MARKET,
  ...BELIEVED_FILLS,
  ...QUEUES,
];

/** With the change made. Throws unless the line stands once. */
export function mutated({ name, search, replace }: Mutant, source: string): string {
  const count = source.split(search).length - 1;
  if (count !== 1) throw new Error(`${name}: its line stands ${count} times in the file; it must stand once`);
  return source.replace(search, () => replace);
}
