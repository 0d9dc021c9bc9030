// `crossbook orders` shows the newest orders of both venues in one table, with the titles of their markets.

import { isObject, type JsonObject, objectsOf, textOf } from '../../core/domain/json.ts';
import { VENUES, type Venue } from '../../core/domain/market.ts';
import { limits } from '../../limits.ts';
import { type Arguments, type CommandIo, readArguments, runCommand } from './command-io.ts';
import { ADDRESS_OPTIONS, countIn, GATEWAY_USAGE } from './gateway-request.ts';
import { titlesOf } from './markets.ts';
import { inMarket, venueOf } from './order.ts';
import { OrderClient } from './order-client.ts';
import { jsonText, secondsOf, tableText } from './output.ts';

export const ORDERS_USAGE = `  orders [--market MARKET] [--status STATUS] [--count COUNT] [--queue] [--venue-queue] [--json]
         [--key FILE] [--data-dir DIR] [--url URL | --unix PATH]
      lists the newest orders of both venues together: those that are OPEN, or that have the given status
      --market  a token id or a ticker: lists only orders of this market
      --status  pending, submitted, open, filled, cancelled, rejected …
      --count   1 to ${limits.pageRowsMax}, default 50
      --queue   the shares ahead of each working order at its price, as a range
      --venue-queue  as --queue, with the queue position that venue B states for its orders
      --json    prints the gateway’s JSON of the orders
${GATEWAY_USAGE}
    crossbook orders
    crossbook orders --status filled --count 5
`;

const ORDERS_LISTED = 50;
const HEAD = ['ORDER', 'MARKET', 'SIDE', 'SIZE', 'PRICE', 'FILLED', 'STATUS', 'CREATED'];

export function ordersCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const options = ['market', 'status', 'count', ...ADDRESS_OPTIONS];
  return runCommand(io, () => list(readArguments(args, { options, flags: ['queue', 'venue-queue', 'json'] }), io));
}

async function list(args: Arguments, io: CommandIo): Promise<void> {
  const market = args.one('market');
  const count = countIn(args, ORDERS_LISTED);
  const venues = market === undefined ? VENUES : [venueOf(market)];
  const client = new OrderClient(args, io);
  const query = { status: (args.one('status') ?? 'OPEN').toUpperCase(), pageSize: count };
  const queueAt = (venue: Venue): { readonly queue?: string } => {
    if (args.has('venue-queue') && venue === 'venue_b') return { queue: 'venue' };
    return args.has('queue') || args.has('venue-queue') ? { queue: 'true' } : {};
  };
  const pages = await Promise.all(
    venues.map(venue =>
      client.ask(venue, 'list', { query: { ...query, ...queueAt(venue), ...inMarket(venue, market) } }),
    ),
  );
  const newest = ({ createdAt }: JsonObject): string => textOf(createdAt);
  const orders = pages
    .flatMap(page => objectsOf(page.orders))
    .toSorted((one, other) => newest(other).localeCompare(newest(one)));
  // Only the newest orders of both venues together are shown. Beyond them, only one of the venues may have been read.
  const shown = orders.slice(0, count);
  if (args.has('json')) io.out(jsonText({ orders: shown }));
  else if (shown.length === 0) io.out('no orders\n');
  else {
    const queues = args.has('venue-queue') ? ['AHEAD', 'AT VENUE'] : args.has('queue') ? ['AHEAD'] : [];
    io.out(tableText([...HEAD, ...queues, 'TITLE'], await rowsOf(client, shown, queues.length)));
    for (const fault of new Set(shown.map(faultIn).filter(it => it !== ''))) io.err(`${fault}\n`);
  }
  const isMore = orders.length > shown.length || pages.some(page => typeof page.nextPageToken === 'string');
  if (isMore) io.err('there are more: --count\n');
}

async function rowsOf(
  { client }: OrderClient,
  views: readonly JsonObject[],
  queueColumns: number,
): Promise<readonly (readonly string[])[]> {
  const addressOf = ({ tokenId, ticker }: JsonObject): string => textOf(tokenId ?? ticker);
  const titles = await titlesOf(
    client,
    views.map(view => ({ address: addressOf(view), side: textOf(view.side) })),
  );
  return views.map((view, index) => {
    const { orderId, action, side, size, amount, price, filledShares, filledCount, status, createdAt } = view;
    const sides = action === undefined ? [side] : [action, side];
    return [
      ...[orderId, addressOf(view), sides.join('-').toLowerCase(), size ?? amount, price ?? 'market'],
      ...[filledShares ?? filledCount ?? '0', status, secondsOf(createdAt)],
      ...[aheadText(view.queueAhead), placeText(view.queueAtVenue)].slice(0, queueColumns),
      titles[index],
    ].map(String);
  });
}

function aheadText(queueAhead: unknown): string {
  if (!isObject(queueAhead)) return '–';
  const { low, high } = queueAhead;
  if (high === null) return 'unknown';
  return low === high ? String(low) : `${low}–${high}`;
}

function placeText(queueAtVenue: unknown): string {
  return isObject(queueAtVenue) ? textOf(queueAtVenue.ahead) || 'unknown' : '–';
}

/** The reason why venue B's statement about an order is missing. Empty if the statement is there, or was not requested. */
function faultIn({ queueAtVenue }: JsonObject): string {
  return isObject(queueAtVenue) ? textOf(queueAtVenue.fault) : '';
}
