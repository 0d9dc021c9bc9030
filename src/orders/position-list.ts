// The list of an actor's positions, valued as it is read (interface §2.3, contract §5). It has no pages. It is read a slice at a
// time: orders on the same thread wait for one slice at most. Engine thread.

import type { OperationReply, PositionsOperation } from '../domain/operation.ts';
import { limits } from '../limits.ts';
import { inTurns } from '../runtime/in-turns.ts';
import { type PositionView, positionView } from '../wire/position-views.ts';
import { replyOf } from '../wire/replies.ts';
import type { Valuation } from './owner-values.ts';

export async function listPositions(
  valuation: Valuation,
  { venue, caller, address }: PositionsOperation,
): Promise<OperationReply> {
  const account = { podId: caller.podId, venue };
  const positions: PositionView[] = [];
  const held = valuation.positions(caller.actorId, account, address);
  for await (const position of inTurns(held, limits.positionsPerTurnMax)) {
    if (position.size !== 0) positions.push(positionView(valuation.valued(account, position)));
  }
  return replyOf(200, { positions });
}
