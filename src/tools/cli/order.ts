// `crossbook order`: places, lists, shows, replaces and cancels orders, for a person in a terminal. Programs use the API; `crossbook call`
// prints its JSON.

import { type JsonObject, objectsOf, textOf } from '../../core/domain/json.ts';
import { VENUES, type Venue } from '../../core/domain/market.ts';
import { NOT_PLAIN } from '../../core/domain/plain-text.ts';
import { limits } from '../../limits.ts';
import { type Arguments, type CommandIo, UsageError, withSubcommands } from './command-io.ts';
import { ADDRESS_OPTIONS, REQUEST_OPTIONS, readIdempotencyKey, readNotAfter, WHERE_USAGE } from './gateway-request.ts';
import { tableText } from './key-arguments.ts';
import { OrderClient } from './order-client.ts';

export const ORDER_USAGE = `  order submit MARKET SIDE SIZE --price PRICE [--time-in-force TYPE] [--expires-at TIME] [--post-only] [--reduce-only]
       [--self-trade cancel-taker|cancel-maker] [--idempotency-key KEY] [--not-after-ms UNIXMILLIS]
  order submit TOKENID buy|sell AMOUNT --market-order [--worst-price PRICE] [--time-in-force FOK|FAK]
      MARKET  a token id, SIDE buy or sell, SIZE shares; or a ticker, SIDE buy-yes, buy-no, sell-yes or sell-no, SIZE contracts,
              which like shares may have up to 2 decimals
      PRICE   dollars, such as 0.53;  AMOUNT  dollars of a purchase, shares of a sale
  order list [--market MARKET] [--status STATUS] [--count COUNT]
      the newest orders of both venues together that are OPEN, or have that status; COUNT is 1 to 100, default 50
  order get ORDER
      ORDER   an order’s id, or the idempotency key of its submission
  order replace ORDER [--price PRICE] [--size SIZE] [--idempotency-key KEY] [--not-after-ms UNIXMILLIS]
      a new order in its place; SIZE is the total over both, with what is filled
  order cancel ORDER
  order cancel-all [--market MARKET]
      all of order: [--key FILE] [--data-dir DIR] [--url URL | --unix PATH]
      --key      what requests are signed with, default DIR/demo/key.json; DIR is CROSSBOOK_DATA_DIR, else ./data
${WHERE_USAGE}`;

export const orderCommand = withSubcommands('order', {
  submit: {
    options: ['price', 'time-in-force', 'expires-at', 'self-trade', 'worst-price', ...REQUEST_OPTIONS],
    flags: ['post-only', 'reduce-only', 'market-order'],
    positionals: ['MARKET', 'SIDE', 'SIZE'],
    run: submit,
  },
  list: { options: ['market', 'status', 'count', ...ADDRESS_OPTIONS], run: list },
  get: { options: ADDRESS_OPTIONS, positionals: ['ORDER'], run: get },
  replace: { options: ['price', 'size', ...REQUEST_OPTIONS], positionals: ['ORDER'], run: replace },
  cancel: { options: ADDRESS_OPTIONS, positionals: ['ORDER'], run: cancel },
  'cancel-all': { options: ['market', ...ADDRESS_OPTIONS], run: cancelAll },
});

async function submit(args: Arguments, io: CommandIo): Promise<void> {
  const [market = '', side = '', size = ''] = args.positionals;
  const venue = venueOf(market);
  const body = venue === 'venue_a' ? tokenOrder(args, market, side, size) : contractOrder(args, market, side, size);
  const made = await new OrderClient(args, io).ask(venue, 'submit', { body, ...keyed(args) });
  io.out(`${made.orderId}  ${made.status}\n`);
}

async function list(args: Arguments, io: CommandIo): Promise<void> {
  const market = args.one('market');
  const count = args.one('count') ?? String(LISTED);
  if (!/^[1-9]\d{0,2}$/.test(count) || Number(count) > limits.pageRowsMax)
    throw new UsageError(`--count: must be a whole number from 1 to ${limits.pageRowsMax}`);
  const venues = market === undefined ? VENUES : [venueOf(market)];
  const client = new OrderClient(args, io);
  const query = { status: (args.one('status') ?? 'OPEN').toUpperCase(), pageSize: count };
  const pages = await Promise.all(
    venues.map(venue => client.ask(venue, 'list', { query: { ...query, ...inMarket(venue, market) } })),
  );
  const newest = ({ createdAt }: JsonObject): string => textOf(createdAt);
  const orders = pages
    .flatMap(page => objectsOf(page.orders))
    .toSorted((one, other) => newest(other).localeCompare(newest(one)));
  // The newest orders of both venues together: beyond them only one of the venues may have been read.
  const shown = orders.slice(0, Number(count));
  if (shown.length === 0) io.out('no orders\n');
  else io.out(plain(tableText(HEAD, shown.map(rowOf))));
  const isMore = orders.length > shown.length || pages.some(page => typeof page.nextPageToken === 'string');
  if (isMore) io.err('there are more: --count\n');
}

async function get(args: Arguments, io: CommandIo): Promise<void> {
  const { view } = await new OrderClient(args, io).find(args.positionals[0] ?? '');
  const known = Object.entries(view).filter(([, value]) => value !== null);
  const width = Math.max(...known.map(([name]) => name.length));
  for (const [name, value] of known)
    io.out(plain(`${name.padEnd(width)}  ${typeof value === 'object' ? JSON.stringify(value) : value}\n`));
}

async function replace(args: Arguments, io: CommandIo): Promise<void> {
  const [price, size] = [args.one('price'), args.one('size')];
  if (price === undefined && size === undefined) throw new UsageError('order replace: needs --price or --size');
  const client = new OrderClient(args, io);
  const { venue, orderId } = await client.find(args.positionals[0] ?? '');
  const sized = size === undefined ? {} : venue === 'venue_a' ? { size } : contracts(size);
  const body = { ...(price === undefined ? {} : { price }), ...sized };
  const made = await client.ask(venue, 'replace', { path: { orderId }, body, ...keyed(args) });
  io.out(`${made.orderId}  ${made.status}, in place of ${orderId}\n`);
}

async function cancel(args: Arguments, io: CommandIo): Promise<void> {
  const client = new OrderClient(args, io);
  const { venue, orderId } = await client.find(args.positionals[0] ?? '');
  const { status, filledShares, filledCount } = await client.ask(venue, 'cancel', { path: { orderId } });
  io.out(`${orderId}  ${status}, filled ${filledShares ?? filledCount ?? 'nothing'}\n`);
}

async function cancelAll(args: Arguments, io: CommandIo): Promise<void> {
  const market = args.one('market');
  const client = new OrderClient(args, io);
  const venues = market === undefined ? await usedVenues(client) : [venueOf(market)];
  const answers = await Promise.allSettled(
    venues.map(venue => client.ask(venue, 'cancelAll', { query: inMarket(venue, market) })),
  );
  const results = answers.flatMap(it => (it.status === 'fulfilled' ? objectsOf(it.value.results) : []));
  for (const { orderId, outcome } of results) io.out(`${orderId}  ${outcome}\n`);
  const failed = answers.find(it => it.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  if (results.length === 0) io.out('no orders\n');
}

/** Venues with any order: the pod may have no account at the other. */
async function usedVenues(client: OrderClient): Promise<readonly Venue[]> {
  const pages = await Promise.all(VENUES.map(venue => client.ask(venue, 'list', { query: { pageSize: '1' } })));
  return VENUES.filter((_, index) => objectsOf(pages[index]!.orders).length > 0);
}

function keyed(args: Arguments) {
  return { idempotencyKey: readIdempotencyKey(args), notAfterMillis: readNotAfter(args) };
}

// Bodies. The gateway checks what is in them.

/** A token id is all digits, and no ticker is. */
export function venueOf(market: string): Venue {
  return /^\d+$/.test(market) ? 'venue_a' : 'venue_b';
}

function inMarket(venue: Venue, market: string | undefined) {
  if (market === undefined) return {};
  return venue === 'venue_a' ? { tokenId: market } : { ticker: market };
}

function tokenOrder(args: Arguments, tokenId: string, side: string, size: string): JsonObject {
  const common = { tokenId, side: side.toUpperCase(), ...lasting(args) };
  if (!args.has('market-order')) {
    const price = args.required('price');
    return { ...common, type: 'LIMIT', size, price, ...(args.has('post-only') ? { postOnly: true } : {}) };
  }
  if (args.one('price') !== undefined) throw new UsageError('--price: a market order has --worst-price');
  const worstPrice = args.one('worst-price');
  return { ...common, type: 'MARKET', amount: size, ...(worstPrice === undefined ? {} : { worstPrice }) };
}

function contractOrder(args: Arguments, ticker: string, words: string, size: string): JsonObject {
  const [action, side, ...others] = words.toUpperCase().split('-');
  if (side === undefined || others.length > 0)
    throw new UsageError('SIDE: must be buy-yes, buy-no, sell-yes or sell-no in a market of a ticker');
  if (args.has('market-order')) throw new UsageError('--market-order: goes with a token id of venue A');
  const selfTrade = args.one('self-trade')?.toUpperCase().replace('-', '_');
  return {
    ticker,
    side,
    action,
    ...contracts(size),
    price: args.required('price'),
    ...lasting(args),
    ...(args.has('post-only') ? { postOnly: true } : {}),
    ...(args.has('reduce-only') ? { reduceOnly: true } : {}),
    ...(selfTrade === undefined ? {} : { selfTrade }),
  };
}

function lasting(args: Arguments): JsonObject {
  const [type, expiresAt] = [args.one('time-in-force')?.toUpperCase(), args.one('expires-at')];
  if (type === undefined && expiresAt === undefined) return {};
  return { timeInForce: { type: type ?? 'GTD', ...(expiresAt === undefined ? {} : { expiresAt }) } };
}

function contracts(text: string): JsonObject {
  return /^\d{1,15}$/.test(text) ? { count: Number(text) } : { size: text };
}

// Tables.

const LISTED = 50;
const HEAD = ['ORDER', 'MARKET', 'SIDE', 'SIZE', 'PRICE', 'FILLED', 'STATUS', 'CREATED'];

function rowOf(view: JsonObject): readonly string[] {
  const { orderId, tokenId, ticker, action, side, size, amount, price, filledShares, filledCount } = view;
  const sides = action === undefined ? [side] : [action, side];
  const created = textOf(view.createdAt).slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
  return [
    ...[orderId, tokenId ?? ticker, sides.join('-').toLowerCase(), size ?? amount, price ?? 'market'],
    ...[filledShares ?? filledCount ?? '0', view.status, created],
  ].map(String);
}

/** The text of others without control characters. */
function plain(text: string): string {
  return text
    .split('\n')
    .map(line => line.replace(NOT_PLAIN, '?'))
    .join('\n');
}
