// Wallet transactions against the vectors of the venue's sheet (changes-2026.md B). Other clients of the relayer publish these vectors.

import { describe, expect, test } from 'vitest';
import type { MicroShares } from '../../../../src/core/domain/numbers.ts';
import { type Address, readAddress, writeHex } from '../../../../src/venues/venue-a/address.ts';
import {
  addressOf,
  type PrivateKey,
  readPrivateKey,
  recoverAddress,
  sign,
} from '../../../../src/venues/venue-a/secp256k1.ts';
import { walletCall } from '../../../../src/venues/venue-a/wallet/wallet-calls.ts';
import {
  batchDigest,
  proxyData,
  proxyDigest,
  safeDigest,
  signedTransaction,
} from '../../../../src/venues/venue-a/wallet/wallet-transactions.ts';

const key = keyOf('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const wallet = readAddress('0xBc0fF067b7740Eff76C1ca93c875Ba6B890d6B50')!;
const safe = readAddress('0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47')!;
const relay = readAddress('0xae700edfd9ab986395f3999fe11177b9903a52f1')!;
const approveAll = (spender: string) => Buffer.from(`095ea7b3${spender.padStart(64, '0')}${'ff'.repeat(32)}`, 'hex');
/** An approval by which the Conditional Tokens contract may spend the bridged dollars. */
const approval = {
  target: readAddress('0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174')!,
  data: approveAll('4D97DCd97eC945f40cF65F87097ACe5EA0476045'),
};
const YES = '755628523515574437047200361729489104556293277923091296010366019140627464192';
const V1_TOKEN = '52114319501245915516055106046884209969926127482827954674443846427813813222426';
/** A position id contains its condition. */
const NO_MARKET = { conditionId: '', isNegRisk: false };
const conditionId = `0x${'1234567890abcdef'.repeat(4)}`;
const later = { nonce: 8n, deadlineS: 1_800_000_600 };

describe('a deposit wallet signs', () => {
  test('a batch whose digest and signature are those of the sheet', () => {
    const call = { target: readAddress(`0x${'00'.repeat(19)}01`)!, data: approveAll('2') };
    const digest = batchDigest(wallet, call, { nonce: 0n, deadlineS: 1_234_567_890 });
    expect(writeHex(digest)).toBe('0x78766dd507106379818ad3fea96d1099cbf6f42c7a763d6a0eb2d4832ecf9735');
    const body = signedTransaction(signer('WALLET', wallet), call, { nonce: 0n, deadlineS: 1_234_567_890, relay });
    const { signature } = JSON.parse(body) as { signature: string };
    expect([signature.slice(0, 10), signature.slice(-6)]).toEqual(['0x67fe391b', '87cf1b']);
  });

  test('a redeem of protocol V1 at the collateral adapter', () => {
    const request = { kind: 'REDEEM', tokenId: V1_TOKEN, shares: 1 as MicroShares } as const;
    const call = walletCall(request, { conditionId, isNegRisk: false });
    expect(writeHex(batchDigest(wallet, call, later))).toBe(
      '0xf972f9cb00d7b09dc93d84732d746420711bc76d2cfa241a4c0e7e2121554503',
    );
  });

  test('a redeem of protocol V2 at the router, with its outcome and its amount', () => {
    const no = String(BigInt(YES) + 1n);
    const call = walletCall({ kind: 'REDEEM', tokenId: no, shares: 2_500_000 as MicroShares }, NO_MARKET);
    expect(writeHex(batchDigest(wallet, call, later))).toBe(
      '0x6c7b9ee269223bb3f97ecf929e340e7a80d92ff9bfe3af4a3203b78e980c48b2',
    );
  });
});

test('a Safe signs its transaction as a personal message', () => {
  const text = writeHex(sign(safeDigest(safe, approval, 0n), key));
  // Here v is 27. In a Safe v is greater by 4, as the body shows.
  expect([text.slice(0, 14), text.slice(-6)]).toEqual(['0xf368488355b0', '98c21b']);
  const body = signedTransaction(signer('SAFE', safe), approval, { nonce: 0n, deadlineS: 0, relay });
  expect((JSON.parse(body) as { signature: string }).signature).toBe(`${text.slice(0, -2)}1f`);
});

test('a proxy signs a request of the relay hub', () => {
  const request = { owner: addressOf(key), data: proxyData(approval), gas: 85_338n, nonce: 0n, relay };
  const text = writeHex(sign(proxyDigest(request), key));
  expect([text.slice(0, 14), text.slice(-6)]).toEqual(['0x4c18e2d2294a', '297e1b']);
});

test.each(['WALLET', 'SAFE', 'PROXY'] as const)('the same %s, call and place give the same bytes', kind => {
  const call = walletCall({ kind: 'SPLIT', tokenId: YES, shares: 7 as MicroShares }, NO_MARKET);
  const place = { ...later, relay };
  expect(signedTransaction(signer(kind, safe), call, place)).toBe(signedTransaction(signer(kind, safe), call, place));
  const other = signedTransaction(signer(kind, safe), call, { ...place, nonce: 9n });
  expect(other).not.toBe(signedTransaction(signer(kind, safe), call, place));
});

test('a neg-risk market of protocol V1 has an adapter of its own, and split and merge name the amount', () => {
  const market = { conditionId, isNegRisk: true };
  const amount = { tokenId: V1_TOKEN, shares: 1_500_000 as MicroShares };
  const split = walletCall({ kind: 'SPLIT', ...amount }, market);
  const merge = walletCall({ kind: 'MERGE', ...amount }, market);
  expect(split.target).toBe('0xada2005600dec949baf300f4c6120000bdb6eaab');
  const words = writeHex(split.data).slice(10).match(/.{64}/g)!;
  expect(words.slice(2)).toEqual([
    conditionId.slice(2),
    ...[0xa0, 1_500_000, 2, 1, 2].map(value => value.toString(16).padStart(64, '0')),
  ]);
  expect(writeHex(split.data).slice(0, 10)).toBe('0x72ce4275');
  expect(writeHex(merge.data)).toBe(`0x9e7212ad${writeHex(split.data).slice(10)}`);
});

test('the signature of a batch is its owner\u2019s', () => {
  const body = signedTransaction(signer('WALLET', wallet), approval, { ...later, relay });
  const { signature } = JSON.parse(body) as { signature: string };
  const digest = batchDigest(wallet, approval, later);
  expect(recoverAddress(digest, Buffer.from(signature.slice(2), 'hex'))).toBe(addressOf(key));
});

function signer(kind: 'WALLET' | 'SAFE' | 'PROXY', of: Address) {
  return { kind, key, owner: addressOf(key), wallet: of };
}

function keyOf(hex: string): PrivateKey {
  const read = readPrivateKey(hex);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}
