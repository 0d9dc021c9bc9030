// Reports of one life of the simulated gateway to its observers.

import type { LossLimitEvent } from '../../src/core/domain/loss-limit.ts';
import type { OrderId } from '../../src/core/domain/order.ts';
import type { ProtectionChange, ProtectionScope } from '../../src/core/domain/protection.ts';
import type { ActorEventRecord, LedgerStore } from '../../src/core/store/order-records.ts';
import type { Divergence } from '../../src/orders/life/divergence.ts';
import type { DiskParts } from './opened-disk.ts';

export interface GatewayParts extends DiskParts {
  /** Called before the life begins. */
  readonly opened: (store: LedgerStore) => void;
  readonly reported: (event: ActorEventRecord) => void;
  readonly diverged: (kind: Divergence) => void;
  /** Called when a dead man's switch or a protection has fired and the record is written: its orders are to end. */
  readonly fired: (orderIds: readonly OrderId[]) => void;
  readonly protection: (event: ProtectionChange['event']) => void;
  /** Called when the protection's group at the venue has triggered. */
  readonly tripped: (scope: ProtectionScope) => void;
  readonly lossLimit: (event: LossLimitEvent) => void;
  /** Called when an order is sent that a triggered protection forbids, or a loss limit that was reached since the order's record. */
  readonly forbidden: (orderId: OrderId) => void;
  /** Called when a request was answered from the ledger before the venue answered. */
  readonly answeredEarly: () => void;
  /** Called when a caller waited longer for an answer than any caller may. */
  readonly answeredLate: (waitedMs: number) => void;
  /** Called when something could not be recorded. */
  readonly storeFailed: () => void;
}
