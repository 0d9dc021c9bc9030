// `crossbook limits`: limits of each actor (contract §4.11). The gateway reads the key store with every request, so that a limit holds for
// the very next order.

import type { Actor, ActorLimits } from '../../core/domain/identity.ts';
import { parseMicroShares } from '../../core/domain/numbers.ts';
import { actorLimitsView } from '../../core/wire/account-views.ts';
import { type Arguments, type CommandIo, UsageError, withSubcommands } from './command-io.ts';
import { accepted, type CommandKeys, findActor, listOf, onKeyStore } from './key-arguments.ts';

export const LIMITS_USAGE = `  limits set --actor ID [--pod ID] [--notional-max USD] [--open-orders-max COUNT] [--position-max SHARES]
      what one order may cost, how many orders may be open, how large the position in one market may become;
      none lifts a limit, one that is not named stays. Holds for the next order of a running gateway
  limits list [--json]
      all of limits: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data

    crossbook limits set --actor maker --notional-max 500 --open-orders-max 20
    crossbook limits list
`;

interface LimitOption {
  readonly limit: keyof ActorLimits;
  readonly rule: string;
  /** Null for a text that is not such a number. */
  parse(text: string): number | null;
}

const DECIMAL = { rule: 'a decimal below 9007199254.740992, of at most 6 decimals', parse: parseMicroShares };
const COUNT = {
  rule: 'a whole number below 1000000000',
  parse: (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : null),
};
const LIMIT_OPTIONS: Readonly<Record<string, LimitOption>> = {
  'notional-max': { limit: 'notionalMax', ...DECIMAL },
  'open-orders-max': { limit: 'openOrdersMax', ...COUNT },
  'position-max': { limit: 'positionMax', ...DECIMAL },
};
const LIMIT_NAMES = Object.keys(LIMIT_OPTIONS);

const HEAD = ['POD', 'ACTOR', 'NOTIONAL MAX', 'OPEN ORDERS MAX', 'POSITION MAX'];
export const limitsCommand = withSubcommands('limits', {
  set: { options: ['actor', 'pod', ...LIMIT_NAMES], run: set },
  list: listOf(HEAD, ({ actors }) => actors, rowOf, viewOf),
});

function set(args: Arguments, io: CommandIo): void | Promise<void> {
  const named = Object.entries(LIMIT_OPTIONS).filter(([name]) => args.one(name) !== undefined);
  if (named.length === 0) throw new UsageError(`limits set: needs one of --${LIMIT_NAMES.join(', --')}`);
  const change = named.map(([name, option]) => [option.limit, readLimit(args.required(name), name, option)]);
  const setIn = async (keys: CommandKeys): Promise<void> => {
    const { podId, actorId } = findActor(keys, args);
    const actor = accepted(await keys.change(it => it.setActorLimits(podId, actorId, Object.fromEntries(change))));
    io.out(`actor ${actorId} of pod ${podId}: ${limitsText(actor)}\n`);
  };
  return onKeyStore(setIn)(args, io);
}

function readLimit(text: string, name: string, { rule, parse }: LimitOption): number | null {
  if (text === 'none') return null;
  const value = parse(text);
  if (value === null) throw new UsageError(`--${name}: must be ${rule}, or none`);
  return value;
}

function viewOf({ podId, actorId, limits }: Actor): object {
  return { podId, actorId, ...actorLimitsView(limits) };
}

function rowOf({ podId, actorId, limits }: Actor): readonly string[] {
  const { notionalMax, openOrdersMax, positionMax } = actorLimitsView(limits);
  return [podId, actorId, ...[notionalMax, openOrdersMax, positionMax].map(it => String(it ?? 'none'))];
}

function limitsText({ limits }: Actor): string {
  const texts = Object.entries(actorLimitsView(limits)).map(([name, value]) => `${name} ${value ?? 'none'}`);
  return texts.join(', ');
}
