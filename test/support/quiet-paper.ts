// Paper exchanges for tests of the whole product.

import type { DemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { type Paper, type PaperOptions, startPaper } from '../../src/paper/paper.ts';

export const ANY_PORT = { venueA: 0, gamma: 0, data: 0, venueB: 0, control: 0, venueD: 0, venueE: 0 };

/** Starts exchanges on free ports, with quotes but no trades of their own. A fault of the exchanges is thrown. */
export function startQuietPaper(accounts: DemoAccounts, options: Partial<PaperOptions> = {}): Promise<Paper> {
  const onFailure = (error: unknown): void => {
    throw error;
  };
  const quiet = { seed: 1, liquidity: { kind: 'flow', intensity: 0 }, mode: 'exact' } as const;
  return startPaper({ host: '127.0.0.1', ports: ANY_PORT, ...quiet, accounts, onFailure, ...options });
}
