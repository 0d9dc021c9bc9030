// The paper exchanges under load, in their own process: venue B with an account without rate limits, quotes on its books and
// no flow. Ends with its parent.

import { createDemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { startPaper } from '../../src/paper/paper.ts';
import { POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import type { PaperStart, PaperStarted } from './messages.ts';
import { answerParent } from './process-answers.ts';

const ANY_PORT = { venueA: 0, gamma: 0, data: 0, venueB: 0, control: 0, venueD: 0, venueE: 0 };

process.once('message', async ({ mode }: PaperStart) => {
  const paper = await startPaper({
    host: '127.0.0.1',
    ports: ANY_PORT,
    seed: 1,
    liquidity: { kind: 'flow', intensity: 0 },
    mode,
    accounts: await createDemoAccounts(POLYGON),
    onFailure: error => {
      throw error;
    },
  });
  const answer = await fetch(`${paper.urls.control}/venues/venue_b/accounts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ generate: 'ed25519', tier: 'unlimited', balance: '1000000' }),
  });
  const account = (await answer.json()) as Pick<PaperStarted, 'keyId' | 'privateKeyPem'>;
  if (!answer.ok) throw new Error(JSON.stringify(account));
  const market = paper.markets.find(it => it.venue === 'venue_b');
  if (market?.venue !== 'venue_b') throw new Error('venue B lists nothing');
  const { keyId, privateKeyPem } = account;
  const port = Number(new URL(paper.urls.venueB.rest).port);
  process.send?.({ port, ticker: market.ticker, keyId, privateKeyPem } satisfies PaperStarted);
  answerParent();
});
