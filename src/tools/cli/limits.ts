// `crossbook limits` shows and sets the limits of each actor (contract §4.11). The gateway reads the key store with every request, so a
// limit holds from the very next order on.

import { type Actor, type ActorLimits, LIMIT_NAMES, type Pod, withPodLimits } from '../../core/domain/identity.ts';
import { formatMicroDollars, parseMicroShares } from '../../core/domain/numbers.ts';
import { actorLimitsView } from '../../core/wire/account-views.ts';
import { type Arguments, type CommandIo, UsageError, withSubcommands } from './command-io.ts';
import { accepted, type CommandKeys, findActor, listOf, onKeyStore } from './key-arguments.ts';

export const LIMITS_USAGE = `  limits set --actor ID [--pod ID] [--notional-max USD] [--size-max SHARES] [--open-orders-max COUNT]
             [--position-max SHARES] [--collar-ticks COUNT] [--collar-percent COUNT] [--collar-without-book refuse|pass]
             [--order-rate-max COUNT] [--order-burst-max COUNT] [--cancel-rate-max COUNT] [--cancel-burst-max COUNT]
             [--exposure-max USD]
      what one order may cost and how large it may be, how many orders may be open, how large the position in one
      market may become, how far beyond the opposite best price an order may lie, how many orders and cancels of single
      orders may come in a second and at once, how much the actor may lose in one event over both venues; none lifts a
      limit, and limits that are not named stay. The next order of a running gateway is checked by the new limits
  limits set --pod ID --exposure-max USD
      how much all actors of the pod may lose together in one event
  limits list [--json]
      all of limits: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data

    crossbook limits set --actor maker --notional-max 500 --open-orders-max 20
    crossbook limits set --actor maker --collar-ticks 5 --order-rate-max 50 --order-burst-max 100
`;

interface LimitOption {
  readonly limit: keyof ActorLimits;
  readonly rule: string;
  /** Reads a value. Returns undefined for a text that is no such value. Null removes the limit. */
  parse(text: string): number | 'PASS' | null | undefined;
}

const DECIMAL = {
  rule: 'a decimal below 9007199254.740992, of at most 6 decimals, or none',
  parse: (text: string) => (text === 'none' ? null : (parseMicroShares(text) ?? undefined)),
};
const COUNT = {
  rule: 'a whole number below 1000000000, or none',
  parse: (text: string) => (text === 'none' ? null : /^\d{1,9}$/.test(text) ? Number(text) : undefined),
};
const WAYS: Readonly<Record<string, 'PASS' | null>> = { refuse: null, pass: 'PASS' };
const LIMIT_OPTIONS: Readonly<Record<string, LimitOption>> = {
  'notional-max': { limit: 'notionalMax', ...DECIMAL },
  'size-max': { limit: 'sizeMax', ...DECIMAL },
  'open-orders-max': { limit: 'openOrdersMax', ...COUNT },
  'position-max': { limit: 'positionMax', ...DECIMAL },
  'collar-ticks': { limit: 'collarTicks', ...COUNT },
  'collar-percent': { limit: 'collarPercent', ...COUNT },
  'collar-without-book': { limit: 'collarWithoutBook', rule: 'refuse or pass', parse: text => WAYS[text] },
  'order-rate-max': { limit: 'orderRateMax', ...COUNT },
  'order-burst-max': { limit: 'orderBurstMax', ...COUNT },
  'cancel-rate-max': { limit: 'cancelRateMax', ...COUNT },
  'cancel-burst-max': { limit: 'cancelBurstMax', ...COUNT },
  'exposure-max': { limit: 'exposureMax', ...DECIMAL },
};
const OPTION_NAMES = Object.keys(LIMIT_OPTIONS);

export const limitsCommand = withSubcommands('limits', {
  set: { options: ['actor', 'pod', ...OPTION_NAMES], run: set },
  list: listOf(['POD', 'ACTOR', 'LIMITS'], withPodLimits, rowOf, viewOf),
});

function set(args: Arguments, io: CommandIo): void | Promise<void> {
  const named = Object.entries(LIMIT_OPTIONS).filter(([name]) => args.one(name) !== undefined);
  if (named.length === 0) throw new UsageError(`limits set: needs one of --${OPTION_NAMES.join(', --')}`);
  const change = named.map(([name, option]) => [option.limit, readLimit(args.required(name), name, option)] as const);
  const ofPod = args.one('pod');
  const setIn = async (keys: CommandKeys): Promise<void> => {
    if (args.one('actor') === undefined && ofPod !== undefined) return setPod(keys, ofPod, change, io);
    const { podId, actorId } = findActor(keys, args);
    const actor = accepted(await keys.change(it => it.setActorLimits(podId, actorId, Object.fromEntries(change))));
    io.out(`actor ${actorId} of pod ${podId}: ${limitsText(actor)}\n`);
  };
  return onKeyStore(setIn)(args, io);
}

/** Sets the limit of a pod. A pod has only one limit. */
async function setPod(
  keys: CommandKeys,
  podId: string,
  change: readonly (readonly [string, number | 'PASS' | null])[],
  io: CommandIo,
): Promise<void> {
  const [[limit, value] = []] = change;
  if (change.length > 1 || limit !== 'exposureMax')
    throw new UsageError('limits set: without --actor only --exposure-max can be set');
  const pod = accepted(await keys.change(it => it.setPodExposure(podId, value as Pod['exposureMax'])));
  const { exposureMax } = pod;
  io.out(`pod ${podId}: ${exposureMax === null ? 'none' : `exposureMax ${formatMicroDollars(exposureMax)}`}\n`);
}

function readLimit(text: string, name: string, { rule, parse }: LimitOption): number | 'PASS' | null {
  const value = parse(text);
  if (value === undefined) throw new UsageError(`--${name}: must be ${rule}`);
  return value;
}

function viewOf({ podId, actorId, limits }: Actor): object {
  return { podId, actorId, ...actorLimitsView(limits) };
}

function rowOf(actor: Actor): readonly string[] {
  return [actor.podId, actor.actorId, limitsText(actor)];
}

/** The limits that are set, as text. */
function limitsText({ limits }: Actor): string {
  const view = actorLimitsView(limits);
  const texts = LIMIT_NAMES.filter(name => limits[name] !== null).map(name => `${name} ${view[name]}`);
  return texts.length === 0 ? 'none' : texts.join(', ');
}
