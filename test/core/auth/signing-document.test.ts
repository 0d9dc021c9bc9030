// Checks that docs/SIGNING.md is true: its vectors are the published vectors, its messages are those of the checks, and its examples run.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { precheck, type SignedRequest, signatureWrong } from '../../../src/core/auth/check.ts';
import { Keyring } from '../../../src/core/auth/keyring.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { lacks } from '../../support/debian-packages.ts';
import { PATIENCE_MS } from '../../support/eventually.ts';
import { type SigningVector, VECTORS_FILE } from '../../support/make-signing-vectors.ts';
import { recordsOf, signingKey } from './signed-requests.ts';

const text = readFileSync('docs/SIGNING.md', 'utf8');
const vectors: readonly SigningVector[] = JSON.parse(readFileSync(VECTORS_FILE, 'utf8'));

const codeIn = (language: string): string => {
  const match = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(text);
  return match?.[1] ?? `no ${language} example`;
};

describe('the vectors in the document', () => {
  const sections = text.split('\n### ').filter(section => vectors.some(it => section.startsWith(`${it.name}\n`)));

  it('are at least three', () => {
    expect(sections.length).toBeGreaterThanOrEqual(3);
  });

  it.each(sections)('%s', section => {
    const vector = vectors.find(it => section.startsWith(`${it.name}\n`))!;
    const block = section.split('\n').filter(line => line.startsWith('    '));
    const lines = block.map(line => line.slice(4).trimEnd());
    expect(lines).toEqual([
      `seed        ${vector.seedHex}`,
      `public key  ${vector.publicKeyHex}`,
      ...(vector.body === '' ? [] : [`body        ${vector.body}`]),
      ...vector.stringToSign.split('\n').map((line, at) => `line ${at + 1}      ${line}`.trimEnd()),
      `base64      ${vector.signatureBase64}`,
      `base64url   ${vector.signatureBase64url}`,
    ]);
  });
});

describe('the messages in the document', () => {
  const vector = vectors[0]!;
  const keyring = new Keyring(
    recordsOf({
      signingKeys: [
        signingKey({ keyId: 'my-key', publicKeyHex: vector.publicKeyHex }),
        signingKey({ keyId: 'my-old-key', revokedAt: 1 as UnixMillis }),
      ],
    }),
  );
  const right: SignedRequest = {
    ...vector,
    body: new Uint8Array(0),
    keyId: 'my-key',
    signature: vectors[1]!.signatureBase64,
  };

  it.each<Partial<SignedRequest>>([
    { keyId: '' },
    { keyId: 'nobody' },
    { keyId: 'my-old-key' },
    { timestamp: '1795237201.5' },
    { timestamp: '1795237260' },
    { contentSha256: 'none' },
    { body: new TextEncoder().encode('{}') },
    { signature: 'c2hvcnQ=' },
    {},
  ])('are those of the checks: %j', changes => {
    const result = precheck(
      { ...right, ...changes },
      keyring.signingKey({ ...right, ...changes }.keyId),
      1_795_237_201_250 as UnixMillis,
    );
    const message = result.ok ? signatureWrong(result.value.check) : result.error.message;
    expect(text).toContain(`\n        ${message}\n`);
  });
});

describe('the example in', () => {
  const expected = vectors.map(it => ({
    'SVC-Key-Id': 'my-key',
    'SVC-Timestamp': it.timestamp,
    'SVC-Content-Sha256': it.contentSha256,
    'SVC-Signature': it.signatureBase64,
    ...(it.idempotencyKey === '' ? {} : { 'Idempotency-Key': it.idempotencyKey }),
    ...(it.notAfter === '' ? {} : { 'SVC-Not-After-Millis': it.notAfter }),
  }));
  const input = JSON.stringify(vectors);
  const options = { input, encoding: 'utf8', timeout: PATIENCE_MS } as const;

  it('TypeScript makes the published signatures', () => {
    const driver = `
      import { readFileSync } from 'node:fs';
      const made = JSON.parse(readFileSync(0, 'utf8')).map((it: Record<string, string>) =>
        sign('my-key', it.seedHex!, it.method!, it.target!, it.body, it.idempotencyKey, it.notAfter, it.timestamp));
      process.stdout.write(JSON.stringify(made));`;
    const parameters = ['--no-warnings', '--input-type=module-typescript', '--eval', codeIn('ts') + driver];
    expect(JSON.parse(execFileSync(process.execPath, parameters, options))).toEqual(expected);
  });

  it.skipIf(lacks('python3-cryptography'))('Python makes the published signatures (needs python3-cryptography)', () => {
    const driver = `
import json, sys
print(json.dumps([sign("my-key", it["seedHex"], it["method"], it["target"], it["body"].encode(), it["idempotencyKey"],
                       it["notAfter"], it["timestamp"]) for it in json.loads(sys.stdin.buffer.read())]))`;
    expect(JSON.parse(execFileSync('/usr/bin/python3', ['-c', codeIn('python') + driver], options))).toEqual(expected);
  });
});
