// An operator's stops over the orders of a rig.

import { Stops } from '../../../src/orders/life/stops.ts';
import type { Rig } from './orders-rig.ts';

export class StopsRig {
  readonly stops: Stops;
  /** The scopes that are stopped, as they were announced. */
  readonly stopped: (readonly string[])[] = [];
  readonly storeFaults: unknown[] = [];

  /** The rig's submissions check these stops. */
  constructor(rig: Pick<Rig, 'ledger' | 'timers' | 'account' | 'venue' | 'stopProblem'>) {
    const { ledger, timers, account, venue } = rig;
    this.stops = new Stops({
      ...{ ledger, timers, accounts: [{ ...account, trading: venue }] },
      isRead: () => true,
      changed: scopes => this.stopped.push(scopes),
      storeFailed: error => this.storeFaults.push(error),
    });
    rig.stopProblem = who => this.stops.problem(who);
  }
}
