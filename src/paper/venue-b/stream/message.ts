// A message of the exchange: made once for all streams, sent in each stream's variant under its own numbers. The text is made
// on its first use. Thread of the paper exchanges.

import type { VenueBMarket } from '../market.ts';
import type { Owner } from '../records.ts';
import type { Caller } from '../rest/access.ts';
import type { Channel } from './channels.ts';

/** The caller of a stream, and its variant. */
interface Listener {
  readonly caller: Caller;
  readonly usesYesPrice: boolean;
}

export interface Message {
  /** The type on the wire: `user_order` of channel `user_orders`. */
  readonly type: string;
  readonly channel: Channel;
  /** Null for a message about no market, which is sent with any filter. */
  readonly market: VenueBMarket | null;
  /** Null for a public message. */
  readonly owner: Owner | null;
  /** The JSON of `msg`. */
  text(listener: Listener): string;
}

/**
 * Whether the caller may see the owner's data: only its own, and only of the subaccount that its key may be bound to.
 */
export function isOwn(caller: Caller, { userId, subaccount }: Owner): boolean {
  return caller.userId === userId && (caller.subaccount === null || caller.subaccount === subaccount);
}

/** A message without variants. */
export function uniformMessage(about: Omit<Message, 'text'>, make: () => object): Message {
  return { ...about, text: once(() => JSON.stringify(make())) };
}

export function once(make: () => string): () => string {
  let text: string | null = null;
  return () => {
    text ??= make();
    return text;
  };
}
