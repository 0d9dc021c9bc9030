// Signatures by libsodium and by noble, each with our checks. Both agree on the vectors of RFC 8032, on every kind of damage, and on points
// that only a forger uses. The cases are written from RFC 8032 §5.1.

import { verifyAsync } from '@noble/ed25519';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../../src/core/auth/ed25519.ts';
import { createKeyPair, publicKeyOf, signPortable } from '../../../src/core/auth/key-pair.ts';
import { limits } from '../../../src/limits.ts';
import { signNatively } from '../../support/sign-natively.ts';
import { verifyPortably } from '../../support/verify-portably.ts';
import * as crafted from './crafted-signatures.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const OTHER_SEED = '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb';
const MESSAGE = new TextEncoder().encode('GET\n/v1/whoami\n1795237201\n\n\n');
const [PUBLIC_KEY, OTHER_PUBLIC_KEY] = [hex(await publicKeyOf(SEED)), hex(await publicKeyOf(OTHER_SEED))];
const SIGNATURE = await signPortable(MESSAGE, SEED);

interface Triple {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}
const VALID: Triple = { publicKey: PUBLIC_KEY, message: MESSAGE, signature: SIGNATURE };

/** Returns the common verdict of both implementations. Fails if their verdicts differ. */
async function verdict({ publicKey, message, signature }: Triple): Promise<boolean> {
  const check = { publicKeyHex: hexOf(publicKey), message, signature };
  const native = verifySignature(check);
  expect(await verifyPortably(check), 'portable').toBe(native);
  return native;
}

/** Returns the verdict of the library alone, in its strict mode. */
const nobleVerdict = ({ publicKey, message, signature }: Triple): Promise<boolean> =>
  verifyAsync(signature, message, publicKey, { zip215: false });

const flip = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

describe('the vectors of RFC 8032 §7.1', () => {
  it.each([
    [
      '1',
      SEED,
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      '2',
      OTHER_SEED,
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
    [
      '3',
      'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      'af82',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ],
  ])('%s', async (_name, seedHex, publicKeyHex, messageHex, signatureHex) => {
    const message = hex(messageHex);
    expect(await publicKeyOf(seedHex)).toBe(publicKeyHex);
    expect(hexOf(await signPortable(message, seedHex))).toBe(signatureHex);
    expect(hexOf(signNatively(message, seedHex))).toBe(signatureHex);
    expect(await verdict({ publicKey: hex(publicKeyHex), message, signature: hex(signatureHex) })).toBe(true);
  });
});

describe('a signature', () => {
  it('is accepted over no bytes and over 64 KiB, by either implementation from the other', async () => {
    for (const message of [new Uint8Array(0), new Uint8Array(limits.bodyBytesMax).fill(0xa5)]) {
      const signature = signNatively(message, SEED);
      expect(hexOf(await signPortable(message, SEED))).toBe(hexOf(signature));
      expect(await verdict({ ...VALID, message, signature })).toBe(true);
      expect(await verdict({ ...VALID, message: new Uint8Array([...message, 0]), signature })).toBe(false);
    }
  });

  it('is accepted of a text as of its UTF-8 bytes', () => {
    const text = 'ŽALGIRIS 🏀';
    const signature = signNatively(text, SEED);
    expect(signature).toEqual(signNatively(new TextEncoder().encode(text), SEED));
    expect(verifySignature({ publicKeyHex: hexOf(PUBLIC_KEY), message: text, signature })).toBe(true);
  });

  it('is refused with any byte of it, of the message or of the key damaged', async () => {
    for (const field of ['signature', 'message', 'publicKey'] as const) {
      const bits = Array.from(VALID[field], (_, at) => 8 * at + (at % 8));
      for (const bit of bits) {
        expect(await verdict({ ...VALID, [field]: flip(VALID[field], bit) }), `${field}, bit ${bit}`).toBe(false);
      }
    }
  });

  it('is refused under another key, and with R and S exchanged', async () => {
    expect(await verdict({ ...VALID, publicKey: OTHER_PUBLIC_KEY })).toBe(false);
    expect(await verdict({ ...VALID, signature: await signPortable(MESSAGE, OTHER_SEED) })).toBe(false);
    const exchanged = crafted.join(SIGNATURE.slice(32), SIGNATURE.slice(0, 32));
    expect(await verdict({ ...VALID, signature: exchanged })).toBe(false);
  });

  it.each([0, 1, 32, 63, 65, 128])('is refused when it has %i bytes', async length => {
    const signature = new Uint8Array(length);
    signature.set(SIGNATURE.subarray(0, length));
    expect(await verdict({ ...VALID, signature })).toBe(false);
  });

  it.each(crafted.scalarsOutOfRange(SIGNATURE))('is refused with %s', async (_name, signature) => {
    expect(await verdict({ ...VALID, signature })).toBe(false);
  });

  it.each(crafted.NON_CANONICAL_POINTS)('is refused when R is %s', async (_name, R) => {
    const a = crafted.scalarOf(hex(SEED));
    expect(await verdict({ ...VALID, signature: crafted.solve(a, 0n, R, PUBLIC_KEY, MESSAGE) })).toBe(false);
  });

  it.each(crafted.NON_CANONICAL_POINTS)('is refused under the key %s', async (_name, publicKey) => {
    // If the key counted as a point of small order k·A, at least one message in eight would verify.
    for (const message of manyMessages()) {
      const R = crafted.basePointTimes(7n).toBytes();
      expect(await verdict({ publicKey, message, signature: crafted.solve(0n, 7n, R, publicKey, message) })).toBe(
        false,
      );
    }
  });

  it('is refused under every key of small order, where S·B = R needs no private key', async () => {
    const R = crafted.basePointTimes(7n).toBytes();
    for (const publicKey of crafted.SMALL_ORDER_POINTS.map(point => point.toBytes())) {
      for (const message of manyMessages()) {
        expect(await verdict({ publicKey, message, signature: crafted.solve(0n, 7n, R, publicKey, message) })).toBe(
          false,
        );
      }
    }
  });
});

describe('where RFC 8032 §5.1.7 leaves two equations open, that without cofactor decides', () => {
  const a = crafted.scalarOf(hex(SEED));
  const [neutral, ...torsion] = crafted.SMALL_ORDER_POINTS;

  it('for an R that is the neutral point: only the owner of the key can make it', async () => {
    const forged = { ...VALID, signature: crafted.solve(a, 0n, neutral!.toBytes(), PUBLIC_KEY, MESSAGE) };
    expect(await verdict(forged)).toBe(true);
    expect(await nobleVerdict(forged)).toBe(true);
  });

  it('for an R of small order, and one with a part of small order', async () => {
    for (const point of torsion) {
      for (const [r, R] of [
        [0n, point.toBytes()],
        [7n, crafted.basePointTimes(7n).add(point).toBytes()],
      ] as const) {
        const forged = { ...VALID, signature: crafted.solve(a, r, R, PUBLIC_KEY, MESSAGE) };
        expect(await verdict(forged)).toBe(false);
        expect(await nobleVerdict(forged), 'by the equation with cofactor').toBe(true);
      }
    }
  });

  it('for a key with a part of small order', async () => {
    const R = crafted.basePointTimes(7n).toBytes();
    const verdicts = new Set<boolean>();
    for (const point of torsion) {
      const publicKey = crafted.basePointTimes(a).add(point).toBytes();
      for (const message of manyMessages()) {
        const forged = { publicKey, message, signature: crafted.solve(a, 7n, R, publicKey, message) };
        verdicts.add(await verdict(forged));
        expect(await nobleVerdict(forged), 'by the equation with cofactor').toBe(true);
      }
    }
    expect(verdicts, 'its own signatures verify now and then').toEqual(new Set([true, false]));
  });
});

describe('any triple of key, message and signature', () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const mutation = fc.oneof(
    fc.record({ kind: fc.constant('flip' as const), field: fieldOf(), bit: fc.nat(8 * 64 - 1) }),
    fc.record({ kind: fc.constant('R' as const), bytes: bytes(32) }),
    fc.record({ kind: fc.constant('S' as const), bytes: bytes(32) }),
    fc.record({ kind: fc.constant('key' as const), bytes: bytes(32) }),
  );
  type Mutation = typeof mutation extends fc.Arbitrary<infer M> ? M : never;

  function mutate(triple: Triple, it: Mutation): Triple {
    if (it.kind === 'flip') return { ...triple, [it.field]: flip(triple[it.field], it.bit) };
    if (it.kind === 'key') return { ...triple, publicKey: it.bytes };
    const [R, S] = [triple.signature.slice(0, 32), triple.signature.slice(32)];
    return { ...triple, signature: it.kind === 'R' ? crafted.join(it.bytes, S) : crafted.join(R, it.bytes) };
  }

  it('has one verdict: ours of libsodium, ours of noble, and noble’s own', async () => {
    const inputs = [bytes(32), fc.uint8Array({ maxLength: 200 }), fc.array(mutation, { maxLength: 3 })] as const;
    await fc.assert(
      fc.asyncProperty(...inputs, async (seed, message, mutations) => {
        const seedHex = hexOf(seed);
        const valid = {
          publicKey: hex(await publicKeyOf(seedHex)),
          message,
          signature: signNatively(message, seedHex),
        };
        const changed = mutations.reduce(mutate, valid);
        const isSame = (['publicKey', 'message', 'signature'] as const).every(
          field => hexOf(changed[field]) === hexOf(valid[field]),
        );
        expect(await verdict(changed)).toBe(isSame);
        expect(await nobleVerdict(changed)).toBe(isSame);
      }),
      { numRuns: 150 },
    );
  });
});

describe('a key pair', () => {
  it('is new each time, and signs', async () => {
    const [one, two] = [await createKeyPair(), await createKeyPair()];
    expect(one.seedHex).not.toBe(two.seedHex);
    expect(one.publicKeyHex).toBe(await publicKeyOf(one.seedHex));
    const signature = await signPortable(MESSAGE, one.seedHex);
    expect(await verdict({ publicKey: hex(one.publicKeyHex), message: MESSAGE, signature })).toBe(true);
  });

  it('is not made from anything but 32 bytes in hex, and the error does not repeat it', async () => {
    const secret = `${SEED.slice(2)}zz`;
    expect(() => signNatively(MESSAGE, secret)).toThrow(/^an Ed25519 seed is 32 bytes in hex$/);
    await expect(publicKeyOf(secret)).rejects.toThrow(/^an Ed25519 key is 32 bytes in hex$/);
  });
});

it('verdicts outlive the bound on remembered keys', () => {
  const check = { publicKeyHex: hexOf(PUBLIC_KEY), message: MESSAGE, signature: SIGNATURE };
  expect(verifySignature(check)).toBe(true);
  for (let other = 0; other < 2 * limits.signingKeysMax; other++) {
    expect(verifySignature({ ...check, publicKeyHex: `no key ${other}` })).toBe(false);
  }
  expect(verifySignature(check)).toBe(true);
});

it('a signature may be text, in either alphabet', () => {
  const check = { publicKeyHex: hexOf(PUBLIC_KEY), message: MESSAGE };
  for (const alphabet of ['base64', 'base64url'] as const) {
    const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString(alphabet);
    expect(verifySignature({ ...check, signature: textOf(SIGNATURE) })).toBe(true);
    expect(verifySignature({ ...check, signature: textOf(flip(SIGNATURE, 500)) })).toBe(false);
    expect(verifySignature({ ...check, signature: textOf(SIGNATURE.subarray(1)) })).toBe(false);
  }
});

function fieldOf() {
  return fc.constantFrom('publicKey', 'message', 'signature');
}

/** Returns so many messages that for one of them a multiple of a point of order 8 is the neutral point. */
function manyMessages(): Uint8Array[] {
  return Array.from({ length: 24 }, (_, at) => Uint8Array.of(at));
}
