// Reports of one life of the simulated gateway to its observers.

import type { LossLimitEvent } from '../../src/core/domain/loss-limit.ts';
import type { OrderId } from '../../src/core/domain/order.ts';
import type { ProtectionChange, ProtectionScope } from '../../src/core/domain/protection.ts';
import type { ActorEventRecord, LedgerStore } from '../../src/core/store/order-records.ts';
import type { Divergence } from '../../src/orders/life/divergence.ts';
import type { DiskParts } from './opened-disk.ts';

export interface GatewayParts extends DiskParts {
  /** Before it begins. */
  readonly opened: (store: LedgerStore) => void;
  readonly reported: (event: ActorEventRecord) => void;
  readonly diverged: (kind: Divergence) => void;
  /** A dead man's switch or a protection has, and that is recorded: its orders are to end. */
  readonly fired: (orderIds: readonly OrderId[]) => void;
  readonly protection: (event: ProtectionChange['event']) => void;
  /** Its group at the venue has triggered. */
  readonly tripped: (scope: ProtectionScope) => void;
  readonly lossLimit: (event: LossLimitEvent) => void;
  /** An order is sent that a triggered protection forbids, or a loss limit that was reached since its record. */
  readonly forbidden: (orderId: OrderId) => void;
  /** By what the ledger knew, before the venue had. */
  readonly answeredEarly: () => void;
  /** A caller waited longer for an answer than any may. */
  readonly answeredLate: (waitedMs: number) => void;
  /** Something could not be recorded. */
  readonly storeFailed: () => void;
}
