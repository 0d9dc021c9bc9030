// `crossbook positions` and `crossbook balance` show what the key's actor holds, and what its pod can spend, at both venues.

import type { Result } from '../../core/domain/result.ts';
import type { VenueABalance, VenueAPositions, VenueBBalance, VenueBPositions } from '../../core/generated/api-types.ts';
import type { ApiAnswer, ApiFailure } from '../client/api-failure.ts';
import type { CrossbookClient } from '../client/crossbook-client.ts';
import { type CommandIo, readArguments, runCommand } from './command-io.ts';
import { ADDRESS_OPTIONS, GATEWAY_USAGE } from './gateway-request.ts';
import { titlesOf } from './markets.ts';
import { clientOf, failureWords, NOTES } from './order-client.ts';
import { jsonText, tableText } from './output.ts';

export const POSITIONS_USAGE = `  positions [--json] [--key FILE] [--data-dir DIR] [--url URL | --unix PATH]
      what the actor of the key holds at both venues, with titles, average and current price, value and profit
      --json  the answers of GET /v1/venue-a/positions and GET /v1/venue-b/positions
${GATEWAY_USAGE}
    crossbook positions
    crossbook positions --json --key maker.json
`;

export const BALANCE_USAGE = `  balance [--json] [--key FILE] [--data-dir DIR] [--url URL | --unix PATH]
      the cash of the pod at both venues
      --json  the answers of GET /v1/venue-a/balance and GET /v1/venue-b/balance
${GATEWAY_USAGE}
    crossbook balance
    crossbook balance --json --unix /run/crossbook.sock
`;

const CURRENT_HEADER = 'svc-current';
const POSITIONS_HEAD = ['MARKET', 'SIDE', 'SIZE', 'AVERAGE', 'MARK', 'VALUE USD', 'PROFIT USD', 'TITLE'];
const BALANCE_HEAD = ['VENUE', 'CASH', 'USD'];

export function positionsCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, async () => {
    const { isJson, client } = openFromArgs(args, io);
    const { a, b, fault } = await ofBoth(io, client.call('getVenueAPositions'), client.call('getVenueBPositions'));
    io.out(isJson ? jsonText({ venue_a: a, venue_b: b }) : await positionsText(client, a, b));
    if (fault !== null) throw fault;
  });
}

export function balanceCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, async () => {
    const { isJson, client } = openFromArgs(args, io);
    const { a, b, fault } = await ofBoth(io, client.call('getVenueABalance'), client.call('getVenueBBalance'));
    io.out(isJson ? jsonText({ venue_a: a, venue_b: b }) : balanceText(a, b));
    if (fault !== null) throw fault;
  });
}

function openFromArgs(args: readonly string[], io: CommandIo) {
  const options = readArguments(args, { options: ADDRESS_OPTIONS, flags: ['json'] });
  return { isJson: options.has('json'), client: clientOf(options, io) };
}

type Answer<Value> = Promise<Result<ApiAnswer<Value>, ApiFailure>>;

/**
 * Asks both venues. An answer is null if its venue failed. `fault` then names the venue and the reason, so that one venue is shown without
 * the other.
 */
async function ofBoth<A, B>(io: CommandIo, asksA: Answer<A>, asksB: Answer<B>) {
  const [venueA, venueB] = await Promise.all([asksA, asksB]);
  const isBehind = [venueA, venueB].some(it => it.ok && it.value.header(CURRENT_HEADER) === 'false');
  if (isBehind) io.err(NOTES[CURRENT_HEADER]);
  const faults = Object.entries({ venue_a: venueA, venue_b: venueB }).flatMap(([venue, outcome]) =>
    outcome.ok ? [] : [`${venue}: ${failureWords(outcome.error)}`],
  );
  return {
    a: venueA.ok ? venueA.value.value : null,
    b: venueB.ok ? venueB.value.value : null,
    fault: faults.length === 0 ? null : new Error(faults.join('; ')),
  };
}

async function positionsText(client: CrossbookClient, a: VenueAPositions | null, b: VenueBPositions | null) {
  const rows = [
    ...(a?.positions ?? []).map(it => ({ ...it, address: it.tokenId, side: '' })),
    ...(b?.positions ?? []).map(it => ({ ...it, address: it.ticker, redeemable: false })),
  ];
  if (rows.length === 0) return 'no positions\n';
  const titles = await titlesOf(client, rows);
  const cells = rows.map((it, index) => [
    ...[it.address, it.side, it.size, it.averagePrice, it.redeemable ? `${it.mark} redeemable` : it.mark],
    ...[it.valueUsd, it.unrealizedPnlUsd, titles[index]!],
  ]);
  return tableText(POSITIONS_HEAD, cells);
}

function balanceText(a: VenueABalance | null, b: VenueBBalance | null): string {
  const shards = b === null || b.shards.length < 2 ? [] : b.shards;
  const rows = [
    ...(a === null
      ? []
      : [
          ['venue_a', 'available', a.available],
          ['', 'total', a.total],
        ]),
    ...(a === null || a.claimable === 0 ? [] : [['', 'claimable', a.claimable]]),
    ...(a === null || a.unconverted === 0 ? [] : [['', 'unconverted', a.unconverted]]),
    ...(b === null ? [] : [['venue_b', 'available', b.available]]),
    ...shards.map(({ index, available }) => ['', `on shard ${index}`, available]),
  ];
  return tableText(
    BALANCE_HEAD,
    rows.map(row => row.map(String)),
  );
}
