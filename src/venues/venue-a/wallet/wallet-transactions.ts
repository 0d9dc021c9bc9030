// Signed transactions of a wallet for venue A's relayer (changes-2026.md B): the exact bytes of POST /submit. A deposit wallet signs a
// batch with nonce and deadline, a Safe signs its own transaction, a proxy signs a request of the relay hub. The relayer serves no other
// kind of wallet.

import { unreachable } from '../../../core/domain/result.ts';
import { type Address, checksumAddress, readAddress, writeHex } from '../address.ts';
import { POLYGON } from '../exchanges.ts';
import { keccak256 } from '../keccak.ts';
import { type PrivateKey, sign } from '../secp256k1.ts';
import { contractDomainSeparator, typedDataDigest } from '../typed-data.ts';
import { address, uint, type WalletCall } from './wallet-calls.ts';

/** The relayer’s names of the kinds of wallet. */
export type WalletKind = 'WALLET' | 'SAFE' | 'PROXY';

export interface WalletSigner {
  readonly kind: WalletKind;
  readonly key: PrivateKey;
  /** The address of the key. */
  readonly owner: Address;
  /** The address of the wallet, which holds shares and money. */
  readonly wallet: Address;
}

/** The parts that make a transaction unique, as the relayer stated them. */
export interface TransactionPlace {
  readonly nonce: bigint;
  /** The time in Unix seconds after which a deposit wallet refuses a batch. A Safe and a proxy have no deadline. */
  readonly deadlineS: number;
  /** The relayer's own address, which is part of what a proxy signs. */
  readonly relay: Address;
}

export const DEPOSIT_WALLET_FACTORY = readAddress('0x00000000000Fb5C9ADea0298D729A0CB3823Cc07')!;
export const PROXY_FACTORY = readAddress('0xaB45c5A4B0c941a2F231C04C3f49182e1A254052')!;
export const RELAY_HUB = readAddress('0xD216153c06E857cD7f72665E0aF1d7D82172F494')!;
const NOBODY = readAddress(`0x${'00'.repeat(20)}`)!;
/** The gas of a proxy's request. It is fixed, because no chain node is asked for an estimate. */
const PROXY_GAS = 10_000_000n;

const CALL_TYPE = 'Call(address target,uint256 value,bytes data)';
const BATCH_TYPE = `Batch(address wallet,uint256 nonce,uint256 deadline,Call[] calls)${CALL_TYPE}`;
const SAFE_TYPE =
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,' +
  'address gasToken,address refundReceiver,uint256 nonce)';
const SAFE_DOMAIN_TYPE = 'EIP712Domain(uint256 chainId,address verifyingContract)';

/** Returns the body of POST /submit. The same signer, call and place give the same bytes. */
export function signedTransaction(signer: WalletSigner, call: WalletCall, place: TransactionPlace): string {
  switch (signer.kind) {
    case 'WALLET':
      return depositWalletBody(signer, call, place);
    case 'SAFE':
      return safeBody(signer, call, place);
    case 'PROXY':
      return proxyBody(signer, call, place);
    default:
      return unreachable(signer.kind);
  }
}

function depositWalletBody({ key, owner, wallet }: WalletSigner, call: WalletCall, place: TransactionPlace): string {
  return JSON.stringify({
    type: 'WALLET',
    from: checksumAddress(owner),
    to: checksumAddress(DEPOSIT_WALLET_FACTORY),
    nonce: String(place.nonce),
    signature: writeHex(sign(batchDigest(wallet, call, place), key)),
    metadata: '',
    depositWalletParams: {
      depositWallet: checksumAddress(wallet),
      deadline: String(place.deadlineS),
      calls: [{ target: checksumAddress(call.target), value: '0', data: writeHex(call.data) }],
    },
  });
}

/** Returns the 32 bytes that a deposit wallet's owner signs, in the wallet's own domain. */
export function batchDigest(
  wallet: Address,
  { target, data }: WalletCall,
  { nonce, deadlineS }: Pick<TransactionPlace, 'nonce' | 'deadlineS'>,
): Uint8Array {
  const domain = contractDomainSeparator({ name: 'DepositWallet', version: '1', chainId: POLYGON, contract: wallet });
  const calls = hash(hash(keccak256(CALL_TYPE), address(target), uint(0n), keccak256(data)));
  const batch = [keccak256(BATCH_TYPE), address(wallet), uint(nonce), uint(BigInt(deadlineS)), calls];
  return typedDataDigest(domain, hash(...batch));
}

function safeBody({ key, owner, wallet }: WalletSigner, call: WalletCall, { nonce }: TransactionPlace): string {
  return JSON.stringify({
    type: 'SAFE',
    from: checksumAddress(owner),
    to: checksumAddress(call.target),
    proxyWallet: checksumAddress(wallet),
    data: writeHex(call.data),
    nonce: String(nonce),
    signature: writeHex(safeSignature(sign(safeDigest(wallet, call, nonce), key))),
    metadata: '',
    signatureParams: {
      gasPrice: '0',
      operation: '0',
      safeTxnGas: '0',
      baseGas: '0',
      gasToken: NOBODY,
      refundReceiver: NOBODY,
    },
  });
}

/**
 * The number by which v is greater in a signature as a personal message. By this a Safe recognises such a signature of its transaction's
 * hash.
 */
export const SAFE_PERSONAL = 4;

function safeSignature(signature: Uint8Array): Uint8Array {
  signature[signature.length - 1]! += SAFE_PERSONAL;
  return signature;
}

/** Returns the 32 bytes that a Safe's owner signs, as a personal message. */
export function safeDigest(safe: Address, { target, data }: WalletCall, nonce: bigint): Uint8Array {
  const domain = hash(keccak256(SAFE_DOMAIN_TYPE), uint(BigInt(POLYGON)), address(safe));
  const [call, gasAndRefund] = [uint(0n), new Array<Uint8Array>(5).fill(uint(0n))];
  const fields = [address(target), uint(0n), keccak256(data), call, ...gasAndRefund, uint(nonce)];
  return personalDigest(typedDataDigest(domain, hash(keccak256(SAFE_TYPE), ...fields)));
}

function proxyBody({ key, owner, wallet }: WalletSigner, call: WalletCall, { nonce, relay }: TransactionPlace): string {
  const data = proxyData(call);
  const request = { owner, data, gas: PROXY_GAS, nonce, relay };
  return JSON.stringify({
    type: 'PROXY',
    from: checksumAddress(owner),
    to: checksumAddress(PROXY_FACTORY),
    proxyWallet: checksumAddress(wallet),
    data: writeHex(data),
    nonce: String(nonce),
    signature: writeHex(sign(proxyDigest(request), key)),
    metadata: '',
    signatureParams: {
      gasPrice: '0',
      gasLimit: String(PROXY_GAS),
      relayerFee: '0',
      relayHub: checksumAddress(RELAY_HUB),
      relay: checksumAddress(relay),
    },
  });
}

const PROXY_SELECTOR = '34ee9791';
const TYPE_CALL = 1n;
const WORD = 32;

/** Returns the call `proxy((uint8 type, address to, uint256 value, bytes data)[])` with one entry. */
export function proxyData({ target, data }: WalletCall): Uint8Array {
  const padding = Buffer.alloc((WORD - (data.length % WORD)) % WORD);
  const array = [uint(BigInt(WORD)), uint(1n), uint(BigInt(WORD))];
  const tuple = [uint(TYPE_CALL), address(target), uint(0n), uint(BigInt(4 * WORD)), uint(BigInt(data.length))];
  return Buffer.concat([Buffer.from(PROXY_SELECTOR, 'hex'), ...array, ...tuple, data, padding]);
}

interface ProxyRequest {
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly gas: bigint;
  readonly nonce: bigint;
  readonly relay: Address;
}

/** Returns the 32 bytes that a proxy's owner signs, as a personal message. */
export function proxyDigest({ owner, data, gas, nonce, relay }: ProxyRequest): Uint8Array {
  const [fee, gasPrice] = [uint(0n), uint(0n)];
  const who = [Buffer.from('rlx:'), bytesOf(owner), bytesOf(PROXY_FACTORY)];
  const what = [data, fee, gasPrice, uint(gas), uint(nonce), bytesOf(RELAY_HUB), bytesOf(relay)];
  return personalDigest(keccak256(Buffer.concat([...who, ...what])));
}

/** Returns the digest of a message that a person signs, by EIP-191. The message has 32 bytes. */
function personalDigest(message: Uint8Array): Uint8Array {
  return keccak256(Buffer.concat([Buffer.from('\u0019Ethereum Signed Message:\n32', 'latin1'), message]));
}

function hash(...words: readonly Uint8Array[]): Uint8Array {
  return keccak256(Buffer.concat(words));
}

function bytesOf(value: Address): Uint8Array {
  return Buffer.from(value.slice(2), 'hex');
}
