// What a route of venue B's REST is, to its handlers: they are given a request whose caller is proven and whose limits are
// paid, and give back a reply. serving.ts makes it true.

import type { JsonObject } from '../../../domain/json.ts';
import type { InboundRequest, Reply } from '../../../net/listen.ts';
import type { Owner } from '../records.ts';
import type { Scope } from './scopes.ts';

/** venue-b.md §2. */
export interface Caller {
  readonly keyId: string;
  readonly userId: string;
  /** Null: the key reaches all subaccounts. */
  readonly subaccount: number | null;
  readonly scopes: readonly Scope[];
}

export interface Call {
  readonly request: InboundRequest;
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
  /** Empty if the request has no body, or the route reads none. */
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

type PublicRoute = RouteCommon & { readonly access: 'public'; handle(call: Call): Reply };

/** The owner is the caller and the `subaccount` of query or body. */
export type SignedRoute = RouteCommon & {
  /** Whose bucket pays. It is also the scope that the key must have. */
  readonly access: 'read' | 'write';
  /** A narrower scope that opens this route too. */
  readonly scope?: Scope;
  /** Not for keys that are restricted to a subaccount. */
  readonly isWholeAccount?: true;
  /** `required`: refused without a JSON object. Unless it is stated, whatever body comes is not read. */
  readonly takesBody?: 'required' | 'optional';
  /** The cost is of each of the body's `orders`. */
  readonly billsEachOrder?: true;
  /** A reply that is returned at once goes out at once. */
  handle(call: SignedCall): Reply | Promise<Reply>;
};

export type VenueBRoute = PublicRoute | SignedRoute;

/** Of a route that anybody may read. */
export function publicGet(path: string, handle: (call: Call) => Reply): VenueBRoute {
  return { method: 'get', path, access: 'public', handle };
}
