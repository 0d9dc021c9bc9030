// The stream and the order connection for bots on Node. Each upgrade has a new signature.

import type { StreamCodec } from '../wire/codec.ts';
import type { TradeCodec } from '../wire/trade-messages.ts';
import { type NodeUpgradeOptions, nodeUpgrade } from './node-upgrade.ts';
import { OrderbookStream } from './orderbook-stream.ts';
import { TradeConnection } from './trade-connection.ts';

export interface NodeStreamOptions extends NodeUpgradeOptions {
  readonly codec?: StreamCodec;
}

export function createNodeStream({ codec, ...options }: NodeStreamOptions): OrderbookStream {
  const { connect, headers, succeeded } = nodeUpgrade(options);
  const stream = new OrderbookStream({ url: options.url, connect, headers, ...(codec === undefined ? {} : { codec }) });
  stream.on('connection', isUp => {
    if (isUp) succeeded();
  });
  return stream;
}

export interface NodeTradeOptions extends NodeUpgradeOptions {
  /** Form of the messages; JSON by default. */
  readonly codec?: TradeCodec;
}

export function createNodeTrade({ codec, ...options }: NodeTradeOptions): TradeConnection {
  const { connect, headers, succeeded } = nodeUpgrade(options);
  const trade = new TradeConnection({ url: options.url, connect, headers, ...(codec === undefined ? {} : { codec }) });
  trade.on('connection', isUp => {
    if (isUp) succeeded();
  });
  return trade;
}
