// The least gateway at each of its steps. Each has its own account at venue B, and the caller's key of a pod of the gateway. So one caller can use
// all of them.

import { join } from 'node:path';
import type { LeastGatewayStart, LeastGatewayStarted, LeastStep } from './order-messages.ts';
import type { Desk, OrderRig } from './order-rig.ts';
import type { LeastGatewayData } from './order-taker.ts';
import { cpuMsOf } from './process-cpu.ts';

export interface LeastGateway {
  readonly way: LeastGatewayData;
  /** The processor time of all threads of the process so far, in milliseconds. */
  cpuMs(): number;
}

/** Starts the least gateways, which end with the rig. */
export async function startLeastGateways(
  rig: OrderRig,
  desk: Desk,
): Promise<Readonly<Record<LeastStep, LeastGateway>>> {
  const start = (step: LeastStep): Promise<LeastGateway> => startLeastGateway(rig, desk, step);
  return { forward: await start('forward'), check: await start('check'), journal: await start('journal') };
}

/** Starts a least gateway, which ends with the rig. */
export async function startLeastGateway(rig: OrderRig, desk: Desk, step: LeastStep): Promise<LeastGateway> {
  const { key, market } = rig.waysOf(desk).gateway;
  if (market.venue !== 'venue_b') throw new Error('the least gateway trades at venue B only');
  const account = await rig.paper.venueBAccount('ed25519');
  const { publicKeyHex } = key;
  const journalFile = join(rig.folder, `least-${step}`);
  const question: LeastGatewayStart = { account, publicKeyHex, journalFile, step };
  const server = rig.process('../baselines/least-gateway-process.ts');
  const { port, pid } = await server.ask<LeastGatewayStarted>(question);
  return { way: { taker: 'least-gateway', port, key, market, account }, cpuMs: () => cpuMsOf(pid) };
}
