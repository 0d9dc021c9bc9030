// `crossbook paper`: the paper exchanges alone, on ports of one's choice, so that any client of the real venues can be pointed at
// them. Runs until it is interrupted.

import { once } from 'node:events';
import { join } from 'node:path';
import { demoAccountsIn } from '../paper/control/accounts-file.ts';
import { type Liquidity, type Paper, type PaperPorts, startPaper } from '../paper/paper.ts';
import { AMOY, type ChainId, POLYGON } from '../venues/venue-a/exchanges.ts';
import { type Arguments, type CommandIo, dataDirOf, readArguments, runCommand, UsageError } from './command-io.ts';

const PORTS: PaperPorts = { venueA: 9101, gamma: 9102, data: 9103, venueB: 9104, control: 9105 };
const PORT_OPTIONS: Readonly<Record<keyof PaperPorts, string>> = {
  venueA: 'venue-a-port',
  gamma: 'gamma-port',
  data: 'data-port',
  venueB: 'venue-b-port',
  control: 'control-port',
};

export const PAPER_USAGE = `  paper [--seed N] [--intensity X | --replay FILE … [--speed X] [--loop]] [--instant] [--taker-delay SECONDS]
        [--host ADDRESS] [--venue-a-port N] [--gamma-port N] [--data-port N] [--venue-b-port N] [--control-port N]
        [--chain-id 137|80002] [--data-dir DIR]
      runs the paper exchanges until it is interrupted, and prints where they listen
      --intensity    times the recorded pace of the market flow, default 1; 0: quotes only
      --replay       recordings as liquidity instead of the flow
      --instant      new orders are not checked and answered as filled, for load tests
      --taker-delay  how long venue A holds marketable orders, default 1
      ports: ${Object.values(PORTS).join(', ')}; 0 picks a free one
      accounts and their keys: DIR/paper/accounts.json, made by the first start
`;

const OPTIONS = ['seed', 'intensity', 'replay', 'speed', 'taker-delay', 'host', 'chain-id', 'data-dir'];

export async function paperCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, async () => {
    const options = [...OPTIONS, ...Object.values(PORT_OPTIONS)];
    const read = readArguments(args, { options, flags: ['instant', 'loop'] });
    const folder = join(dataDirOf(read, io), 'paper');
    const accounts = await demoAccountsIn(folder, chainIdOf(read));
    if (!accounts.ok) throw new Error(accounts.error);
    const takerDelayS = read.one('taker-delay');
    const paper = await startPaper({
      host: read.one('host') ?? '127.0.0.1',
      ports: portsOf(read),
      seed: numberOf(read, 'seed', 1, { max: 2 ** 31 - 1, isInteger: true }),
      liquidity: liquidityOf(read),
      mode: read.has('instant') ? 'instant' : 'exact',
      ...(takerDelayS === undefined ? {} : { takerDelayS: numberOf(read, 'taker-delay', 1, { max: 60 }) }),
      accounts: accounts.value,
    });
    io.out(`${describe(paper)}accounts               ${join(folder, 'accounts.json')}\n`);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    paper.close();
  });
}

function describe({ urls }: Paper): string {
  const rows = [
    ['venue A CLOB', urls.venueA.rest],
    ['venue A market stream', urls.venueA.marketStream],
    ['venue A user stream', urls.venueA.userStream],
    ['venue A Gamma', urls.venueA.gamma],
    ['venue A Data API', urls.venueA.data],
    ['venue B', urls.venueB.rest],
    ['venue B stream', urls.venueB.stream],
    ['control', urls.control],
  ];
  return rows.map(([what = '', url]) => `${what.padEnd(23)}${url}\n`).join('');
}

function liquidityOf(args: Arguments): Liquidity {
  const files = args.many('replay');
  if (files.length === 0) {
    for (const name of ['speed', 'loop']) {
      if (args.has(name) || args.many(name).length > 0) throw new UsageError(`--${name}: goes with --replay`);
    }
    return { kind: 'flow', intensity: numberOf(args, 'intensity', 1, { max: 100 }) };
  }
  if (args.one('intensity') !== undefined) throw new UsageError('--intensity: does not go with --replay');
  const speed = numberOf(args, 'speed', 1, { max: 1_000 });
  if (speed === 0) throw new UsageError('--speed: must be above 0');
  return { kind: 'recording', recording: { files, speed, loop: args.has('loop') } };
}

function portsOf(args: Arguments): PaperPorts {
  const port = (name: keyof PaperPorts): number =>
    numberOf(args, PORT_OPTIONS[name], PORTS[name], { max: 65_535, isInteger: true });
  return {
    venueA: port('venueA'),
    gamma: port('gamma'),
    data: port('data'),
    venueB: port('venueB'),
    control: port('control'),
  };
}

function chainIdOf(args: Arguments): ChainId {
  const chainId = Number(args.one('chain-id') ?? POLYGON);
  if (chainId === POLYGON || chainId === AMOY) return chainId;
  throw new UsageError(`--chain-id: must be ${POLYGON} or ${AMOY}`);
}

interface Range {
  readonly max: number;
  readonly isInteger?: true;
}

/** From 0 to the range's end. */
function numberOf(args: Arguments, name: string, standard: number, { max, isInteger }: Range): number {
  const text = args.one(name);
  if (text === undefined) return standard;
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= max && (isInteger !== true || Number.isInteger(value))) return value;
  throw new UsageError(`--${name}: must be ${isInteger === true ? 'an integer' : 'a number'} from 0 to ${max}`);
}
