// The web page as a browser fetches it: its headers, its caches, and the names under which it is served. Also the enrolment of its key.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyPair } from '../../src/core/auth/key-pair.ts';
import type { RunningGateway } from '../support/running-gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { type Answer, type Sending, send, sendSigned } from '../support/signed-requests.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await sharedGateway('synthetic');
});
afterAll(() => gateway.close());

const ask = (path: string, sending: Sending = {}): Promise<Answer> => send(gateway.httpUrl + path, sending);

/** Returns the paths in the document, in order. */
async function assets(): Promise<string[]> {
  const { text } = await ask('/');
  return [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
}

describe('the document', () => {
  it('allows its own scripts, styles and connections, and nothing else', async () => {
    const { status, headers, text } = await ask('/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers['content-security-policy']!.split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.filter(it => !/^[\w-]+ '(none|self)'$/.test(it))).toEqual([]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['set-cookie']).toBeUndefined();
    // The page has nothing that its own policy forbids, since the browser would block it.
    expect(text).not.toMatch(/<script[^>]*>[^<]|<style| style=| on\w+=/);
  });

  it('is asked for anew, and not sent again while it is the same', async () => {
    const { headers } = await ask('/');
    expect(headers['cache-control']).toBe('no-cache');
    const again = await ask('/', { headers: { 'If-None-Match': `"other", ${headers.etag}` } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    expect((await ask('/', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  it('takes HEAD, and no other method', async () => {
    const head = await ask('/', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await ask('/', { method: 'POST' })).status).toBe(405);
  });
});

describe('scripts and styles', () => {
  it('are named by their content, and kept for good', async () => {
    const paths = await assets();
    expect(paths.map(path => path.replace(/-[0-9a-f]{16}\./, '.'))).toEqual([
      '/page/icon.svg',
      '/page/page.css',
      '/page/page.js',
    ]);
    for (const path of paths) {
      const { status, headers, text } = await ask(path);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(text.length).toBeGreaterThan(0);
      expect((await ask(path, { headers: { 'If-None-Match': headers.etag! } })).status).toBe(304);
    }
  });

  it('of another version are not found', async () => {
    expect((await ask('/page/page-0123456789abcdef.js')).status).toBe(404);
  });
});

describe('a name that is not this machine’s', () => {
  it.each(['evil.example', `evil.example:1`, 'localhost.evil.example'])(
    '%s gets neither page nor enrolment',
    async host => {
      for (const path of ['/', ...(await assets())]) {
        const { status, json } = await ask(path, { headers: { Host: host } });
        expect([status, (json as { error: { message: string } }).error.message]).toEqual([
          403,
          expect.stringMatching(/^Host: must be an IP address or localhost/),
        ]);
      }
      const body = JSON.stringify({ token: gateway.enrolment.token, publicKey: (await createKeyPair()).publicKeyHex });
      const headers = { Host: host, 'Content-Type': 'application/json' };
      expect((await ask('/page/enrolment', { method: 'POST', body, headers })).status).toBe(403);
    },
  );

  it('localhost is', async () => {
    expect((await ask('/', { headers: { Host: `localhost:${gateway.port}` } })).status).toBe(200);
  });
});

describe('the enrolment', () => {
  const enrol = (body: object | string, type = 'application/json'): Promise<Answer> =>
    ask('/page/enrolment', {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': type },
    });

  it('refuses what is not declared JSON, no object, or has a wrong token', async () => {
    const { publicKeyHex: publicKey } = await createKeyPair();
    const { token } = gateway.enrolment;
    expect((await enrol({ token, publicKey }, 'text/plain')).status).toBe(400);
    expect((await enrol('[]')).status).toBe(400);
    expect((await enrol('{')).status).toBe(400);
    expect((await enrol({ token: 'x', publicKey })).status).toBe(403);
    expect((await enrol({ token, publicKey: 'x' })).status).toBe(403);
  });

  it('registers a key that can observe the demo pod', async () => {
    const { publicKeyHex: publicKey, seedHex } = await createKeyPair();
    const { status, headers, json } = await enrol({ token: gateway.enrolment.token, publicKey });
    expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
    const { keyId } = json as { keyId: string };
    expect(json).toEqual({ keyId, podId: 'demo', actorId: 'demo', scopes: ['read', 'observe', 'cancel'] });
    expect((await sendSigned(`${gateway.httpUrl}/v1/pod`, { keyId, seedHex })).status).toBe(200);
    const order = { method: 'POST', body: '{}', idempotencyKey: 'x', headers: { 'Content-Type': 'application/json' } };
    expect((await sendSigned(`${gateway.httpUrl}/v1/venue-b/orders`, { keyId, seedHex }, order)).status).toBe(403);
    const other = (await createKeyPair()).publicKeyHex;
    expect((await enrol({ token: gateway.enrolment.token, publicKey: other })).status).toBe(403);
  });
});
