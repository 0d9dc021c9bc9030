// Venue A in the suite that the trading of every venue has to pass.

import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { MicroDollars, Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { VenueAOrderRequest } from '../../../../src/core/domain/order-request.ts';
import { OpenStreams } from '../../../../src/paper/faults/with-faults.ts';
import { userStreamRoute } from '../../../../src/paper/venue-a/stream/user-session.ts';
import { REGULAR } from '../../../paper/venue-a/venue-a-rig.ts';
import { type TradingRig as ContractRig, tradingContract, type Wish } from '../../trading-contract.ts';
import { FIRST, TradingRig } from './trading-rig.ts';

const TICK_MICROS_PER_MICRO_DOLLAR = 10_000;

/** Returns the request for a wish. At venue A a FOK is a market order with a price limit. A purchase states dollars. */
function requestOf(wish: Wish, now: number): VenueAOrderRequest {
  const { side, price, size, timeInForce = 'GTC', postOnly = false, forMs } = wish;
  const base = { venue: 'venue_a', tokenId: FIRST } as const;
  const limit = { ...base, type: 'LIMIT', side, size, price, postOnly } as const;
  if (forMs !== undefined) return { ...limit, timeInForce: 'GTD', expiresAt: (now + forMs) as UnixMillis };
  if (timeInForce === 'GTC') return { ...limit, timeInForce };
  const market = { ...base, type: 'MARKET', worstPrice: price, timeInForce } as const;
  if (side === 'SELL') return { ...market, side, size };
  return { ...market, side, dollars: ((price * size) / TICK_MICROS_PER_MICRO_DOLLAR) as MicroDollars };
}

async function openRig(): Promise<ContractRig> {
  const streams = new OpenStreams();
  const rig = await TradingRig.start({ sockets: parts => [streams.watch(userStreamRoute(parts))] });
  const { timers, exchange } = rig.venue;
  const market = exchange.desk.markets.find(it => it.address === REGULAR.conditionId)!;
  const { secret, passphrase, privateKey } = rig.account;
  return {
    trading: rig.trading,
    faults: rig.plan,
    operations: {
      ...{ submit: 'POST /order', submitBatch: 'POST /orders' },
      ...{ cancel: 'DELETE /order', cancelBatch: 'DELETE /orders', fillMessage: 'trade' },
    },
    address: FIRST,
    unknownAddress: '987654321',
    secrets: [secret, passphrase, privateKey],
    now: () => timers.now(),
    advance: byMs => timers.settle(byMs),
    order: wish => rig.order(requestOf(wish, timers.now())),
    others: (side, price, size, kind) => {
      const placed = exchange.desk.place(market, side === 'BUY' ? BID : ASK, price as Ticks, size, kind);
      if (placed === null && kind === 'rest') throw new Error('the others could not trade');
    },
    disconnect: () => void streams.disconnect(rig.wallet.credentials.apiKey),
  };
}

tradingContract('venue A', openRig);
