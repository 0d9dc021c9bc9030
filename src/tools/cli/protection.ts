// `crossbook protection`: shows the market-maker protections of an actor in a terminal, and resets a triggered one.

import { VENUES, venueNamed } from '../../core/domain/market.ts';
import type { Result } from '../../core/domain/result.ts';
import type { Protection, ProtectionPlace } from '../../core/generated/api-types.ts';
import type { ApiAnswer, ApiFailure } from '../client/api-failure.ts';
import { type Arguments, type CommandIo, UsageError, withSubcommands } from './command-io.ts';
import { ADDRESS_OPTIONS, GATEWAY_USAGE } from './gateway-request.ts';
import { venueOf } from './order.ts';
import { answerOf, clientOf } from './order-client.ts';
import { tableText } from './output.ts';

export const PROTECTION_USAGE = `  protection list
      lists the protections of the key’s actor, and which are triggered
  protection set PLACE --fills-max COUNT|--shares-max SHARES --window-ms MS
      once the actor’s fills within a window exceed the maximum, cancels its orders in PLACE and refuses new orders until the reset
      PLACE   venue_a or venue_b, all markets there; or one market: a token id or a ticker
  protection reset PLACE
      after a protection was triggered: accepts orders again and starts the count at zero
  protection end PLACE
      all of protection: [--key FILE] [--data-dir DIR] [--url URL | --unix PATH]
${GATEWAY_USAGE}
    crossbook protection set venue_b --fills-max 20 --window-ms 2000
    crossbook protection reset venue_b
`;

const AT_PLACE = { options: ADDRESS_OPTIONS, positionals: ['PLACE'] };
export const protectionCommand = withSubcommands('protection', {
  list: { options: ADDRESS_OPTIONS, run: list },
  set: { ...AT_PLACE, options: ['fills-max', 'shares-max', 'window-ms', ...ADDRESS_OPTIONS], run: set },
  reset: {
    ...AT_PLACE,
    run: (args, io) => show(io, clientOf(args, io).call('resetProtection', { body: placeOf(args) })),
  },
  end: { ...AT_PLACE, run: end },
});

async function list(args: Arguments, io: CommandIo): Promise<void> {
  const { protections } = answerOf(await clientOf(args, io).call('listProtections'));
  io.out(protections.length === 0 ? 'no protections\n' : tableText(HEAD, protections.map(rowOf).toSorted()));
}

function set(args: Arguments, io: CommandIo): Promise<void> {
  const [fillsMax, sharesMax] = [args.one('fills-max'), args.one('shares-max')];
  if ((fillsMax === undefined) === (sharesMax === undefined))
    throw new UsageError('protection set: needs either --fills-max or --shares-max');
  const most = fillsMax === undefined ? { sharesMax: sharesMax! } : { fillsMax: whole('fills-max', fillsMax) };
  const body = { ...placeOf(args), ...most, windowMs: whole('window-ms', args.required('window-ms')) };
  return show(io, clientOf(args, io).call('setProtection', { body }));
}

async function end(args: Arguments, io: CommandIo): Promise<void> {
  const ended = answerOf(await clientOf(args, io).call('endProtection', { query: placeOf(args) }));
  io.out(`${ended.address ?? ended.venue}  ended\n`);
}

type Outcome<Value> = Result<ApiAnswer<Value>, ApiFailure>;

async function show(io: CommandIo, outcome: Promise<Outcome<Protection>>): Promise<void> {
  const { venue, address, state, ...terms } = answerOf(await outcome);
  io.out(`${address ?? venue}  ${state}, at most ${mostOf(terms)} within ${terms.windowMs} ms\n`);
}

function placeOf(args: Arguments): ProtectionPlace {
  const place = args.positionals[0] ?? '';
  const venue = venueNamed(place, VENUES);
  return venue === undefined ? { venue: venueOf(place), address: place } : { venue };
}

function whole(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--${option}: must be a whole number`);
}

const HEAD = ['VENUE', 'MARKET', 'AT MOST', 'WINDOW MS', 'STATE', 'FILLS', 'SHARES', 'TRIGGERED'];

function rowOf({
  venue,
  address,
  windowMs,
  state,
  fills,
  shares,
  triggeredAt,
  ...terms
}: Protection): readonly string[] {
  const counted = [String(fills), shares, triggeredAt ?? ''];
  return [venue, address ?? 'all', mostOf(terms), String(windowMs), state, ...counted];
}

function mostOf({ fillsMax, sharesMax }: Pick<Protection, 'fillsMax' | 'sharesMax'>): string {
  return sharesMax === null ? `${fillsMax} fills` : `${sharesMax} shares`;
}
