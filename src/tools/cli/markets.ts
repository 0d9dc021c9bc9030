// `crossbook markets` finds markets in the catalog, with the ids that orders name. This file also has the titles of markets for the tables
// of other commands.

import type { CatalogMarket } from '../../core/generated/api-types.ts';
import { limits } from '../../limits.ts';
import type { CrossbookClient } from '../client/crossbook-client.ts';
import { type Arguments, type CommandIo, readArguments, runCommand } from './command-io.ts';
import { ADDRESS_OPTIONS, countIn, GATEWAY_USAGE, readVenue } from './gateway-request.ts';
import { answerOf, clientOf } from './order-client.ts';
import { jsonText, plain } from './output.ts';

export const MARKETS_USAGE = `  markets [--search WORDS] [--league LEAGUE] [--venue VENUE] [--executable] [--count COUNT] [--json]
          [--key FILE] [--data-dir DIR] [--url URL | --unix PATH]
      finds markets, and prints for each outcome the token id or ticker that an order names
      --search      words of the title, the outcomes or the event; or an id, or its beginning
      --league      nba, nfl, epl …; crossbook call GET /v1/sports/competitions lists them
      --venue       venue_a or venue_b: only markets that this venue lists
      --executable  only markets that take orders now
      --count       1 to ${limits.pageRowsMax}, default 20
      --json        the answer of GET /v1/markets
${GATEWAY_USAGE}
    crossbook markets --search 'lakers celtics' --executable
    crossbook markets --league nba --venue venue_b --count 100
`;

const MARKETS_LISTED = 20;

export function marketsCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const options = ['search', 'league', 'venue', 'count', ...ADDRESS_OPTIONS];
  return runCommand(io, () => list(readArguments(args, { options, flags: ['executable', 'json'] }), io));
}

async function list(args: Arguments, io: CommandIo): Promise<void> {
  const [q, competition, venue] = [args.one('search'), args.one('league'), args.one('venue')];
  const query = {
    pageSize: countIn(args, MARKETS_LISTED),
    ...(q === undefined ? {} : { q }),
    ...(competition === undefined ? {} : { competition: competition.toLowerCase() }),
    ...(venue === undefined ? {} : { venue: readVenue('--venue', venue) }),
    ...(args.has('executable') ? { executable: true } : {}),
  };
  const page = answerOf(await clientOf(args, io).call('listMarkets', { query }));
  if (args.has('json')) return io.out(jsonText(page));
  if (page.markets.length === 0) io.out('no market: try fewer words, or leave --executable out\n');
  for (const market of page.markets) io.out(marketText(market));
  if (page.nextPageToken !== null) io.err('there are more: --count, or more words for --search\n');
}

/** The market as text: a line for the market, and a line for each listing of its outcomes. */
function marketText({ id, title, outcomes }: CatalogMarket): string {
  const width = Math.max(...outcomes.map(({ name }) => name.length));
  const lines = outcomes.flatMap(({ name, listings }) =>
    listings.map((listing, index) => {
      const closed = listing.executable ? '' : '  takes no orders now';
      return `  ${(index === 0 ? name : '').padEnd(width)}  ${placeText(listing)}${closed}`;
    }),
  );
  return [`${title}  (${id})`, ...lines, ''].map(line => `${plain(line)}\n`).join('');
}

type Listing = CatalogMarket['outcomes'][number]['listings'][number];

function placeText(listing: Listing): string {
  const venue = listing.venue.toLowerCase();
  if ('tokenId' in listing) return `${venue}  ${listing.tokenId}`;
  return 'ticker' in listing ? `${venue}  ${listing.ticker}  ${listing.side}` : `${venue}  ${listing.strikeId}`;
}

/** A token of venue A, or one side of a ticker of venue B. */
export interface Held {
  readonly address: string;
  readonly side?: string | undefined;
}

/** The title and outcome of each place, in the order of the places. Empty if the catalog has none. Sends one request for each market. */
export async function titlesOf(client: CrossbookClient, places: readonly Held[]): Promise<readonly string[]> {
  const addresses = [...new Set(places.map(({ address }) => address))];
  const pages = await Promise.all(
    addresses.map(q => client.call('listMarkets', { query: { q, pageSize: TITLES_READ } })),
  );
  const found = new Map(addresses.map((address, index) => [address, pages[index]!]));
  return places.map(({ address, side = 'YES' }) => {
    const outcome = found.get(address)!;
    const markets = outcome.ok ? outcome.value.value.markets : [];
    const isOf = (it: Listing): boolean =>
      'tokenId' in it ? it.tokenId === address : 'ticker' in it && it.ticker === address && it.side === side;
    for (const { title, outcomes } of markets) {
      const named = outcomes.find(({ listings }) => listings.some(isOf));
      if (named !== undefined) return title === named.name ? title : `${named.name} – ${title}`;
    }
    return '';
  });
}

/** The number of rows asked for in a search by ticker. A ticker that is the beginning of longer tickers finds those, too. */
const TITLES_READ = 5;
