// The command line: `crossbook COMMAND …`. This file lists the commands; the file of a command is loaded when it is run.

import { wordsOf } from '../../core/domain/error-words.ts';
import { installedVersion } from '../../core/runtime/version.ts';
import { type Command, type CommandIo, closest, readArguments, runCommand } from './command-io.ts';
import { completionScript, SHELLS } from './completion.ts';
import { watched } from './start.ts';

/** A command, and its line in the overview. The command's file is loaded when the command is run. */
interface Entry {
  readonly does: string;
  readonly load: () => Promise<Command>;
}

const HISTORY = { what: 'the history', advice: 'restore a backup of it' };
/** The stores that a backup reads. LMDB does not say which of them is damaged. */
const STORES = {
  what: 'the orders, keys or catalog',
  advice: 'restore an earlier backup of what store check, keys list or catalog unread cannot read either',
};
const KEYS = { what: 'the keys', advice: 'restore a backup of them, and repeat later revocations' };
const CATALOG = { what: 'the catalog', advice: 'restore a backup of it' };

const GROUPS: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  'Markets and orders': {
    markets: {
      does: 'find markets, and the ids that orders name',
      load: () => import('./markets.ts').then(it => ({ usage: it.MARKETS_USAGE, run: it.marketsCommand })),
    },
    book: {
      does: 'show the live ladder of a market',
      load: () => import('./watch-book.ts').then(it => ({ usage: it.BOOK_USAGE, run: onTerminal(it.bookCommand) })),
    },
    order: {
      does: 'submit, show, replace and cancel orders',
      load: () => import('./order.ts').then(it => ({ usage: it.ORDER_USAGE, run: it.orderCommand })),
    },
    orders: {
      does: 'list orders of both venues',
      load: () => import('./orders.ts').then(it => ({ usage: it.ORDERS_USAGE, run: it.ordersCommand })),
    },
    positions: {
      does: 'show what you hold, and its profit',
      load: () => import('./account.ts').then(it => ({ usage: it.POSITIONS_USAGE, run: it.positionsCommand })),
    },
    balance: {
      does: 'show the cash at both venues',
      load: () => import('./account.ts').then(it => ({ usage: it.BALANCE_USAGE, run: it.balanceCommand })),
    },
    position: {
      does: 'redeem, split and merge shares of venue A',
      load: () => import('./position.ts').then(it => ({ usage: it.POSITION_USAGE, run: it.positionCommand })),
    },
    protection: {
      does: 'set, list, reset and end market-maker protections',
      load: () => import('./protection.ts').then(it => ({ usage: it.PROTECTION_USAGE, run: it.protectionCommand })),
    },
    mcp: {
      does: 'serve a model that reads, and cancels if you let it',
      load: () => import('./mcp.ts').then(it => ({ usage: it.MCP_USAGE, run: it.mcpCommand })),
    },
    call: {
      does: 'send any request of the API, signed',
      load: () => import('./call.ts').then(it => ({ usage: it.CALL_USAGE, run: it.callCommand })),
    },
  },
  'The gateway': {
    start: {
      does: 'run the gateway in this process',
      load: () => import('./start.ts').then(it => ({ usage: it.START_USAGE, run: it.startCommand })),
    },
    status: {
      does: 'show venues, accounts, stops, orders and queues',
      load: () => import('./status.ts').then(it => ({ usage: it.STATUS_USAGE, run: onTerminal(it.statusCommand) })),
    },
    latency: {
      does: 'show what orders and cancels take at the venues',
      load: () => import('./latency.ts').then(it => ({ usage: it.LATENCY_USAGE, run: it.latencyCommand })),
    },
    doctor: {
      does: 'check settings, machine and venues before a start',
      load: () => import('./start.ts').then(it => watched('doctor', it.DOCTOR_USAGE, it.doctorCommand, KEYS)),
    },
    alert: {
      does: 'send a test alarm',
      load: () => import('./alert.ts').then(it => ({ usage: it.ALERT_USAGE, run: it.alertCommand })),
    },
    stop: {
      does: 'refuse new orders, and cancel all that are open',
      load: () => import('./stop.ts').then(it => ({ usage: it.STOP_USAGE, run: it.stopCommand })),
    },
    resume: {
      does: 'end a stop',
      load: () => import('./stop.ts').then(it => ({ usage: it.RESUME_USAGE, run: it.resumeCommand })),
    },
    'venue-b': {
      does: 'show and move cash between the shards of venue B',
      load: () => import('./start.ts').then(it => ({ usage: it.VENUE_B_USAGE, run: it.venueBProgram })),
    },
  },
  'Keys and limits': {
    pods: {
      does: 'create, list and take over pods, and add actors',
      load: () => import('./pods.ts').then(it => watched('pods', it.PODS_USAGE, it.podsCommand, KEYS)),
    },
    keys: {
      does: 'create, register, rotate, list and revoke signing keys',
      load: () => import('./keys.ts').then(it => watched('keys', it.KEYS_USAGE, it.keysCommand, KEYS)),
    },
    'api-keys': {
      does: 'create, list and revoke API keys of the older paths',
      load: () => import('./keys.ts').then(it => watched('api-keys', it.API_KEYS_USAGE, it.apiKeysCommand, KEYS)),
    },
    limits: {
      does: 'set and list the limits of an actor',
      load: () => import('./limits.ts').then(it => watched('limits', it.LIMITS_USAGE, it.limitsCommand, KEYS)),
    },
    loss: {
      does: 'set, list, reset and end loss limits of actors and pods',
      load: () => import('./loss.ts').then(it => ({ usage: it.LOSS_USAGE, run: it.lossCommand })),
    },
  },
  Data: {
    catalog: {
      does: 'explain how listings of both venues were matched',
      load: () => import('./catalog.ts').then(it => watched('catalog', it.CATALOG_USAGE, it.catalogCommand, CATALOG)),
    },
    record: {
      does: 'record books and trades; list, check, export and import recordings',
      load: () => import('./record.ts').then(it => ({ usage: it.RECORD_USAGE, run: it.recordCommand })),
    },
    statement: {
      does: 'print fills, fees, payouts, cost lots and transfers for the books',
      load: () =>
        import('./statement.ts').then(it => watched('statement', it.STATEMENT_USAGE, it.statementCommand, HISTORY)),
    },
    store: {
      does: 'check, export and compact the orders on disk',
      load: () => import('./store.ts').then(it => watched('store', it.STORE_USAGE, it.storeCommand, HISTORY)),
    },
    backup: {
      does: 'copy the data directory',
      load: () => import('./backup.ts').then(it => watched('backup', it.BACKUP_USAGE, it.backupCommand, STORES)),
    },
    restore: {
      does: 'make a data directory of a backup',
      load: () => import('./backup.ts').then(it => ({ usage: it.RESTORE_USAGE, run: it.restoreCommand })),
    },
  },
  'For trying out': {
    report: {
      does: 'write what a bot’s orders came to, as a page and tables',
      load: () => import('./report.ts').then(it => watched('report', it.REPORT_USAGE, it.reportCommand, HISTORY)),
    },
    backtest: {
      does: 'run a bot against a recording',
      load: () => import('./backtest.ts').then(it => ({ usage: it.BACKTEST_USAGE, run: it.backtestCommand })),
    },
    paper: {
      does: 'run the paper exchanges in a process of their own',
      load: () => import('./paper.ts').then(it => ({ usage: it.PAPER_USAGE, run: it.paperCommand })),
    },
  },
  'This program': {
    completion: {
      does: 'print the completions of a shell',
      load: async () => ({ usage: COMPLETION_USAGE, run: completion }),
    },
    version: { does: 'print the version', load: async () => ({ usage: VERSION_USAGE, run: version }) },
    help: { does: 'print this, or all about one command', load: async () => ({ usage: HELP_USAGE, run: help }) },
  },
};
const COMMANDS: Readonly<Record<string, Entry>> = Object.assign({}, ...Object.values(GROUPS));

const COMPLETION_USAGE = `  completion bash|zsh|fish
      prints a script that completes commands and options in the shell

    source <(crossbook completion bash)
    crossbook completion fish > ~/.config/fish/completions/crossbook.fish
`;
const VERSION_USAGE = `  version [--json]
      the version of this program; --version prints the same
      --json: also of its Node, the system, and what the native packages of this installation are built for

    crossbook version
    crossbook version --json
`;
const HELP_USAGE = `  help [COMMAND]
      all commands in a line each, or all about one command; crossbook COMMAND --help prints the same

    crossbook help order
    crossbook order --help
`;

function onTerminal(run: (args: readonly string[], io: CommandIo, isTerminal: boolean) => Promise<number>) {
  return (args: readonly string[], io: CommandIo): Promise<number> => run(args, io, process.stdout.isTTY === true);
}

function version(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () => {
    const { has } = readArguments(args, { flags: ['json'] });
    const { version: node, versions, platform, arch } = process;
    const known = { crossbook: installedVersion(), node, abi: versions.modules, platform, arch };
    io.out(has('json') ? `${JSON.stringify(known)}\n` : `crossbook ${known.crossbook}\n`);
  });
}

function completion(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, async () => {
    const [shell = ''] = readArguments(args, { positionals: [SHELLS] }).positionals;
    const usages = Object.entries(COMMANDS).map(async ([name, { load }]) => [name, (await load()).usage] as const);
    io.out(completionScript(shell, new Map(await Promise.all(usages))));
  });
}

async function help([name]: readonly string[], io: CommandIo): Promise<number> {
  if (name !== undefined) {
    const entry = entryOf(name);
    if (entry === undefined) return unknown(name, io);
    io.out(`${entry.does}\n\n${(await entry.load()).usage}`);
    return 0;
  }
  const width = Math.max(...Object.keys(COMMANDS).map(it => it.length));
  const groups = Object.entries(GROUPS).map(([title, commands]) => {
    const lines = Object.entries(commands).map(([command, { does }]) => `  ${command.padEnd(width)}  ${does}\n`);
    return `\n${title}\n${lines.join('')}`;
  });
  io.out(`usage: crossbook COMMAND …; all about a command: crossbook help COMMAND\n${groups.join('')}`);
  return 0;
}

function entryOf(name: string): Entry | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

function unknown(name: string | undefined, io: CommandIo): number {
  const words = name === undefined ? 'no command' : `unknown command ${name}${closest(name, Object.keys(COMMANDS))}`;
  io.err(`crossbook: ${words}; crossbook help lists the commands\n`);
  return 2;
}

const io: CommandIo = {
  out: text => process.stdout.write(text),
  err: text => process.stderr.write(text),
  env: process.env,
  ...(process.stderr.isTTY === true ? { progress: (text: string) => void process.stderr.write(text) } : {}),
};
process.stdout.once('error', (error: NodeJS.ErrnoException) => {
  // The reader of our output has closed it, as in `crossbook book … | head`.
  if (error.code === 'EPIPE') process.exit(0);
  io.err(`crossbook: standard output: ${wordsOf(error)}\n`);
  process.exit(1);
});
const asked = process.argv.slice(2);
const isHelpFlag = (it: string): boolean => it === '-h' || it === '--help';
const [name, ...args] = asked.some(isHelpFlag) ? ['help', ...asked.filter(it => !isHelpFlag(it)).slice(0, 1)] : asked;
const entry = entryOf(name === '--version' ? 'version' : (name ?? ''));
process.exitCode = entry === undefined ? unknown(name, io) : await (await entry.load()).run(args, io);
