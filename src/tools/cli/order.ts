// `crossbook order` places, shows, replaces and cancels orders for a person in a terminal. Programs should use the API. `crossbook call`
// prints its JSON.

import { isObject, type JsonObject, objectsOf, textOf } from '../../core/domain/json.ts';
import { VENUES, type Venue } from '../../core/domain/market.ts';
import { type Arguments, type CommandIo, UsageError, withSubcommands } from './command-io.ts';
import {
  ADDRESS_OPTIONS,
  GATEWAY_USAGE,
  REQUEST_OPTIONS,
  readIdempotencyKey,
  readNotAfter,
} from './gateway-request.ts';
import { titlesOf } from './markets.ts';
import { OrderClient } from './order-client.ts';
import { fieldsText, jsonText, plain } from './output.ts';

export const ORDER_USAGE = `  order submit MARKET SIDE SIZE --price PRICE [--time-in-force TYPE] [--expires-at TIME] [--post-only] [--reduce-only]
       [--self-trade cancel-taker|cancel-maker] [--idempotency-key KEY] [--not-after-ms UNIXMILLIS]
  order submit TOKENID buy|sell AMOUNT --market-order [--worst-price PRICE] [--time-in-force FOK|FAK]
      MARKET  a token id, SIDE buy or sell, SIZE shares; or a ticker, SIDE buy-yes, buy-no, sell-yes or sell-no, SIZE contracts,
              which like shares may have up to 2 decimals; crossbook markets finds both
      PRICE   dollars, such as 0.53;  AMOUNT  dollars of a purchase, shares of a sale
  order preview …
      takes the arguments of submit, and prints what admission would decide, what the displayed book would fill at once, cost and fees, and
      the position and the limits afterwards; it records and sends nothing
  order get ORDER
      ORDER   an order’s id, or the idempotency key of its submission
  order replace ORDER [--price PRICE] [--size SIZE] [--idempotency-key KEY] [--not-after-ms UNIXMILLIS]
      places a new order in place of the old order; SIZE is the total size of both, with the filled part
  order cancel ORDER
  order cancel-all [--market MARKET]
      all of order: [--json] [--key FILE] [--data-dir DIR] [--url URL | --unix PATH]
      --json     the gateway’s answer
${GATEWAY_USAGE}
    crossbook order preview KXNBAGAME-26NOV21BOSLAL-BOS buy-yes 25 --price 0.53
    crossbook order cancel-all --market KXNBAGAME-26NOV21BOSLAL-BOS
`;

const TERMS = {
  options: ['price', 'time-in-force', 'expires-at', 'self-trade', 'worst-price'],
  flags: ['post-only', 'reduce-only', 'market-order', 'json'],
  positionals: ['MARKET', 'SIDE', 'SIZE'],
} as const;

export const orderCommand = withSubcommands('order', {
  submit: { ...TERMS, options: [...TERMS.options, ...REQUEST_OPTIONS], run: submit },
  preview: { ...TERMS, options: [...TERMS.options, ...ADDRESS_OPTIONS], run: preview },
  get: { options: ADDRESS_OPTIONS, flags: ['json'], positionals: ['ORDER'], run: get },
  replace: { options: ['price', 'size', ...REQUEST_OPTIONS], flags: ['json'], positionals: ['ORDER'], run: replace },
  cancel: { options: ADDRESS_OPTIONS, flags: ['json'], positionals: ['ORDER'], run: cancel },
  'cancel-all': { options: ['market', ...ADDRESS_OPTIONS], flags: ['json'], run: cancelAll },
});

async function submit(args: Arguments, io: CommandIo): Promise<void> {
  const { venue, market, body } = orderOf(args);
  const client = new OrderClient(args, io);
  const made = await client.ask(venue, 'submit', { body, ...keyed(args) });
  if (args.has('json')) return io.out(jsonText(made));
  const [title = ''] = await titlesOf(client.client, [{ address: market, side: textOf(body.side) }]);
  io.out(`${`${made.orderId}  ${made.status}  ${plain(title)}`.trimEnd()}\n`);
}

async function preview(args: Arguments, io: CommandIo): Promise<void> {
  const { venue, body } = orderOf(args);
  const shown = await new OrderClient(args, io).ask(venue, 'preview', { body });
  io.out(args.has('json') ? jsonText(shown) : fieldsText(flat(shown)));
}

/** Flattens an object: one field for each leaf, named by its path. */
function flat(value: JsonObject, path = ''): JsonObject {
  const members = Object.entries(value).map(([name, member]): JsonObject => {
    if (Array.isArray(member))
      return Object.fromEntries(
        objectsOf(member).map(({ name, max, after }) => [
          `${path}${textOf(name)}`,
          `${textOf(after)} of ${textOf(max)}`,
        ]),
      );
    return isObject(member) ? flat(member, `${name}.`) : { [`${path}${name}`]: member };
  });
  return Object.assign({}, ...members);
}

function orderOf(args: Arguments) {
  const [market = '', side = '', size = ''] = args.positionals;
  const venue = venueOf(market);
  const body = venue === 'venue_a' ? tokenOrder(args, market, side, size) : contractOrder(args, market, side, size);
  return { venue, market, body };
}

async function get(args: Arguments, io: CommandIo): Promise<void> {
  const { view } = await new OrderClient(args, io).find(args.positionals[0] ?? '');
  io.out(args.has('json') ? jsonText(view) : fieldsText(view));
}

async function replace(args: Arguments, io: CommandIo): Promise<void> {
  const [price, size] = [args.one('price'), args.one('size')];
  if (price === undefined && size === undefined) throw new UsageError('order replace: needs --price or --size');
  const client = new OrderClient(args, io);
  const { venue, orderId } = await client.find(args.positionals[0] ?? '');
  const sized = size === undefined ? {} : venue === 'venue_a' ? { size } : contracts(size);
  const body = { ...(price === undefined ? {} : { price }), ...sized };
  const made = await client.ask(venue, 'replace', { path: { orderId }, body, ...keyed(args) });
  io.out(args.has('json') ? jsonText(made) : `${made.orderId}  ${made.status}, in place of ${orderId}\n`);
}

async function cancel(args: Arguments, io: CommandIo): Promise<void> {
  const client = new OrderClient(args, io);
  const { venue, orderId } = await client.find(args.positionals[0] ?? '');
  const view = await client.ask(venue, 'cancel', { path: { orderId } });
  if (args.has('json')) return io.out(jsonText(view));
  const { status, filledShares, filledCount } = view;
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
  if (args.has('json')) io.out(jsonText({ results }));
  else for (const { orderId, outcome } of results) io.out(`${orderId}  ${outcome}\n`);
  const failed = answers.find(it => it.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  if (results.length === 0 && !args.has('json')) io.out('no orders\n');
}

/** The venues at which any order exists. The pod may have no account at the other venue. */
async function usedVenues(client: OrderClient): Promise<readonly Venue[]> {
  const pages = await Promise.all(VENUES.map(venue => client.ask(venue, 'list', { query: { pageSize: '1' } })));
  return VENUES.filter((_, index) => objectsOf(pages[index]!.orders).length > 0);
}

function keyed(args: Arguments) {
  return { idempotencyKey: readIdempotencyKey(args), notAfterMillis: readNotAfter(args) };
}

// The bodies of requests. The gateway checks their content.

/** The venue of a market. A token id consists of digits only, and no ticker does. */
export function venueOf(market: string): Venue {
  return /^\d+$/.test(market) ? 'venue_a' : 'venue_b';
}

export function inMarket(venue: Venue, market: string | undefined) {
  if (market === undefined) return {};
  return venue === 'venue_a' ? { tokenId: market } : { ticker: market };
}

function tokenOrder(args: Arguments, tokenId: string, side: string, size: string): JsonObject {
  const common = { tokenId, side: side.toUpperCase(), ...timeInForceOf(args) };
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
  if (args.has('market-order')) throw new UsageError('--market-order: requires a token id of venue A');
  const selfTrade = args.one('self-trade')?.toUpperCase().replace('-', '_');
  return {
    ticker,
    side,
    action,
    ...contracts(size),
    price: args.required('price'),
    ...timeInForceOf(args),
    ...(args.has('post-only') ? { postOnly: true } : {}),
    ...(args.has('reduce-only') ? { reduceOnly: true } : {}),
    ...(selfTrade === undefined ? {} : { selfTrade }),
  };
}

function timeInForceOf(args: Arguments): JsonObject {
  const [type, expiresAt] = [args.one('time-in-force')?.toUpperCase(), args.one('expires-at')];
  if (type === undefined && expiresAt === undefined) return {};
  return { timeInForce: { type: type ?? 'GTD', ...(expiresAt === undefined ? {} : { expiresAt }) } };
}

function contracts(text: string): JsonObject {
  return /^\d{1,15}$/.test(text) ? { count: Number(text) } : { size: text };
}
