// `crossbook paper` runs the paper exchanges alone, on ports of your choice, for any client of the real venues. It runs until it is
// interrupted. An error of an option names the option and the rule, before anything starts.

import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { ListenError } from '../../core/net/listen.ts';
import { type PaperTerms, QUEUE_MODELS, readLatency, USUAL_TERMS } from '../../core/runtime/paper-terms.ts';
import { ConfigError, readChoice } from '../../core/runtime/setting-values.ts';
import { limits } from '../../limits.ts';
import { type DemoAccounts, demoAccountsIn } from '../../paper/control/demo-accounts.ts';
import { type Liquidity, type Paper, type PaperOptions, type PaperPorts, startPaper } from '../../paper/paper.ts';
import { AMOY, type ChainId, POLYGON } from '../../venues/venue-a/exchanges.ts';
import { type Arguments, type CommandIo, dataDirOf, readArguments, runCommand, UsageError } from './command-io.ts';

const PORTS: Readonly<Record<keyof PaperPorts, { readonly option: string; readonly standard: number }>> = {
  venueA: { option: 'venue-a-port', standard: 9101 },
  gamma: { option: 'gamma-port', standard: 9102 },
  data: { option: 'data-port', standard: 9103 },
  venueB: { option: 'venue-b-port', standard: 9104 },
  control: { option: 'control-port', standard: 9105 },
  venueD: { option: 'venue-d-port', standard: 9106 },
  venueE: { option: 'venue-e-port', standard: 9107 },
};
const PORT_NAMES = Object.keys(PORTS) as (keyof PaperPorts)[];

export const PAPER_USAGE = `  paper [--seed N] [--intensity X | --replay FILE [--replay FILE …] [--speed X] [--loop]] [--instant]
        [--queue MODEL] [--latency MS] [--taker-delay SECONDS] [--host ADDRESS] [--venue-a-port N] [--gamma-port N] [--data-port N]
        [--venue-b-port N] [--control-port N] [--venue-d-port N] [--venue-e-port N] [--chain-id 137|80002]
        [--data-dir DIR]
      runs the paper exchanges until it is interrupted, and prints where they listen
      --seed         of the games, the flow and the faults, default 1
      --intensity    times the recorded pace of the market flow, default 1; 0: quotes only
      --replay       recordings as liquidity instead of the flow, --speed times as fast, again and again with --loop
      --queue        with --replay, which cancels are ahead of orders: proportional (default), pessimistic, optimistic
      --latency      of orders and cancels: feed=5,order=20,cancel=20 in milliseconds, or a file of JSON
      --instant      new orders are not checked and answered as filled, for load tests
      --taker-delay  how long venue A holds marketable orders, default 1
      --host         default 127.0.0.1; callers of any other address reach the control API too, which asks for no key
      ports: ${Object.values(PORTS)
        .map(({ standard }) => standard)
        .join(', ')}; 0 picks a free one
      accounts and their keys: DIR/paper/accounts.json, made by the first start, for chain 137 unless --chain-id says otherwise

    crossbook paper
    crossbook paper --replay capture.jsonl --speed 10
`;

const PAPER_OPTIONS = {
  options: [
    ...['seed', 'intensity', 'replay', 'speed', 'taker-delay', 'queue', 'latency', 'host', 'chain-id', 'data-dir'],
    ...Object.values(PORTS).map(({ option }) => option),
  ],
  flags: ['instant', 'loop'],
} as const;

function paperOptionsOf(args: Arguments): Omit<PaperOptions, 'accounts' | 'onFailure'> {
  const takerDelayS = args.one('taker-delay');
  return {
    host: hostOf(args),
    ports: portsOf(args),
    seed: numberOf(args, 'seed', 1, { max: 2 ** 31 - 1, isInteger: true }),
    liquidity: liquidityOf(args),
    terms: termsOf(args),
    mode: args.has('instant') ? 'instant' : 'exact',
    ...(takerDelayS === undefined ? {} : { takerDelayS: numberOf(args, 'taker-delay', 1, { max: 60 }) }),
  };
}

/** Returns null without the option. */
function chainIdOf(args: Arguments): ChainId | null {
  const text = args.one('chain-id');
  if (text === undefined) return null;
  const chainId = ([POLYGON, AMOY] as const).find(it => String(it) === text);
  if (chainId === undefined) throw new UsageError(`--chain-id: must be ${POLYGON} or ${AMOY}`);
  return chainId;
}

/** The first option that has this port. */
function portOption(ports: PaperPorts, port: number): string {
  return `--${PORTS[PORT_NAMES.find(name => ports[name] === port) ?? 'venueA'].option}`;
}

function hostOf(args: Arguments): string {
  const host = args.one('host') ?? '127.0.0.1';
  if (isIPv4(host) || host === 'localhost') return host;
  throw new UsageError('--host: must be an IPv4 address of this machine, or localhost');
}

function liquidityOf(args: Arguments): Liquidity {
  const files = args.many('replay');
  if (files.length === 0) {
    const ofReplay = ['speed', 'loop'].find(name => args.has(name) || args.many(name).length > 0);
    if (ofReplay !== undefined) throw new UsageError(`--${ofReplay}: requires --replay`);
    return { kind: 'flow', intensity: numberOf(args, 'intensity', 1, { max: 100 }) };
  }
  const ofFlow = ['intensity', 'taker-delay'].find(name => args.one(name) !== undefined);
  if (ofFlow !== undefined) throw new UsageError(`--${ofFlow}: conflicts with --replay`);
  const speed = numberOf(args, 'speed', 1, { max: limits.replaySpeedMax });
  if (speed === 0) throw new UsageError('--speed: must be above 0');
  return { kind: 'recording', recording: { files, speed, loop: args.has('loop') } };
}

function termsOf(args: Arguments): PaperTerms {
  const [queue, latency] = [args.one('queue'), args.one('latency')];
  if (queue !== undefined && args.many('replay').length === 0) throw new UsageError('--queue: requires --replay');
  try {
    return {
      queue: queue === undefined ? USUAL_TERMS.queue : readChoice('--queue', queue, QUEUE_MODELS),
      latency: latency === undefined ? USUAL_TERMS.latency : readLatency('--latency', latency),
    };
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}

function portsOf(args: Arguments): PaperPorts {
  const port = ({ option, standard }: (typeof PORTS)[keyof PaperPorts]): number =>
    numberOf(args, option, standard, { max: 65_535, isInteger: true });
  const ports = Object.fromEntries(PORT_NAMES.map(name => [name, port(PORTS[name])])) as unknown as PaperPorts;
  for (const name of PORT_NAMES) {
    const [own, first] = [`--${PORTS[name].option}`, portOption(ports, ports[name])];
    if (ports[name] !== 0 && own !== first) throw new UsageError(`${own}: must differ from ${first}`);
  }
  return ports;
}

interface Range {
  readonly max: number;
  readonly isInteger?: true;
}

/** Reads a number from 0 to the end of the range. */
function numberOf(args: Arguments, name: string, standard: number, { max, isInteger }: Range): number {
  const text = args.one(name);
  if (text === undefined) return standard;
  const value = Number(text);
  const digits = isInteger === true ? /^\d+$/ : /^\d+(\.\d+)?$/;
  if (digits.test(text) && value <= max) return value;
  throw new UsageError(`--${name}: must be ${isInteger === true ? 'an integer' : 'a number'} from 0 to ${max}`);
}

export async function paperCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, async () => {
    const read = readArguments(args, PAPER_OPTIONS);
    const [options, chainId] = [paperOptionsOf(read), chainIdOf(read)];
    const folder = join(dataDirOf(read, io), 'paper');
    const accounts = await accountsIn(folder, chainId);
    const onFailure = (error: unknown): void => io.err(`crossbook: a fault of the paper exchanges: ${String(error)}\n`);
    const paper = await start({ ...options, accounts, onFailure });
    io.out(`${describe(paper)}accounts               ${join(folder, 'accounts.json')}\n`);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    paper.close();
  });
}

/** The accounts in the folder, which are made if they are absent. Without `--chain-id` their chain may be any. */
async function accountsIn(folder: string, chainId: ChainId | null): Promise<DemoAccounts> {
  const accounts = await demoAccountsIn(folder, chainId ?? POLYGON);
  if (!accounts.ok) throw new Error(accounts.error);
  const { venueA } = accounts.value;
  if (chainId !== null && venueA.chainId !== chainId) {
    throw new UsageError(
      `--chain-id: the accounts in ${folder} are for ${venueA.chainId}; others need another --data-dir`,
    );
  }
  return accounts.value;
}

async function start(options: PaperOptions): Promise<Paper> {
  try {
    return await startPaper(options);
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    throw new Error(`${error.message} (${portOption(options.ports, error.port)}, --host)`, { cause: error });
  }
}

function describe({ urls, recordings }: Paper): string {
  const rows = [
    ['venue A CLOB', urls.venueA.rest],
    ['venue A market stream', urls.venueA.marketStream],
    ['venue A user stream', urls.venueA.userStream],
    ['venue A Gamma', urls.venueA.gamma],
    ['venue A Data API', urls.venueA.data],
    ['venue A relayer', urls.venueA.relayer],
    ['venue B', urls.venueB.rest],
    ['venue B stream', urls.venueB.stream],
    ['venue D', urls.venueD.rest],
    ['venue E', urls.venueE.rest],
    ['control', urls.control],
  ];
  const read = recordings.map(words => ['recording', words]);
  return [...rows, ...read].map(([what = '', value]) => `${what.padEnd(23)}${value}\n`).join('');
}
