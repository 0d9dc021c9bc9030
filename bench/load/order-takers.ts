// Makes an order taker from its data.

import { unreachable } from '../../src/domain/result.ts';
import type { OrderTaker, OrderTakerData } from './order-taker.ts';
import { gatewayTaker, leastGatewayTaker } from './order-taker-gateway.ts';
import { venueATaker } from './order-taker-venue-a.ts';
import { venueBTaker } from './order-taker-venue-b.ts';

export function openTaker(data: OrderTakerData): OrderTaker {
  switch (data.taker) {
    case 'gateway':
      return gatewayTaker(data);
    case 'least-gateway':
      return leastGatewayTaker(data);
    case 'venue_a':
      return venueATaker(data);
    case 'venue_b':
      return venueBTaker(data);
    default:
      return unreachable(data);
  }
}
