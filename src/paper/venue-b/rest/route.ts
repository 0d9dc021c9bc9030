// What a route of venue B's REST is, to its handlers: they are given a request whose caller is proven and whose limits are
// paid, and give back a reply. server.ts makes it true.

import type { JsonObject } from '../../../domain/json.ts';
import type { InboundRequest, Reply } from '../../../net/listen.ts';
import type { Owner } from '../records.ts';

/** venue-b.md §2. */
export interface Caller {
  readonly keyId: string;
  readonly userId: string;
  /** Null: the key reaches all subaccounts. */
  readonly subaccount: number | null;
  readonly scopes: readonly string[];
}

export interface Call {
  readonly request: InboundRequest;
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
  /** Empty if the request has no body. */
  readonly body: JsonObject;
  /** Null: nobody signed, which public routes allow. */
  readonly caller: Caller | null;
  /** How old private reads are to be. */
  readonly staleMs: number;
}

/** A call of a route that is not public. */
export type SignedCall = Call & { readonly caller: Caller; readonly owner: Owner };

interface RouteCommon {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Below `/trade-api/v2`. */
  readonly path: string;
  /** Tokens of the caller's bucket (venue-b.md §9): 10 unless stated. */
  readonly cost?: number;
}

export type VenueBRoute = RouteCommon &
  (
    | { readonly access: 'public'; handle(call: Call): Reply }
    /** Of the read or the write bucket. The owner is the caller and the `subaccount` of query or body. */
    | { readonly access: 'read' | 'write'; handle(call: SignedCall): Reply }
  );
