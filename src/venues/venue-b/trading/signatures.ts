// The signed headers of an account's requests to venue B's REST: from a stock for new orders and cancels, made at sending for all
// others. The thread that sends orders.

import type { Timers } from '../../../runtime/timers.ts';
import type { VenueBHeaders, VenueBSign, VenueBSignAhead } from '../auth.ts';
import { CANCELS, ORDERS } from './order-body.ts';
import { SignatureStock } from './signature-stock.ts';

export type RestMethod = 'GET' | 'POST' | 'DELETE';

export interface VenueBSignaturesParts {
  /** Such as `https://…/trade-api/v2`, without a trailing slash. */
  readonly restUrl: string;
  readonly sign: VenueBSign;
  readonly signAhead: VenueBSignAhead;
  readonly timers: Timers;
}

export class VenueBSignatures {
  readonly #parts: VenueBSignaturesParts;
  readonly #orders: SignatureStock;
  readonly #cancels: SignatureStock;

  constructor(parts: VenueBSignaturesParts) {
    this.#parts = parts;
    this.#orders = this.#stockOf('POST', ORDERS);
    this.#cancels = this.#stockOf('DELETE', CANCELS);
  }

  /** Headers of a request that leaves now. `path` is relative to the base, with its query. */
  headers(method: RestMethod, path: string): VenueBHeaders {
    return this.#stockFor(method, path)?.take() ?? this.#signed(method, path);
  }

  /** Such a request has left, and there is time: renews the stocks of orders and of cancels, since an account needs both. */
  renew(method: RestMethod, path: string): void {
    if (this.#stockFor(method, path) === null) return;
    this.#orders.keep();
    this.#cancels.keep();
  }

  /** As `headers`, with a signature that is made now. */
  anew(method: RestMethod, path: string): VenueBHeaders {
    return this.#stockFor(method, path)?.anew() ?? this.#signed(method, path);
  }

  /** Drops the signatures made in advance. */
  close(): void {
    this.#orders.close();
    this.#cancels.close();
  }

  #stockFor(method: RestMethod, path: string): SignatureStock | null {
    if (method === 'POST' && path === ORDERS) return this.#orders;
    return method === 'DELETE' && path === CANCELS ? this.#cancels : null;
  }

  #signed(method: RestMethod, path: string, timestampMs: number = this.#parts.timers.now()): VenueBHeaders {
    const { restUrl, sign } = this.#parts;
    return sign(method, restUrl + path, timestampMs);
  }

  #stockOf(method: RestMethod, path: string): SignatureStock {
    const { restUrl, signAhead, timers } = this.#parts;
    return new SignatureStock({
      sign: timestampMs => this.#signed(method, path, timestampMs),
      signAhead: (timestampMs, done) => signAhead(method, restUrl + path, timestampMs, done),
      timers,
    });
  }
}
