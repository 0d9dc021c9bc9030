// Routes of venue A's relayer (venue-a.md §15). The venue has them on a host of their own; here they are on the CLOB's port. Thread of the
// paper exchanges.

import type { Reply } from '../../../core/net/listen.ts';
import { checksumAddress, readAddress } from '../../../venues/venue-a/address.ts';
import type { Wallets } from '../rest/access.ts';
import { errorReply, ok } from '../rest/replies.ts';
import { publicGet, relayed, type VenueARoute } from '../rest/route.ts';
import type { Relayer, Transaction } from './relayer.ts';

const INVALID_ADDRESS = errorReply(400, 'invalid address');
const INVALID_TYPE = errorReply(400, 'invalid type');
const NO_TRANSACTION = errorReply(404, 'transaction not found');

export function relayerRoutes(relayer: Relayer, wallets: Wallets): VenueARoute[] {
  return [
    publicGet('/v1/account/transactions/params', ({ query }) => {
      const [owner, kind] = [readAddress(query.get('address') ?? ''), query.get('type')];
      if (owner === null) return INVALID_ADDRESS;
      if (kind !== 'WALLET' && kind !== 'SAFE' && kind !== 'PROXY') return INVALID_TYPE;
      const { address, nonce } = relayer.place(owner, kind);
      return ok({ address: checksumAddress(address), nonce: String(nonce) });
    }),
    publicGet('/v1/account/transactions/:id', ({ parameters }) => {
      const transaction = relayer.find(parameters[0]!);
      return transaction === undefined ? NO_TRANSACTION : shown(transaction);
    }),
    publicGet('/deployed', ({ query }) => {
      const wallet = readAddress(query.get('address') ?? '');
      return wallet === null ? INVALID_ADDRESS : ok({ deployed: wallets.isBound(wallet) });
    }),
    relayed('/submit', ({ body }) => {
      const submitted = relayer.submit(body);
      if (!submitted.ok) return errorReply(400, submitted.error);
      const { id, state, hash } = submitted.value;
      return ok({ transactionID: id, state, transactionHash: hash });
    }),
  ];
}

function shown({ id, state, hash, error }: Transaction): Reply {
  return ok({
    transaction_id: id,
    transaction_hash: hash ?? '',
    state,
    ...(error === null ? {} : { error_msg: error }),
  });
}
