// `crossbook paper`: the paper exchanges alone, on ports of your choice, for any client of the real venues. Runs until interrupted.

import { once } from 'node:events';
import { join } from 'node:path';
import { ListenError } from '../../core/net/listen.ts';
import { type DemoAccounts, demoAccountsIn } from '../../paper/control/demo-accounts.ts';
import { type Paper, type PaperOptions, startPaper } from '../../paper/paper.ts';
import { type ChainId, POLYGON } from '../../venues/venue-a/exchanges.ts';
import { type CommandIo, dataDirOf, readArguments, runCommand, UsageError } from './command-io.ts';
import { chainIdOf, PAPER_OPTIONS, paperOptionsOf, portOption } from './paper-options.ts';

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

/** Accounts of the folder, made if absent; without `--chain-id`, of any chain. */
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
