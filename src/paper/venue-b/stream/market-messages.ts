// The messages of venue B's stream beside the book (venue-b.md §10.4): trades, ticker and lifecycle of a market. Also fills, orders,
// positions and groups of a user. Thread of the paper exchanges.

import { ASK, BID, type Side } from '../../../core/domain/market.ts';
import {
  MICROS_PER_SHARE,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import { unreachable } from '../../../core/domain/result.ts';
import type { VenueBMarket } from '../market.ts';
import type { FillRecord, OrderRecord, PositionRecord, TradeRecord, UpdateReason, VenueBEvent } from '../records.ts';
import {
  bookSide,
  countText,
  noPriceText,
  outcomeSide,
  priceText,
  seconds,
  shortMoneyText,
  timeText,
} from '../wire-text.ts';
import { isOwn, type Message, memoized, uniformMessage } from './command.ts';

type Lifecycle = Extract<VenueBEvent, { type: 'lifecycle' }>;

const NOTHING = 0 as MicroShares;
const ZERO = 0 as Ticks;
const DOLLAR = TICKS_PER_DOLLAR as Ticks;

export function tradeMessage({ tradeId, market, price, size, takerSide, at }: TradeRecord): Message {
  return uniformMessage({ type: 'trade', channel: 'trade', market, owner: null }, () => ({
    trade_id: tradeId,
    market_ticker: market.ticker,
    yes_price_dollars: priceText(price),
    no_price_dollars: noPriceText(price),
    count_fp: countText(size),
    taker_side: outcomeSide(takerSide),
    taker_outcome_side: outcomeSide(takerSide),
    taker_book_side: bookSide(takerSide),
    is_block_trade: false,
    ts: seconds(at),
    ts_ms: at,
  }));
}

/** Returns a ticker without its time. A new ticker is sent only if this part has changed. */
export function tickerFacts(market: VenueBMarket, lastTradeSize: MicroShares): object {
  const { bestBid, bestAsk, volume, openInterest } = market;
  return {
    market_ticker: market.ticker,
    market_id: market.listing.marketId,
    price_dollars: priceText(market.lastPrice ?? ZERO),
    yes_bid_dollars: priceText(bestBid?.price ?? ZERO),
    yes_ask_dollars: priceText(bestAsk?.price ?? DOLLAR),
    yes_bid_size_fp: countText(bestBid?.size ?? NOTHING),
    yes_ask_size_fp: countText(bestAsk?.size ?? NOTHING),
    last_trade_size_fp: countText(lastTradeSize),
    volume_fp: countText(volume),
    open_interest_fp: countText(openInterest),
    dollar_volume: halfDollars(volume),
    dollar_open_interest: halfDollars(openInterest),
  };
}

export function tickerMessage(market: VenueBMarket, facts: object, at: UnixMillis): Message {
  return uniformMessage({ type: 'ticker', channel: 'ticker', market, owner: null }, () => ({
    ...facts,
    ts: seconds(at),
    ts_ms: at,
    time: timeText(at),
  }));
}

/** Returns half a dollar for each contract, which is how the venue counts. */
function halfDollars(contracts: MicroShares): number {
  return Math.floor(contracts / 2 / MICROS_PER_SHARE);
}

/** Returns the messages of a change in a market's life. The first market of an event also announces the event. */
export function lifecycleMessages({ market, change, at }: Lifecycle): readonly Message[] {
  const about = { channel: 'market_lifecycle_v2', market: null, owner: null } as const;
  const ofMarket = uniformMessage({ type: 'market_lifecycle_v2', ...about }, () => ({
    event_type: change,
    market_ticker: market.ticker,
    exchange_index: market.shard,
    ...detailsOf(market, change, at),
  }));
  if (change !== 'created' || market.event.markets[0]?.ticker !== market.ticker) return [ofMarket];
  return [uniformMessage({ type: 'event_lifecycle', ...about }, () => eventFacts(market)), ofMarket];
}

function detailsOf(market: VenueBMarket, change: Lifecycle['change'], at: UnixMillis): object {
  switch (change) {
    case 'created':
      return creationFacts(market);
    case 'activated':
      return { is_deactivated: false };
    case 'deactivated':
      return { is_deactivated: true };
    case 'close_date_updated':
      return { close_ts: seconds(market.closeAt) };
    case 'price_level_structure_updated':
      return gridFacts(market);
    case 'determined':
      return {
        result: market.outcome?.result ?? '',
        determination_ts: seconds(market.outcome?.determinedAt ?? at),
        settlement_value: priceText(market.outcome?.yesValue ?? ZERO),
      };
    case 'settled':
      return { settled_ts: seconds(market.outcome?.settledAt ?? at) };
    default:
      return unreachable(change);
  }
}

function gridFacts({ grid }: VenueBMarket): object {
  return { price_level_structure: grid.name, price_ranges: grid.ranges };
}

function creationFacts(market: VenueBMarket): object {
  const { listing, closeAt } = market;
  return {
    open_ts: seconds(listing.openAt),
    close_ts: seconds(closeAt),
    ...gridFacts(market),
    additional_metadata: {
      name: listing.yesSubTitle,
      title: listing.title,
      yes_sub_title: listing.yesSubTitle,
      no_sub_title: listing.noSubTitle,
      rules_primary: listing.rulesPrimary,
      rules_secondary: listing.rulesSecondary,
      can_close_early: true,
      event_ticker: listing.eventTicker,
      expected_expiration_ts: seconds(listing.expectedExpirationAt),
      strike_type: listing.strike.type,
      floor_strike: listing.strike.floor,
      custom_strike: listing.strike.custom,
    },
  };
}

function eventFacts({ event }: VenueBMarket): object {
  return {
    event_ticker: event.eventTicker,
    exchange_index: event.series.shard ?? 0,
    title: event.title,
    subtitle: event.subTitle,
    collateral_return_type: event.isMutuallyExclusive ? 'MECNET' : '',
    series_ticker: event.series.ticker,
  };
}

type LevelChange = Extract<VenueBEvent, { type: 'level' }>;

export function deltaMessage({ market, side, price, change, order, at }: LevelChange): Message {
  const write = (usesYesPrice: boolean, about: string): string =>
    `{"market_ticker":"${market.ticker}","market_id":"${market.listing.marketId}",` +
    `"price_dollars":"${shownPrice(side, price, usesYesPrice)}","delta_fp":"${countText(change)}",` +
    `"side":"${outcomeSide(side)}"${about},"ts":"${timeText(at)}","ts_ms":${at}}`;
  const plain = memoized(() => write(false, ''));
  const inYesTerms = memoized(() => write(true, ''));
  return {
    type: 'orderbook_delta',
    channel: 'orderbook_delta',
    market,
    owner: null,
    text: ({ caller, usesYesPrice }) => {
      if (order !== null && isOwn(caller, order.owner)) {
        const clientOrderId = JSON.stringify(order.clientOrderId);
        return write(usesYesPrice, `,"client_order_id":${clientOrderId},"subaccount":${order.owner.subaccount}`);
      }
      return usesYesPrice && side === ASK ? inYesTerms() : plain();
    },
  };
}

/** Writes a snapshot. Levels ascend in the outcome's own prices, so the best is last. An empty side has no key. */
export function snapshotText(market: VenueBMarket, usesYesPrice: boolean): string {
  const [yes, no] = [levelsText(market, BID, usesYesPrice), levelsText(market, ASK, usesYesPrice)];
  return (
    `{"market_ticker":"${market.ticker}","market_id":"${market.listing.marketId}"` +
    `${yes === '' ? '' : `,"yes_dollars_fp":[${yes}]`}${no === '' ? '' : `,"no_dollars_fp":[${no}]`}}`
  );
}

function levelsText(market: VenueBMarket, side: Side, usesYesPrice: boolean): string {
  const rows: string[] = [];
  for (const { price, size } of market.levels(side)) {
    rows.push(`["${shownPrice(side, price, usesYesPrice)}","${countText(size)}"]`);
  }
  return rows.reverse().join(',');
}

function shownPrice(side: Side, price: Ticks, usesYesPrice: boolean): string {
  return side === BID || usesYesPrice ? priceText(price) : noPriceText(price);
}

type GroupChange = Extract<VenueBEvent, { type: 'group' }>;

export function fillMessage(fill: FillRecord): Message {
  const { trade, owner, side } = fill;
  return uniformMessage({ type: 'fill', channel: 'fill', market: trade.market, owner }, () => ({
    trade_id: trade.tradeId,
    order_id: fill.orderId,
    client_order_id: fill.clientOrderId,
    market_ticker: trade.market.ticker,
    exchange_index: trade.market.shard,
    is_taker: fill.isTaker,
    side: outcomeSide(side),
    action: 'buy',
    purchased_side: outcomeSide(side),
    outcome_side: outcomeSide(side),
    book_side: bookSide(side),
    yes_price_dollars: priceText(trade.price),
    count_fp: countText(trade.size),
    fee_cost: shortMoneyText(fill.fee),
    post_position_fp: countText(fill.positionAfter),
    ts: seconds(trade.at),
    ts_ms: trade.at,
    subaccount: owner.subaccount,
  }));
}

export function orderMessage(order: OrderRecord, reason: UpdateReason | null): Message {
  const { market, owner, side } = order;
  return uniformMessage({ type: 'user_order', channel: 'user_orders', market, owner }, () => ({
    order_id: order.orderId,
    user_id: owner.userId,
    client_order_id: order.clientOrderId,
    ticker: market.ticker,
    exchange_index: market.shard,
    status: order.status,
    side: outcomeSide(side),
    is_yes: outcomeSide(side) === 'yes',
    outcome_side: outcomeSide(side),
    book_side: bookSide(side),
    yes_price_dollars: priceText(order.price),
    initial_count_fp: countText(order.initial),
    fill_count_fp: countText(order.filled),
    remaining_count_fp: countText(order.remaining),
    taker_fill_cost_dollars: shortMoneyText(order.takerFillCost),
    maker_fill_cost_dollars: shortMoneyText(order.makerFillCost),
    taker_fees_dollars: shortMoneyText(order.takerFees),
    maker_fees_dollars: shortMoneyText(order.makerFees),
    ...(order.orderGroupId === null ? {} : { order_group_id: order.orderGroupId }),
    self_trade_prevention_type: order.selfTrade,
    ...timesOf(order),
    ...(reason === null ? {} : { last_update_reason: reason }),
    subaccount_number: owner.subaccount,
  }));
}

function timesOf({ createdAt, updatedAt, expiresAt }: OrderRecord): object {
  const both = (name: string, stamp: string, time: UnixMillis): object => ({
    [name]: timeText(time),
    [stamp]: time,
  });
  return {
    ...both('created_time', 'created_ts_ms', createdAt),
    ...both('last_update_time', 'last_updated_ts_ms', updatedAt),
    ...(expiresAt === null ? {} : both('expiration_time', 'expiration_ts_ms', expiresAt)),
  };
}

export function positionMessage(position: PositionRecord): Message {
  const { owner, market } = position;
  return uniformMessage({ type: 'market_position', channel: 'market_positions', market, owner }, () => ({
    user_id: owner.userId,
    market_ticker: market.ticker,
    position_fp: countText(position.position),
    position_cost_dollars: shortMoneyText(position.exposure),
    realized_pnl_dollars: shortMoneyText(position.realizedPnl),
    fees_paid_dollars: shortMoneyText(position.fees),
    position_fee_cost_dollars: shortMoneyText(position.heldFees),
    volume_fp: countText(position.volume),
    subaccount: owner.subaccount,
  }));
}

export function groupMessage({ group, change, at }: GroupChange): Message {
  const about = {
    type: 'order_group_updates',
    channel: 'order_group_updates',
    market: null,
    owner: group.owner,
  } as const;
  const showsLimit = change === 'created' || change === 'limit_updated';
  return uniformMessage(about, () => ({
    event_type: change,
    order_group_id: group.groupId,
    ...(showsLimit ? { contracts_limit_fp: countText(group.limit) } : {}),
    ts_ms: at,
  }));
}
