// `crossbook stop` refuses new orders of an actor, a pod or all pods, and cancels the open orders. `crossbook resume` ends a stop. Both use
// the control socket, so that they need neither a key nor room on the disk.

import { EVERY_POD } from '../../core/domain/operation.ts';
import type { ResumeReport, StopReport } from '../../core/wire/reports.ts';
import { type Arguments, type CommandIo, dataDirOf, readArguments, runCommand, UsageError } from './command-io.ts';
import { askGateway } from './gateway-request.ts';
import { jsonText } from './output.ts';

export const STOP_USAGE = `  stop ACTOR|POD|--all [--json] [--data-dir DIR]
      refuses new orders with 503, and cancels all that are open; the gateway runs. Holds until resume, also after a restart
      ACTOR is POD/ACTOR where several pods have one of that name, or a pod has that name
      says what is left; exit code 1 if something is, or if the stop could not be recorded: repeat the command
      --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data

    crossbook stop maker
    crossbook stop --all
`;

export const RESUME_USAGE = `  resume ACTOR|POD|--all [--json] [--data-dir DIR]
      ends the stop that was made by the same name; a wider or narrower stop stays
      --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data

    crossbook resume maker
    crossbook resume --all
`;

interface Scoped {
  readonly scope: string;
}

export async function stopCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return send('stop', args, io, (report, isRecorded) => {
    const stop = report as StopReport & Scoped;
    return { text: stopText(stop, isRecorded), isDone: isRecorded && stop.leftTotal === 0 && stop.unread.length === 0 };
  });
}

export async function resumeCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return send('resume', args, io, (report, isRecorded) => {
    return { text: resumeText(report as ResumeReport & Scoped, isRecorded), isDone: isRecorded };
  });
}

type Shown = (report: object, isRecorded: boolean) => { readonly text: string; readonly isDone: boolean };

async function send(op: 'stop' | 'resume', args: readonly string[], io: CommandIo, show: Shown): Promise<number> {
  let isDone = false;
  const exitCode = await runCommand(io, async () => {
    const options = readWho(args);
    const { report, isRecorded } = await askGateway(dataDirOf(options, io), { op, name: nameOf(options) });
    const shown = show(report, isRecorded);
    isDone = shown.isDone;
    io.out(options.has('json') ? jsonText({ ...report, isRecorded }) : shown.text);
  });
  return exitCode === 0 && !isDone ? 1 : exitCode;
}

/** Reads either `--all` or a name. */
function readWho(args: readonly string[]): Arguments {
  const isAll = args.includes('--all');
  const positionals = isAll ? [] : ['ACTOR or POD, or --all'];
  return readArguments(args, { options: ['data-dir'], flags: ['all', 'json'], positionals });
}

function nameOf({ positionals: [name = EVERY_POD] }: Arguments): string {
  if (name === '') throw new UsageError('ACTOR or POD: must not be empty');
  return name;
}

function named(scope: string): string {
  return scope === EVERY_POD ? 'all pods' : scope;
}

function repeatCommand(scope: string): string {
  return scope === EVERY_POD ? '--all' : scope;
}

function stopText({ scope, cancelled, left, leftTotal, unread }: StopReport & Scoped, isRecorded: boolean): string {
  const lines = [
    `stopped ${named(scope)}: new orders get 503 until crossbook resume ${repeatCommand(scope)}`,
    `cancelled ${cancelled}, left ${leftTotal}${leftTotal === 0 ? '' : ': cancels are made as soon as the venue takes them'}`,
    ...left.map(it => `  ${it.orderId}  ${it.actorId}  ${it.venue} ${it.market}  ${it.status}`),
    ...(left.length < leftTotal ? [`  and ${leftTotal - left.length} more`] : []),
    ...unread.map(account => `${account} is not read since the start: orders there may be unknown here`),
    ...(isRecorded ? [] : [NOT_RECORDED]),
    ...(leftTotal === 0 && unread.length === 0 && isRecorded ? [] : ['repeat the command until nothing is left']),
  ];
  return lines.map(line => `${line}\n`).join('');
}

const NOT_RECORDED =
  'not all of the stop could be recorded: the stop holds until this process ends, and is recorded once the disk takes records again';

function resumeText({ scope, stopped, wasStopped }: ResumeReport & Scoped, isRecorded: boolean): string {
  const lines = [
    wasStopped ? `resumed ${named(scope)}` : `${named(scope)} was not stopped`,
    ...(stopped.length === 0 ? [] : [`still stopped: ${stopped.map(named).join(', ')}`]),
    ...(isRecorded ? [] : ['not recorded: a restart stops it again, unless the disk takes records before']),
  ];
  return lines.map(line => `${line}\n`).join('');
}
