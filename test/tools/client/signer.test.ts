// The two signers share one contract, and pass the published vectors.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeSigner } from '../../../src/tools/client/node-client.ts';
import { portableSigner, type Signer, signRequest } from '../../../src/tools/client/signer.ts';

interface Vector {
  readonly name: string;
  readonly seedHex: string;
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly body: string;
  readonly contentSha256: string;
  readonly idempotencyKey: string;
  readonly notAfter: string;
  readonly signatureBase64: string;
}

const vectors: readonly Vector[] = JSON.parse(readFileSync('test/fixtures/signing-vectors.json', 'utf8'));
const encoder = new TextEncoder();
const SIGNERS = [
  ['portable', portableSigner],
  ['node', nodeSigner],
] as const;

describe('signers', () => {
  it('agree on every message', async () => {
    const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(seed => Buffer.from(seed).toString('hex'));
    await fc.assert(
      fc.asyncProperty(seeds, fc.uint8Array({ maxLength: 1_000 }), async (seedHex, message) => {
        const [portable, native] = SIGNERS.map(([, make]) => make({ keyId: 'k', seedHex }));
        expect(Buffer.from(await native!.sign(message))).toEqual(Buffer.from(await portable!.sign(message)));
      }),
      { numRuns: 50 },
    );
  });

  it('keep their key to themselves', () => {
    const seedHex = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
    for (const [, make] of SIGNERS) {
      const signer = make({ keyId: 'k', seedHex });
      expect(JSON.stringify(signer)).not.toContain(seedHex);
      expect(Object.keys(signer)).not.toContain('seedHex');
    }
  });
});

describe.each(SIGNERS)('a request signed by the %s signer', (_name, make) => {
  it.each(vectors)('is the published one: $name', async vector => {
    const { method, target, idempotencyKey, notAfter } = vector;
    const signer: Signer = make({ keyId: 'the key', seedHex: vector.seedHex });
    const body = encoder.encode(vector.body);
    const notAfterMillis = notAfter === '' ? null : Number(notAfter);
    const request = { method, target, body, idempotencyKey, notAfterMillis };
    expect(await signRequest(signer, request, Number(vector.timestamp) * 1_000 + 999)).toEqual({
      'SVC-Key-Id': 'the key',
      'SVC-Timestamp': vector.timestamp,
      'SVC-Content-Sha256': vector.contentSha256,
      'SVC-Signature': vector.signatureBase64,
      ...(idempotencyKey === '' ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(notAfter === '' ? {} : { 'SVC-Not-After-Millis': notAfter }),
    });
  });

  it.each(['', ' leading', 'trailing ', 'line\nfeed', 'ü', 'x'.repeat(256)])(
    'has an idempotency key that arrives as it was signed, unlike %j',
    async idempotencyKey => {
      const signer = make({ keyId: 'k', seedHex: '00'.repeat(32) });
      const request = { method: 'POST', target: '/', body: encoder.encode('{}'), notAfterMillis: null };
      const signed = signRequest(signer, { ...request, idempotencyKey }, 0);
      if (idempotencyKey === '') expect(await signed).not.toHaveProperty('Idempotency-Key');
      else await expect(signed).rejects.toThrow('idempotency key');
    },
  );
});
