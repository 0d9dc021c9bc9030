// Plays one row on a stage: orders go on during the fault, then the faults end. All answers that clients received are compared with the gateway's
// state and the venues' state.

import { wordsOf } from '../../src/core/domain/error-words.ts';
import { VENUES } from '../../src/core/domain/market.ts';
import type { Random } from '../../src/core/runtime/random.ts';
import { Audit } from '../soak/audit.ts';
import { endFaults, struck } from '../soak/fault-plan.ts';
import { type Counters, countersOf, risen } from './metrics.ts';
import { NOTHING_SEEN, type Outcome } from './outcome.ts';
import type { Row } from './row.ts';
import { Scene } from './scene.ts';
import type { Stage } from './stage.ts';

/** The time in which everything must become right once nothing fails any more. It is longer than a proof of absence takes. */
const SETTLE_MS = 60_000;
/** The time limit of a row, which is necessary because clients repeat requests to a silent gateway without end. */
const ROW_MS = 240_000;

export async function playRow(row: Row, stage: Stage, random: Random): Promise<Outcome> {
  const { group, fault, orders, isHasty = false } = row;
  const startedAt = performance.now();
  const scene = new Scene({ stage, random, orders, isHasty });
  const { diary, notes } = scene;
  const outcome = { ...NOTHING_SEEN, group, fault, seen: diary.seen, notes };
  const playing = play(row, scene);
  const late = Promise.withResolvers<never>();
  const deadline = setTimeout(() => late.reject(new Error(`not within ${ROW_MS / 1_000} s`)), ROW_MS);
  try {
    const { reported, wrong } = await Promise.race([stage.gateway.failed, late.promise, playing]);
    return { ...outcome, seen: diary.seen, reported, wrong, tookMs: performance.now() - startedAt };
  } catch (error) {
    const words = wordsOf(error);
    // No part of this row may strike during other rows, or write to a folder that is gone.
    await scene.abandon();
    await Promise.allSettled([playing]);
    return { ...outcome, seen: diary.seen, wrong: [`it did not come to an end: ${words}`] };
  } finally {
    clearTimeout(deadline);
    scene.close();
  }
}

async function play(row: Row, scene: Scene): Promise<Pick<Outcome, 'reported' | 'wrong'>> {
  const { stage, traders } = scene;
  const { paper, gateway } = stage;
  const { setting } = row;
  if (setting !== undefined) await (setting.begin?.(scene) ?? stage.open());
  const linesBefore = gateway.logs.length;
  const before = await countersOf(gateway.url);
  const struckBefore = await struck(paper);
  const audit = new Audit({
    ...{ paper, gateway, traders, followers: stage.followers, strangers: new Set(), settleMs: SETTLE_MS },
    ...{ isPatient: row.isHasty !== true, losesRecord: row.losesRecord === true },
  });
  await scene.untilAllEnd([scene.trade(), row.strike(scene)]);
  await endFaults(paper);
  const struckAfter = await struck(paper);
  await audit.whileOrdersRest();
  await audit.repeatAll();
  await Promise.all(traders.flatMap(trader => VENUES.map(venue => trader.cancelAll(venue))));
  await audit.whenNothingRests();
  const reported = [...warningsOf(stage, linesBefore), ...risen(before, await countersOf(gateway.url))];
  return { reported, wrong: [...missed(row, struckBefore, struckAfter), ...audit.faults] };
}

/** Returns a finding if the fault of the row did not strike, since such a row proves nothing. */
function missed({ mustStrike }: Row, before: Counters, after: Counters): string[] {
  if (mustStrike === undefined || (after[mustStrike] ?? 0) > (before[mustStrike] ?? 0)) return [];
  return ['the fault never struck'];
}

/** Returns the warnings of the log since then, each once. */
function warningsOf({ gateway }: Stage, since: number): string[] {
  const warnings = gateway.logs.slice(since).filter(({ level }) => level === 'warn');
  return [
    ...new Set(warnings.map(({ event, kind }) => `“${kind === undefined ? event : `${event}: ${kind}`}”`)),
  ].sort();
}
