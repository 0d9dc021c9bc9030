// The pods file, valid and with each mistake; and the secret of a pod, which is made once.

import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PodVenues } from '../../../src/core/domain/pod-accounts.ts';
import {
  readPodsFile,
  redeemText,
  withAllSecrets,
  withRedeemBounds,
  withSecrets,
} from '../../../src/gateway/trading/pods.ts';
import { limits } from '../../../src/limits.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-pods-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const PRIVATE_KEY = 'ab'.repeat(32);
const PEM = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const SHORT_PEM = generateKeyPairSync('rsa', { modulusLength: 512 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const venueA = {
  restUrl: 'https://clob.example/',
  userStreamUrl: 'wss://stream.example/ws/user',
  dataUrl: 'https://data.example',
  chainId: 137,
  privateKey: `0x${PRIVATE_KEY}`,
  funder: `0x${'12'.repeat(20)}`,
  signatureType: 2,
  apiKey: 'k',
  secret: 'c2VjcmV0',
  passphrase: 'p',
};
const venueB = {
  restUrl: 'https://api.example/v2',
  streamUrl: 'wss://api.example/ws',
  keyId: 'id',
  privateKeyPem: PEM,
};

function file(content: unknown, mode = 0o600, name = 'pods.json'): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(path, mode);
  return path;
}
const read = (pod: object) => readPodsFile(file({ pods: [pod] }));

describe('a pods file', () => {
  it('4030: that gives a key twice is refused, at any depth', () => {
    const once = JSON.stringify({ pods: [{ podId: 'main', venueB }] });
    const twice = once.replace('"keyId":', '"keyId":"other","keyId":');
    expect(readPodsFile(file(once)).ok).toBe(true);
    expect(readPodsFile(file(twice))).toMatchObject({
      ok: false,
      error: expect.stringMatching(/keyId: is given twice$/),
    });
  });

  it('names the accounts of each pod, at either venue or both', () => {
    const ofAnother = { ...venueB, keyId: 'another' };
    const result = readPodsFile(
      file({
        pods: [
          { podId: 'main', venueA, venueB },
          { podId: 'b-only', venueB: ofAnother },
        ],
      }),
    );
    expect(result).toEqual({
      ok: true,
      value: [
        { podId: 'main', venueA: { ...venueA, restUrl: 'https://clob.example', privateKey: PRIVATE_KEY }, venueB },
        { podId: 'b-only', venueA: null, venueB: ofAnother },
      ],
    });
  });

  it('may say that venue B’s balance is gross', () => {
    const account = (isBalanceGross: unknown) => read({ podId: 'main', venueB: { ...venueB, isBalanceGross } });
    const [gross, net, wrong] = [account(true), account(false), account('yes')];
    expect(gross.ok && gross.value[0]?.venueB).toEqual({ ...venueB, isBalanceGross: true });
    expect(net.ok && net.value[0]?.venueB).toEqual(venueB);
    expect(wrong).toEqual({
      ok: false,
      error: expect.stringContaining('venueB.isBalanceGross: must be true or false'),
    });
  });

  it('may name a relayer of venue A, with a key of it or with the credentials of a builder', () => {
    const url = 'https://relayer.example';
    const key = { url, apiKey: 'k', apiKeyAddress: `0x${'12'.repeat(20)}` };
    const builder = { url, builderKey: 'b', builderSecret: 'c2VjcmV0', builderPassphrase: 'p' };
    const { builderSecret, ...others } = builder;
    file(builderSecret, 0o600, 'builder');
    for (const [named, relayer] of [
      [key, key],
      [builder, builder],
      [{ ...others, builderSecretFile: 'builder' }, builder],
    ]) {
      const result = read({ podId: 'main', venueA: { ...venueA, relayer: named } });
      expect(result.ok && result.value[0]?.venueA?.relayer).toEqual(relayer);
    }
  });

  it('may bound redeems without a request, which the gateway has only if it makes them', () => {
    const relayer = { url: 'https://r.example', apiKey: 'k', apiKeyAddress: `0x${'12'.repeat(20)}` };
    const account = { ...venueA, relayer, redeemUsdMax: { action: '500', day: '2000.5' } };
    const found = read({ podId: 'main', venueA: account });
    const pods = found.ok ? found.value : [];
    expect(pods[0]?.venueA?.redeemUsdMax).toEqual({ action: 500_000_000, day: 2_000_500_000 });
    expect(withRedeemBounds(pods, true)).toBe(pods);
    expect(withRedeemBounds(pods, false)[0]?.venueA?.redeemUsdMax).toBeUndefined();
    expect([true, false].map(isOn => redeemText(pods[0]!, isOn))).toEqual([
      'winners are redeemed automatically, up to 500 dollars at once and 2000.5 a day',
      expect.stringContaining('on request only'),
    ]);
    expect(redeemText({ podId: 'main', venueA: null, venueB: null }, true)).toBeNull();
  });

  it('may name a node of the chain, in a file of its own too', () => {
    file('https://rpc.example/v2/key/\n', 0o600, 'rpc');
    for (const named of [{ rpcUrl: 'https://rpc.example/v2/key' }, { rpcUrlFile: 'rpc' }]) {
      const result = read({ podId: 'main', venueA: { ...venueA, ...named } });
      expect(result.ok && result.value[0]?.venueA?.rpcUrl).toBe('https://rpc.example/v2/key');
    }
  });

  it('may leave a secret in a file of its own, beside it', () => {
    file(`${PEM}\n`, 0o600, 'b.pem');
    const { privateKeyPem: _, ...rest } = venueB;
    const result = read({ podId: 'main', venueB: { ...rest, privateKeyPemFile: 'b.pem' } });
    expect(result.ok && result.value[0]?.venueB?.privateKeyPem).toBe(PEM.trim());
  });

  it.each<[string, object, RegExp]>([
    ['a field of nobody', { podId: 'main', venueC: {} }, /pods\[0\]\.venueC: is not a field/],
    ['no pod id', { venueB }, /pods\[0\]\.podId: is missing/],
    ['a pod id that is a path', { podId: '../x', venueB }, /pods\[0\]\.podId: must match/],
    ['a pod id that no key can have', { podId: 'Desk.1', venueB }, /pods\[0\]\.podId: must match/],
    ['a pod of no venue', { podId: 'desk' }, /pods\[0\]: must have venueA, venueB, or both/],
    [
      'a URL of another kind',
      { podId: 'm', venueB: { ...venueB, streamUrl: 'https://x' } },
      /venueB\.streamUrl: .* ws/,
    ],
    [
      'a URL with a user',
      { podId: 'm', venueB: { ...venueB, restUrl: 'https://me:my-secret@x' } },
      /venueB\.restUrl: must be a URL of http or https, without user/,
    ],
    [
      'a chain of nobody',
      { podId: 'm', venueA: { ...venueA, chainId: 1 } },
      /venueA\.chainId: must be one of 137, 80002/,
    ],
    [
      'a key that is none',
      { podId: 'm', venueA: { ...venueA, privateKey: 'my-secret' } },
      /privateKey: must be 64 hex/,
    ],
    [
      'a key beyond the curve',
      { podId: 'm', venueA: { ...venueA, privateKey: '0'.repeat(64) } },
      /pods\[0\]\.venueA\.privateKey: .* above zero/,
    ],
    [
      'an API secret that is none',
      { podId: 'm', venueA: { ...venueA, secret: 'my-secret!' } },
      /venueA\.secret: must be base64/,
    ],
    [
      'a funder that is no address',
      { podId: 'm', venueA: { ...venueA, funder: '0x12' } },
      /pods\[0\]\.venueA\.funder: must be an address/,
    ],
    [
      'the money of another address',
      { podId: 'm', venueA: { ...venueA, signatureType: 0 } },
      /venueA\.funder: must be the address of privateKey/,
    ],
    [
      'a PEM that is none',
      { podId: 'm', venueB: { ...venueB, privateKeyPem: 'my-secret' } },
      /pods\.json: pods\[0\]\.venueB\.privateKeyPem: is not readable PEM/,
    ],
    [
      'a PEM file that is none',
      { podId: 'm', venueB: { ...venueB, privateKeyPem: undefined, privateKeyPemFile: 'pods.json' } },
      /pods\.json: pods\[0\]\.venueB\.privateKeyPemFile: pods\.json is not readable PEM/,
    ],
    [
      'a key too short to sign with',
      { podId: 'm', venueB: { ...venueB, privateKeyPem: SHORT_PEM } },
      /venueB\.privateKeyPem: cannot sign: is it too short\?/,
    ],
    // They become headers, and what cannot be one would end the threads of all pods.
    [
      'a key id with an invisible end',
      { podId: 'm', venueB: { ...venueB, keyId: 'id\u200b' } },
      /pods\[0\]\.venueB\.keyId: must be visible ASCII/,
    ],
    [
      'an API key of two lines',
      { podId: 'm', venueA: { ...venueA, apiKey: 'my-secret\nX: y' } },
      /pods\[0\]\.venueA\.apiKey: must be visible ASCII/,
    ],
    [
      'a passphrase in another alphabet',
      { podId: 'm', venueA: { ...venueA, passphrase: 'my-secret-é' } },
      /pods\[0\]\.venueA\.passphrase: must be visible ASCII/,
    ],
    ['a secret twice', { podId: 'm', venueB: { ...venueB, privateKeyPemFile: 'x' } }, /privateKeyPem: .* not both/],
    [
      'a node of another chain',
      { podId: 'm', venueA: { ...venueA, rpcUrl: 'https://rpc.example', chainId: 80_002 } },
      /venueA\.rpcUrl: requires chainId 137/,
    ],
    ['a node of no URL', { podId: 'm', venueA: { ...venueA, rpcUrl: 'rpc' } }, /venueA\.rpcUrl: must be a URL of http/],
    [
      'a relayer without a key',
      {
        podId: 'm',
        venueA: { ...venueA, relayer: { url: 'https://r.example', apiKeyAddress: `0x${'12'.repeat(20)}` } },
      },
      /venueA\.relayer\.apiKey: must be given, here or by apiKeyFile/,
    ],
    [
      'a relayer whose key is of nobody',
      { podId: 'm', venueA: { ...venueA, relayer: { url: 'https://r.example', apiKey: 'k', apiKeyAddress: '0x12' } } },
      /venueA\.relayer\.apiKeyAddress: must be an address/,
    ],
    [
      'a relayer with both kinds of credentials',
      { podId: 'm', venueA: { ...venueA, relayer: { url: 'https://r.example', apiKey: 'k', builderKey: 'b' } } },
      /venueA\.relayer\.apiKey/,
    ],
    [
      'a builder whose secret is not base64',
      {
        podId: 'm',
        venueA: {
          ...venueA,
          relayer: { url: 'https://r.example', builderKey: 'b', builderSecret: 'my-secret!', builderPassphrase: 'p' },
        },
      },
      /venueA\.relayer\.builderSecret: must be base64/,
    ],
    ...Object.entries({
      'without a day': [{ action: '5' }, /redeemUsdMax\.day: is missing|redeemUsdMax\.day: must be decimal text/],
      'of nothing': [{ action: '0', day: '5' }, /redeemUsdMax\.action: must be decimal text above 0/],
      'of a number': [{ action: 5, day: '5' }, /redeemUsdMax\.action: must be decimal text/],
      'with more fields': [{ action: '5', day: '5', week: '5' }, /redeemUsdMax\.week: is not a field/],
    } as const).map<[string, object, RegExp]>(([what, [redeemUsdMax, words]]) => [
      `bounds of redeems ${what}`,
      { podId: 'm', venueA: { ...venueA, redeemUsdMax } },
      words,
    ]),
    [
      'bounds of redeems of an account without a relayer',
      { podId: 'm', venueA: { ...venueA, redeemUsdMax: { action: '5', day: '5' } } },
      /venueA\.redeemUsdMax: requires relayer, chainId 137 and signatureType 1, 2 or 3/,
    ],
    ['a secret nowhere', { podId: 'm', venueA: { ...venueA, passphrase: undefined } }, /passphrase: must be given/],
    [
      'a secret of no file',
      { podId: 'm', venueB: { ...venueB, privateKeyPem: undefined, privateKeyPemFile: 'x' } },
      /cannot be read/,
    ],
  ])('with %s is refused by the name of the field, without its secret', (_what, pod, message) => {
    const result = read(pod);
    expect(result).toEqual({ ok: false, error: expect.stringMatching(message) });
    expect(JSON.stringify(result)).not.toContain('my-secret');
  });

  it('that others may read, is no JSON, or names a pod twice is refused', () => {
    const refused = (path: string, words: string) => ({ ok: false, error: `CROSSBOOK_PODS_FILE: ${path} ${words}` });
    const open = file({ pods: [] }, 0o644);
    const isOpen = 'is open to others than its owner (mode 644); chmod 600 it';
    expect(readPodsFile(open)).toEqual(refused(open, isOpen));
    expect(readPodsFile(file({ pods: [] }))).toEqual({ ok: false, error: expect.stringContaining('at least one pod') });
    expect(readPodsFile(file('{'))).toEqual(refused(join(folder, 'pods.json'), 'must be JSON'));
    const twice = readPodsFile(
      file({
        pods: [
          { podId: 'a', venueB },
          { podId: 'a', venueB },
        ],
      }),
    );
    expect(twice).toEqual({ ok: false, error: expect.stringContaining('twice') });
    const none = join(folder, 'none');
    expect(readPodsFile(none)).toEqual(refused(none, 'cannot be read (ENOENT)'));
  });

  it.each<[string, object, object, string]>([
    [
      'key at venue B',
      { venueB },
      { venueB },
      'pods[1].venueB.keyId: is that of pods[0], too: an account belongs to one pod',
    ],
    [
      'key at venue B, whose address is written otherwise',
      { venueB },
      { venueB: { ...venueB, restUrl: 'https://API.example:443/v2/' } },
      'pods[1].venueB.keyId: is that of pods[0]',
    ],
    [
      'money at venue A',
      { venueA },
      { venueA, venueB },
      'pods[1].venueA.funder: is that of pods[0], too: an account belongs to one pod',
    ],
    [
      'money at venue A, whose address is written otherwise',
      { venueA: { ...venueA, funder: `0x${'ab'.repeat(20)}` } },
      { venueA: { ...venueA, funder: `0x${'AB'.repeat(20)}` } },
      'pods[1].venueA.funder: is that of pods[0]',
    ],
  ])('that gives two pods one %s is refused', (_what, first, second, message) => {
    const result = readPodsFile(
      file({
        pods: [
          { podId: 'a', ...first },
          { podId: 'b', ...second },
        ],
      }),
    );
    expect(result).toEqual({ ok: false, error: expect.stringContaining(message) });
  });

  it('may name one key id at two addresses of venue B, and one funder on two chains', () => {
    const pods = [
      { podId: 'a', venueA, venueB },
      { podId: 'b', venueA: { ...venueA, chainId: 80_002 }, venueB: { ...venueB, restUrl: 'https://demo.example' } },
    ];
    expect(readPodsFile(file({ pods })).ok).toBe(true);
  });

  it('that is too long is refused, however sound', () => {
    const sound = JSON.stringify({ pods: [{ podId: 'b-only', venueB }] });
    expect(readPodsFile(file(sound.padEnd(limits.podsFileBytesMax))).ok).toBe(true);
    const tooLong = readPodsFile(file(sound.padEnd(limits.podsFileBytesMax + 1)));
    expect(tooLong).toEqual({ ok: false, error: expect.stringContaining(`longer than ${limits.podsFileBytesMax}`) });
  });
});

describe('the secret of a pod', () => {
  const pod = { podId: 'main', venueA: null, venueB: null };
  const secrets = (pods: readonly PodVenues[], hasOrders = (_podId: string) => false) =>
    withAllSecrets(folder, withSecrets(folder, pods), hasOrders);

  it('is made once, for its owner only, and is another for each pod', () => {
    const [first, other] = secrets([pod, { ...pod, podId: 'other' }]);
    const path = join(folder, 'pods', 'main.secret');
    expect(withSecrets(folder, [pod])).toEqual([first]);
    expect(readFileSync(path, 'utf8')).toBe(`${first!.secretHex}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(other!.secretHex).not.toBe(first!.secretHex);
  });

  it('that is damaged stops the start, by the name of its file', () => {
    secrets([pod]);
    writeFileSync(join(folder, 'pods', 'main.secret'), 'no hex');
    expect(() => withSecrets(folder, [pod])).toThrow(/main\.secret: must hold 64 hex digits/);
  });

  it('that others may read stops the start', () => {
    secrets([pod]);
    chmodSync(join(folder, 'pods', 'main.secret'), 0o640);
    expect(() => withSecrets(folder, [pod])).toThrow(/main\.secret: is open to others than its owner \(mode 640\)/);
  });

  it('with orders is not made', () => {
    const missing = /main\.secret: is missing, and there are orders whose ids depend on it/;
    expect(() => secrets([pod], podId => podId === 'main')).toThrow(missing);
    expect(existsSync(join(folder, 'pods'))).toBe(false);
    secrets([pod], podId => podId === 'other');
    expect(secrets([pod], () => true)).toEqual(secrets([pod]));
  });

  it('whose folder cannot be made stops the start, by its name', () => {
    writeFileSync(join(folder, 'pods'), 'a file');
    expect(() => secrets([pod])).toThrow(/main\.secret: .*(EEXIST|ENOTDIR)/);
  });
});
