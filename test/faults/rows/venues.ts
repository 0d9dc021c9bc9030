// A whole venue fails: it is absent, silent, closed, slow to show orders, has a wrong clock, or refuses our credentials.

import { setTimeout as pause } from 'node:timers/promises';
import { VENUES, type Venue } from '../../../src/core/domain/market.ts';
import { limits } from '../../../src/limits.ts';
import type { PaperProcess, PodAccount } from '../../soak/paper-process.ts';
import { VenueBTrader, venueAClient } from '../../support/paper-traders.ts';
import type { Row } from '../row.ts';
import type { Scene } from '../scene.ts';
import { SPELL_MS } from '../spell.ts';
import type { Stage } from '../stage.ts';

const group = 'the venues as a whole';
/** The absence lasts so long that the gateway becomes ready without the venue. */
const ABSENT_MS = limits.readyWaitMs + SPELL_MS;

function spell(
  fault: string,
  begin: (stage: Stage, venue: Venue) => unknown,
  end: (stage: Stage, venue: Venue) => unknown,
): Row {
  return {
    group,
    fault: `${fault} for ${SPELL_MS / 1_000} s`,
    async strike(scene) {
      await scene.begun(12);
      const { stage } = scene;
      for (const venue of VENUES) await begin(stage, venue);
      await pause(SPELL_MS);
      for (const venue of VENUES) await end(stage, venue);
    },
  };
}

function paused(mode: Readonly<Record<Venue, string>>): Row {
  return spell(
    `venue A is \`${mode.venue_a}\`, venue B without \`${mode.venue_b}\``,
    ({ paper }, venue) => paper.control('POST', `/venues/${venue}/pause`, { mode: mode[venue] }),
    ({ paper }, venue) => paper.control('POST', `/venues/${venue}/resume`),
  );
}

/** Returns the pods with another key of the same accounts, in addition to the key of the audit. */
async function withOtherKey({ pods, urls }: PaperProcess): Promise<readonly PodAccount[]> {
  const [{ podId, accounts }, ...others] = pods as [PodAccount, ...PodAccount[]];
  const trader = new VenueBTrader(urls['venue_b rest'], accounts);
  type Key = Readonly<Record<'api_key_id' | 'private_key', string>>;
  const { body } = await trader.call<Key>('POST', '/api_keys/generate', { name: 'gateway', key_type: 'ed25519' });
  const key = { keyId: body.api_key_id, keyType: 'ed25519', privateKeyPem: body.private_key } as const;
  return [{ podId, accounts: { ...accounts, venueB: { ...accounts.venueB, keys: [key] } } }, ...others];
}

/** Revokes the keys. Venue A creates the same key again for the same wallet. At venue B the gateway gets another key, and a restart. */
async function revoke({ stage: { paper, gateway } }: Scene): Promise<void> {
  const [desk, fund] = paper.pods as [PodAccount, PodAccount];
  const venueA = venueAClient(paper.urls['venue_a rest'], fund.accounts);
  const venueB = new VenueBTrader(paper.urls['venue_b rest'], desk.accounts);
  const { body } = await venueB.call<{ readonly api_keys: readonly Readonly<Record<string, string>>[] }>(
    'GET',
    '/api_keys',
  );
  const { api_key_id = '' } = body.api_keys.find(({ name }) => name === 'gateway')!;
  await Promise.all([venueA.deleteApiKey(), venueB.call('DELETE', `/api_keys/${api_key_id}`)]);
  await pause(SPELL_MS);
  await venueA.createApiKey();
  gateway.usePods(paper.pods);
  await gateway.stop();
  await gateway.start();
}

function clock(skewMs: number): Row {
  return {
    group,
    fault: `its clock is ${Math.abs(skewMs) / 1_000} s ${skewMs > 0 ? 'ahead' : 'behind'}`,
    async strike(scene) {
      await scene.begun(12);
      for (const venue of VENUES) await scene.stage.paper.control('PUT', `/venues/${venue}/clock`, { skewMs });
      await scene.whenOver();
    },
  };
}

export const VENUE_ROWS: readonly Row[] = [
  paused({ venue_a: 'cancel-only', venue_b: 'trading' }),
  paused({ venue_a: 'post-only', venue_b: 'trading' }),
  paused({ venue_a: 'restarting', venue_b: 'exchange' }),
  paused({ venue_a: 'disabled', venue_b: 'exchange' }),
  spell(
    'cut off: connections are refused',
    ({ cables }, venue) => cables.cut(venue),
    ({ cables }, venue) => cables.mend(venue),
  ),
  spell(
    'silent: bytes are taken, none arrives',
    ({ cables }, venue) => cables.hush(venue),
    ({ cables }, venue) => cables.speak(venue),
  ),
  spell(
    'private reads lag 2.5 s behind',
    ({ paper }, venue) => paper.control('PUT', `/venues/${venue}/reads`, { staleMs: 2_500 }),
    ({ paper }, venue) => paper.control('PUT', `/venues/${venue}/reads`, { staleMs: 0 }),
  ),
  {
    group,
    fault: `not there when the gateway starts, for ${ABSENT_MS / 1_000} s`,
    setting: {
      async begin({ stage: { cables, gateway } }) {
        for (const venue of VENUES) cables.cut(venue);
        await gateway.start();
      },
    },
    async strike({ stage: { cables } }) {
      await pause(ABSENT_MS);
      for (const venue of VENUES) await cables.mend(venue);
    },
  },
  {
    group,
    fault: `each revokes a pod’s credentials; after ${SPELL_MS / 1_000} s there are new ones, and the gateway is started again`,
    setting: { pods: withOtherKey },
    isHasty: true,
    async strike(scene) {
      await scene.begun(12);
      await revoke(scene);
    },
  },
  clock(3_000),
  clock(-3_000),
];
