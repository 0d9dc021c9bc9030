// Collects the engine's events of a request until the floor handles them. The engine must not be called meanwhile.

import { unreachable } from '../../domain/result.ts';
import type { EngineEvent, Fill, OrderId } from '../engine/engine-types.ts';

export class EngineTap {
  readonly fills: Fill[] = [];
  readonly cancelled: OrderId[] = [];
  readonly levels: Extract<EngineEvent, { type: 'level' }>[] = [];

  hear(event: EngineEvent): void {
    switch (event.type) {
      case 'fill':
        this.fills.push(event);
        return;
      case 'cancelled':
        this.cancelled.push(event.order);
        return;
      case 'level':
        this.levels.push(event);
        return;
      case 'accepted':
      case 'amended':
      case 'market':
      case 'settled':
        return;
      default:
        unreachable(event);
    }
  }
}
