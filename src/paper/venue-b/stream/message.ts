// What the exchange has to say to whoever listens: made once, told to every stream in the variant that it asked for, under
// numbers of its own. Text is made when the first one wants it. Thread of the paper exchanges.

import type { VenueBMarket } from '../market.ts';
import type { Owner } from '../records.ts';
import type { Caller } from '../rest/route.ts';
import type { Channel } from './channels.ts';

/** Whose stream it is, and how it wants to be told. */
interface Listener {
  readonly caller: Caller;
  readonly usesYesPrice: boolean;
}

export interface Message {
  /** As on the wire: `user_order` of channel `user_orders`. */
  readonly type: string;
  readonly channel: Channel;
  /** Null: it is about no market, and told whatever the filter. */
  readonly market: VenueBMarket | null;
  /** Null: it is public. */
  readonly owner: Owner | null;
  /** JSON of `msg`. */
  text(listener: Listener): string;
}

/** Whether the caller may know what is the owner's: his own, of the one subaccount that his key may be bound to. */
export function isOwn(caller: Caller, { userId, subaccount }: Owner): boolean {
  return caller.userId === userId && (caller.subaccount === null || caller.subaccount === subaccount);
}

/** A message that says the same to all of its listeners. */
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
