// `crossbook loss` shows and sets the most that an actor or a pod may lose in a day. The engine of the running gateway keeps these limits.
// The command reaches it by the control socket.

import type { ControlRequest } from '../../core/wire/control.ts';
import type { LossLimitRow } from '../../core/wire/reports.ts';
import { type Arguments, type CommandIo, dataDirOf, withSubcommands } from './command-io.ts';
import { askGateway } from './gateway-request.ts';
import { jsonText } from './output.ts';

export const LOSS_USAGE = `  loss set ACTOR|POD --max USD [--cancel]
      once the loss reaches USD, refuses orders that raise risk with 503 until the day ends; --cancel also cancels such orders
      losses count from now on, and from the beginning of each day (CROSSBOOK_DAY_ZONE); new terms of a limit keep what counts already
  loss reset ACTOR|POD
      starts the count of losses again from now
  loss end ACTOR|POD
  loss list
      all of loss: [--json] [--data-dir DIR], default CROSSBOOK_DATA_DIR, else ./data

    crossbook loss set maker --max 200 --cancel
    crossbook loss list
`;

const WHO = ['ACTOR or POD'];

export const lossCommand = withSubcommands('loss', {
  set: {
    positionals: WHO,
    options: ['max'],
    flags: ['cancel', 'json'],
    run: (args, io) =>
      send(args, io, { op: 'loss-set', name: who(args), lossMax: args.required('max'), cancels: args.has('cancel') }),
  },
  reset: {
    positionals: WHO,
    flags: ['json'],
    run: (args, io) => send(args, io, { op: 'loss-reset', name: who(args) }),
  },
  end: { positionals: WHO, flags: ['json'], run: (args, io) => send(args, io, { op: 'loss-end', name: who(args) }) },
  list: { flags: ['json'], run: (args, io) => send(args, io, { op: 'loss-list' }) },
});

function who({ positionals }: Arguments): string {
  return positionals[0]!;
}

async function send(args: Arguments, io: CommandIo, request: ControlRequest): Promise<void> {
  const { report } = await askGateway(dataDirOf(args, io), request);
  const { lossLimits } = report as { readonly lossLimits: readonly LossLimitRow[] };
  if (args.has('json')) io.out(jsonText(report));
  else io.out(lossLimits.length === 0 ? 'no loss limit\n' : lossLimits.map(it => `${lineOf(it)}\n`).join(''));
}

function lineOf(limit: LossLimitRow): string {
  const { scope, lossMaxUsd, lossUsd, cancels, since, until, reachedAt, positions, positionsWithOldPrices } = limit;
  const state = reachedAt === null ? '' : `, reached at ${reachedAt}: orders that raise risk wait until ${until}`;
  const old = `${positionsWithOldPrices} of ${positions} positions at their last known prices`;
  const marks = positionsWithOldPrices === 0 ? '' : `, ${old}`;
  return `${scope}  lost ${lossUsd} of ${lossMaxUsd} dollars since ${since}${cancels ? ', cancels' : ''}${marks}${state}`;
}
