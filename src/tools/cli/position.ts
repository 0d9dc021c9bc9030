// `crossbook position` redeems, splits and merges shares of venue A, and shows the results of these actions, for a person in a terminal.

import type { WalletAction } from '../../core/generated/api-types.ts';
import { type Arguments, type CommandIo, withSubcommands } from './command-io.ts';
import { ADDRESS_OPTIONS, countIn, GATEWAY_USAGE, readIdempotencyKey } from './gateway-request.ts';
import { answerOf, clientOf } from './order-client.ts';
import { fieldsText, secondsOf, tableText } from './output.ts';

export const POSITION_USAGE = `  position redeem TOKENID [--shares SHARES] [--idempotency-key KEY]
      pays out shares of a resolved market of venue A; at protocol V1 it pays out all shares of both outcomes, and takes no --shares
  position split TOKENID USD [--idempotency-key KEY]
      converts dollars into shares of both outcomes of the token’s market
  position merge TOKENID SHARES [--idempotency-key KEY]
      converts as many shares of both outcomes into dollars
  position actions [--count COUNT]
      lists the newest redemptions, splits and merges; COUNT is 1 to 100, default 50
  position action ACTION
      all of position: [--key FILE] [--data-dir DIR] [--url URL | --unix PATH]
${GATEWAY_USAGE}
    crossbook position redeem 71321045679252212594626385532706912750332728571942532289631379312455583992563
    crossbook position actions --count 5
`;

const KEYED = ['idempotency-key', ...ADDRESS_OPTIONS];
const ACTIONS_LISTED = 50;
const READ = 'crossbook position action';

export const positionCommand = withSubcommands('position', {
  redeem: { options: ['shares', ...KEYED], positionals: ['TOKENID'], run: redeem },
  split: { options: KEYED, positionals: ['TOKENID', 'USD'], run: split },
  merge: { options: KEYED, positionals: ['TOKENID', 'SHARES'], run: merge },
  actions: { options: ['count', ...ADDRESS_OPTIONS], run: list },
  action: { options: ADDRESS_OPTIONS, positionals: ['ACTION'], run: get },
});

async function redeem(args: Arguments, io: CommandIo): Promise<void> {
  const shares = args.one('shares');
  const request = { ...tokenIn(args), body: shares === undefined ? {} : { shares } };
  show(io, answerOf(await clientOf(args, io).call('redeemVenueAPosition', request), READ));
}

async function split(args: Arguments, io: CommandIo): Promise<void> {
  const request = { ...tokenIn(args), body: { amountUsd: args.positionals[1] ?? '' } };
  show(io, answerOf(await clientOf(args, io).call('splitVenueAPosition', request), READ));
}

async function merge(args: Arguments, io: CommandIo): Promise<void> {
  const request = { ...tokenIn(args), body: { shares: args.positionals[1] ?? '' } };
  show(io, answerOf(await clientOf(args, io).call('mergeVenueAPosition', request), READ));
}

async function list(args: Arguments, io: CommandIo): Promise<void> {
  const query = { pageSize: countIn(args, ACTIONS_LISTED) };
  const { actions, nextPageToken } = answerOf(await clientOf(args, io).call('listVenueAActions', { query }));
  io.out(actions.length === 0 ? 'no actions\n' : tableText(HEAD, actions.map(rowOf)));
  if (nextPageToken !== null) io.err('there are more: --count\n');
}

async function get(args: Arguments, io: CommandIo): Promise<void> {
  const path = { actionId: args.positionals[0] ?? '' };
  const action = answerOf(await clientOf(args, io).call('getVenueAAction', { path }));
  io.out(fieldsText({ ...action, error: action.error === null ? null : (action.error.message ?? action.error.code) }));
}

/** The token of the request, and the idempotency key under which the request may be repeated. */
function tokenIn(args: Arguments) {
  const idempotencyKey = readIdempotencyKey(args);
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  return { path: { tokenId: args.positionals[0] ?? '' }, ...key };
}

function show(io: CommandIo, { actionId, kind, shares, amountUsd, status }: WalletAction): void {
  io.out(`${actionId}  ${kind} ${shares} shares, $${amountUsd}: ${status}\n`);
}

const HEAD = ['ACTION', 'KIND', 'TOKEN', 'SHARES', 'USD', 'STATUS', 'CREATED'];

function rowOf({ actionId, kind, tokenId, shares, amountUsd, status, createdAt }: WalletAction): readonly string[] {
  return [actionId, kind, tokenId, shares, amountUsd, status, secondsOf(createdAt)];
}
