// The string to sign, spelled out; the code that builds and signs it runs on any JavaScript runtime.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalString, EMPTY_SHA256, type SignedParts } from '../../../src/core/auth/canonical.ts';
import { sourceFile } from '../../support/source-file.ts';

const ORDER: SignedParts = {
  method: 'POST',
  target: '/v1/venue-b/orders?b=2&a=%20',
  timestamp: '1795237201',
  contentSha256: 'ab'.repeat(32),
  idempotencyKey: 'key-1',
  notAfter: '1795237202500',
};

describe('the string to sign', () => {
  it('has six lines and no line feed at its end', () => {
    const lines = ['POST', '/v1/venue-b/orders?b=2&a=%20', '1795237201', 'ab'.repeat(32), 'key-1', '1795237202500'];
    expect(canonicalString(ORDER)).toBe(lines.join('\n'));
  });

  it('has an empty line for a header that is absent', () => {
    const absent = { ...ORDER, idempotencyKey: '', notAfter: '' };
    expect(canonicalString(absent)).toMatch(/[^\n]\n\n$/);
    expect(canonicalString(absent).split('\n')).toHaveLength(6);
  });

  it('is another for every other request', () => {
    const line = fc.string({ unit: 'binary', maxLength: 8 }).filter(text => !text.includes('\n'));
    const parts = fc.record({
      method: line,
      target: line,
      timestamp: line,
      contentSha256: line,
      idempotencyKey: line,
      notAfter: line,
    });
    fc.assert(
      fc.property(parts, request => {
        const [method, target, timestamp, contentSha256, idempotencyKey, notAfter, ...rest] =
          canonicalString(request).split('\n');
        expect({ method, target, timestamp, contentSha256, idempotencyKey, notAfter, rest }).toEqual({
          ...request,
          rest: [],
        });
      }),
    );
  });

  it('hashes a missing body as no bytes', () => {
    expect(EMPTY_SHA256).toBe(createHash('sha256').digest('hex'));
  });
});

describe.each(['canonical.ts', 'key-pair.ts'])('%s is portable', name => {
  it('with everything that it imports', () => {
    const seen = new Set<string>();
    const todo = [`src/core/auth/${name}`];
    for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
      seen.add(path);
      const { imports, nodes } = sourceFile(path, readFileSync(path, 'utf8'));
      const nodeOnly = nodes.filter(
        node => node.type === 'Identifier' && /^(Buffer|process|require)$/.test(`${node.name}`),
      );
      expect(nodeOnly, path).toEqual([]);
      for (const { specifier } of imports) {
        expect(specifier, path).toMatch(/^(\.|@noble\/ed25519$)/);
        const target = posix.join(posix.dirname(path), specifier);
        if (specifier.startsWith('.') && !seen.has(target)) todo.push(target);
      }
    }
  });
});
