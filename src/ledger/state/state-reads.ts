// The read-only view of the state for callers: without `apply`. Engine thread.

import type { Venue } from '../../domain/market.ts';
import type { OrderId } from '../../domain/order.ts';
import type { ProtectionScope } from '../../domain/protection.ts';
import type { Account, LiveReads } from '../../store/order-records.ts';
import type { LedgerState } from './state.ts';

export class StateReads implements LiveReads {
  protected readonly state: LedgerState;

  constructor(state: LedgerState) {
    this.state = state;
  }

  order(orderId: OrderId) {
    return this.state.order(orderId);
  }

  orderOfVenue(account: Account, venueOrderId: string) {
    return this.state.orderOfVenue(account, venueOrderId);
  }

  idempotency(actorId: string, venue: Venue, key: string) {
    return this.state.idempotency(actorId, venue, key);
  }

  openOrders(account: Account) {
    return this.state.openOrders(account);
  }

  unclearOrders(account: Account) {
    return this.state.unclearOrders(account);
  }

  unreportedOrders(account: Account) {
    return this.state.unreportedOrders(account);
  }

  ordersOf(actorId: string, venue: Venue, address: string | null) {
    return this.state.ordersOf(actorId, venue, address);
  }

  openCount(actorId: string, venue: Venue) {
    return this.state.openCount(actorId, venue);
  }

  fills(orderId: OrderId, after: number, rowsMax: number) {
    return this.state.fills(orderId, after, rowsMax);
  }

  fill(account: Account, fillId: string) {
    return this.state.fill(account, fillId);
  }

  positions(owner: string, venue: Venue) {
    return this.state.positions(owner, venue);
  }

  position(owner: string, venue: Venue, address: string) {
    return this.state.position(owner, venue, address);
  }

  booked(owner: string, venue: Venue, address: string, rowsMax: number) {
    return this.state.booked(owner, venue, address, rowsMax);
  }

  lastCursor(actorId: string) {
    return this.state.lastCursor(actorId);
  }

  mark(name: string) {
    return this.state.mark(name);
  }

  cancelAfters() {
    return this.state.cancelAfters();
  }

  protections(actorId: string | null) {
    return this.state.protections(actorId);
  }

  protection(scope: ProtectionScope) {
    return this.state.protection(scope);
  }
}
