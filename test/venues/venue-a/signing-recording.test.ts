// Venue A's signatures as its official clients have made them: every vector, and all 95 recorded requests of one client (README of the
// recordings). The test computes each HMAC, attestation, order id and signer again.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Bytes32 } from '../../../src/venues/venue-a/abi-words.ts';
import { readAddress, readHex, writeHex } from '../../../src/venues/venue-a/address.ts';
import { clobAuthDigest, l2Signature, verifyL1, verifyL2 } from '../../../src/venues/venue-a/auth.ts';
import { type ChainId, createExchange, type ExchangeVersion, POLYGON } from '../../../src/venues/venue-a/exchanges.ts';
import { orderDigest, orderId, signOrder, verifyOrder } from '../../../src/venues/venue-a/order-signing.ts';
import { recoverAddress, sign } from '../../../src/venues/venue-a/secp256k1.ts';
import { readSignedOrder } from '../../../src/venues/venue-a/signed-order.ts';
import {
  contractDomainSeparator,
  depositWalletStructHash,
  orderStructHash,
  typedDataDigest,
  type VenueAOrder,
} from '../../../src/venues/venue-a/typed-data.ts';
import { type NaiveTypes, naiveStructHash } from '../../support/naive-typed-data.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { privateKeyOf, signL1, TEST_ADDRESS } from '../../support/venue-a-orders.ts';

type Texts = Readonly<Record<string, string>>;

interface Vectors {
  readonly private_key: string;
  readonly address: string;
  readonly clob_auth: readonly {
    readonly chain_id: ChainId;
    readonly timestamp: string;
    readonly nonce: number;
    readonly digest: string;
    readonly signature: string;
  }[];
  readonly orders_v1: readonly OrderVector[];
  readonly orders_v2_v3: readonly (OrderVector & {
    readonly name: string;
    readonly domain_version: ExchangeVersion;
    readonly app_domain_separator?: string;
    readonly contents_hash?: string;
    readonly envelope_digest?: string;
    readonly inner_signature?: string;
  })[];
  readonly hmac: readonly {
    readonly secret: string;
    readonly timestamp: number;
    readonly method: string;
    readonly path: string;
    readonly body: string | null;
    readonly signature: string;
  }[];
}

interface OrderVector {
  readonly chain_id: number;
  readonly exchange: string;
  readonly order: Texts;
  readonly order_hash: string;
  readonly signature: string;
}

interface Recorded {
  readonly n: number;
  readonly call: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Texts;
  readonly body: string | null;
  readonly hmac_ok_over_path_and_raw_body?: boolean;
  readonly order_hash?: readonly RecordedHash[];
}

interface RecordedHash {
  readonly hash: string;
  readonly domain_version: ExchangeVersion;
  readonly verifyingContract: string;
}

const ZERO_SECRET = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
const V1_TYPES: NaiveTypes = {
  Order: [
    ['uint256', 'salt'],
    ['address', 'maker'],
    ['address', 'signer'],
    ['address', 'taker'],
    ['uint256', 'tokenId'],
    ['uint256', 'makerAmount'],
    ['uint256', 'takerAmount'],
    ['uint256', 'expiration'],
    ['uint256', 'nonce'],
    ['uint256', 'feeRateBps'],
    ['uint8', 'side'],
    ['uint8', 'signatureType'],
  ],
};

function orderOf(texts: Texts): VenueAOrder {
  return {
    salt: BigInt(texts.salt!),
    maker: readAddress(texts.maker!)!,
    signer: readAddress(texts.signer!)!,
    tokenId: BigInt(texts.tokenId!),
    makerAmount: BigInt(texts.makerAmount!),
    takerAmount: BigInt(texts.takerAmount!),
    side: Number(texts.side) as VenueAOrder['side'],
    signatureType: Number(texts.signatureType) as VenueAOrder['signatureType'],
    timestamp: BigInt(texts.timestamp!),
    metadata: texts.metadata as Bytes32,
    builder: texts.builder as Bytes32,
  };
}

const bytesOf = (hex: string): Uint8Array => readHex(hex, 317)!;

describe.skipIf(!recordingsPresent)('the vectors of venue A (recordings)', () => {
  const vectors: Vectors = recordingsPresent
    ? JSON.parse(readFileSync(recordingPath('venue-a/signing_vectors.json'), 'utf8'))
    : { clob_auth: [], orders_v1: [], orders_v2_v3: [], hmac: [] };
  const signer = () => ({ key: privateKeyOf(vectors.private_key), address: readAddress(vectors.address)! });

  it('are as many as were looked at', () => {
    const { clob_auth, orders_v1, orders_v2_v3, hmac } = vectors;
    expect([clob_auth, orders_v1, orders_v2_v3, hmac].map(list => list.length)).toEqual([2, 2, 9, 3]);
  });

  it.each(vectors.clob_auth)('attestation of $timestamp on chain $chain_id', vector => {
    const { key, address } = signer();
    const { chain_id: chainId, timestamp, signature } = vector;
    const nonce = BigInt(vector.nonce);
    expect(writeHex(clobAuthDigest({ address, timestamp, nonce }, chainId))).toBe(vector.digest);
    const headers = signL1(key, chainId, Number(timestamp), nonce);
    expect(headers).toEqual({ address, signature, timestamp, nonce: String(nonce) });
    expect(verifyL1(headers, chainId)).toEqual({ ok: true, value: { address, timestampS: Number(timestamp), nonce } });
  });

  it.each(vectors.hmac)('HMAC of $method $path', ({ body, timestamp, ...rest }) => {
    const request = { ...rest, timestamp: String(timestamp), body: Buffer.from(body ?? '') };
    expect(l2Signature(request)).toBe(rest.signature);
    expect(verifyL2(request)).toBe(true);
  });

  it.each(vectors.orders_v2_v3)('order $name', vector => {
    const { key, address } = signer();
    const exchange = createExchange(vector.domain_version, vector.chain_id, readAddress(vector.exchange)!);
    const order = orderOf(vector.order);
    expect(orderId(orderDigest(order, exchange))).toBe(vector.order_hash);
    expect(writeHex(signOrder(order, key, exchange))).toBe(vector.signature);
    expect(verifyOrder(order, bytesOf(vector.signature), exchange)).toEqual({ ok: true, value: address });
    if (vector.contents_hash === undefined) return;
    const contentsHash = orderStructHash(order);
    expect(writeHex(exchange.domainSeparator)).toBe(vector.app_domain_separator);
    expect(writeHex(contentsHash)).toBe(vector.contents_hash);
    const envelope = depositWalletStructHash(contentsHash, vector.chain_id, order.signer);
    const digest = typedDataDigest(exchange.domainSeparator, envelope);
    expect(writeHex(digest)).toBe(vector.envelope_digest);
    expect(writeHex(sign(digest, key))).toBe(vector.inner_signature);
  });

  it.each(vectors.orders_v1)(
    'order of the dead version 1, its struct hashed by the general encoder: $exchange',
    vector => {
      const { key, address } = signer();
      const value = Object.fromEntries(
        V1_TYPES.Order!.map(([type, name]) => [
          name,
          type === 'address' ? vector.order[name]! : BigInt(vector.order[name]!),
        ]),
      );
      const structHash = Buffer.from(naiveStructHash({ types: V1_TYPES, type: 'Order', value }), 'hex');
      const contract = readAddress(vector.exchange)!;
      const domain = { name: 'Polymarket CTF Exchange', version: '1', chainId: vector.chain_id, contract };
      const digest = typedDataDigest(contractDomainSeparator(domain), structHash);
      expect(writeHex(digest)).toBe(vector.order_hash);
      expect(writeHex(sign(digest, key))).toBe(vector.signature);
      expect(recoverAddress(digest, bytesOf(vector.signature))).toBe(address);
    },
  );
});

describe.skipIf(!recordingsPresent)('the requests of the official client (recordings)', () => {
  const requests: readonly Recorded[] = recordingsPresent
    ? readFileSync(recordingPath('venue-a/official-client/requests.jsonl'), 'utf8')
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line) as Recorded)
    : [];
  const isL2 = ({ headers }: Recorded) => headers.POLY_API_KEY !== undefined;
  const isL1 = ({ headers }: Recorded) => headers.POLY_NONCE !== undefined;

  it('are 95: some public, some attested, the others with an HMAC', () => {
    const signed = requests.filter(request => request.headers.POLY_SIGNATURE !== undefined);
    expect(requests).toHaveLength(95);
    expect(requests.map(({ n }) => n)).toEqual(Array.from({ length: 95 }, (_, index) => index + 1));
    expect([requests.filter(isL1).length, requests.filter(isL2).length, signed.length]).toEqual([5, 36, 41]);
    expect(requests.filter(request => request.hmac_ok_over_path_and_raw_body === true)).toEqual(requests.filter(isL2));
  });

  it.each(requests.filter(isL2))('$n $call: HMAC of $method', ({ method, target, headers, body }) => {
    const signature = headers.POLY_SIGNATURE!;
    const timestamp = headers.POLY_TIMESTAMP!;
    const request = { secret: ZERO_SECRET, timestamp, method, path: target, body: Buffer.from(body ?? '') };
    expect(l2Signature(request)).toBe(signature);
    expect(verifyL2({ ...request, signature })).toBe(true);
    expect(verifyL2({ ...request, body: Buffer.from(`${body ?? ''} `), signature })).toBe(false);
  });

  it.each(requests.filter(isL1))('$n $call: attestation', ({ headers }) => {
    const [address, signature] = [headers.POLY_ADDRESS!, headers.POLY_SIGNATURE!];
    const l1 = { address, signature, timestamp: headers.POLY_TIMESTAMP!, nonce: headers.POLY_NONCE! };
    const value = { address: readAddress(address), timestampS: Number(l1.timestamp), nonce: BigInt(l1.nonce) };
    expect(verifyL1(l1, POLYGON)).toEqual({ ok: true, value });
  });

  const placed = requests.flatMap(request => {
    const bodies = request.order_hash === undefined ? [] : [JSON.parse(request.body!)].flat();
    const { n, call, order_hash: hashes } = request;
    return bodies.map((body: { order: unknown }, index) => ({ n, call, order: body.order, index, hashes: hashes! }));
  });

  it('place every order that has a hash, of 13 orders that differ', () => {
    const hashes = placed.map(({ hashes: all, index }) => all[index]!.hash);
    expect(hashes).toHaveLength(requests.reduce((sum, request) => sum + (request.order_hash?.length ?? 0), 0));
    expect(new Set(hashes).size).toBe(13);
    const posts = requests.filter(({ method, target }) => method === 'POST' && /^\/orders?$/.test(target));
    expect(posts.every(request => request.order_hash !== undefined)).toBe(true);
  });

  it.each(placed)('$n $call: order $index has its id and its signer', ({ order, index, hashes }) => {
    const { hash, domain_version: version, verifyingContract } = hashes[index]!;
    const exchange = createExchange(version, POLYGON, readAddress(verifyingContract)!);
    const read = readSignedOrder(order);
    expect(read.ok).toBe(true);
    if (!read.ok) return;
    expect(orderId(orderDigest(read.value.order, exchange))).toBe(hash);
    const verdict = verifyOrder(read.value.order, read.value.signature, exchange);
    expect(verdict).toEqual({ ok: true, value: TEST_ADDRESS });
  });
});
