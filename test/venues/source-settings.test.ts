// The settings for the addresses of the venues. test/config.test.ts tests the other settings.

import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));
const file = join(folder, 'key.pem');
writeFileSync(file, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }), {
  mode: 0o600,
});

const LIVE_PAPER = {
  CROSSBOOK_VENUE_A_REST_URL: 'https://a.example/',
  CROSSBOOK_VENUE_A_STREAM_URL: 'wss://a.example/ws/market',
  CROSSBOOK_VENUE_A_GAMMA_URL: 'https://gamma.example/',
  CROSSBOOK_VENUE_B_REST_URL: 'https://b.example/trade-api/v2',
  CROSSBOOK_VENUE_B_STREAM_URL: 'wss://b.example/trade-api/ws/v2',
  CROSSBOOK_VENUE_B_READ_KEY_ID: 'key',
  CROSSBOOK_VENUE_B_READ_KEY_FILE: file,
};

describe('live-paper', () => {
  it('reads the venues with a key of its own, by a setting or an option', () => {
    const config = readConfig(['--live-paper', '--seed', '3'], LIVE_PAPER);
    expect(config).toMatchObject({
      mode: 'LIVE_PAPER',
      podsFile: null,
      source: {
        kind: 'live-paper',
        seed: 3,
        a: {
          venueA: { restUrl: 'https://a.example', streamUrl: 'wss://a.example/ws/market' },
          gammaUrl: 'https://gamma.example',
        },
        b: { account: { keyId: 'key' } },
      },
    });
    expect(readConfig(['--seed', '3'], { ...LIVE_PAPER, CROSSBOOK_SOURCE: 'live-paper' })).toEqual(config);
  });

  it('leaves out the venue that is switched off, whose settings are not needed', () => {
    const only = (letter: string) =>
      Object.fromEntries(Object.entries(LIVE_PAPER).filter(([name]) => name.startsWith(`CROSSBOOK_VENUE_${letter}_`)));
    const withA = readConfig(['--live-paper'], { ...only('A'), CROSSBOOK_LIVE_PAPER_OFF: 'venue_b' });
    expect(withA.source).toMatchObject({ a: { gammaUrl: 'https://gamma.example' }, b: null });
    const withB = readConfig(['--live-paper'], { ...only('B'), CROSSBOOK_LIVE_PAPER_OFF: 'venue_a' });
    expect(withB.source).toMatchObject({ a: null, b: { account: { keyId: 'key' } } });
    expect(() => readConfig(['--live-paper'], only('A'))).toThrow(
      'CROSSBOOK_VENUE_B_REST_URL, CROSSBOOK_VENUE_B_STREAM_URL, CROSSBOOK_VENUE_B_READ_KEY_ID',
    );
  });

  it.each<[given: object, message: string]>([
    [{ CROSSBOOK_LIVE_PAPER_OFF: 'venue_c' }, 'CROSSBOOK_LIVE_PAPER_OFF: must be'],
    [
      { CROSSBOOK_LIVE_PAPER_OFF: 'venue_b' },
      'CROSSBOOK_VENUE_B_REST_URL: conflicts with CROSSBOOK_LIVE_PAPER_OFF=venue_b',
    ],
    [{ CROSSBOOK_PODS_FILE: 'pods.json' }, 'CROSSBOOK_PODS_FILE: conflicts with CROSSBOOK_SOURCE=live-paper'],
    [{ CROSSBOOK_VENUE_B_KEY_ID: 'k' }, 'CROSSBOOK_VENUE_B_KEY_ID: conflicts with CROSSBOOK_SOURCE=live-paper'],
    [{ CROSSBOOK_VENUE_B_KEY_FILE: 'f' }, 'CROSSBOOK_VENUE_B_KEY_FILE: conflicts with CROSSBOOK_SOURCE=live-paper'],
    [{ CROSSBOOK_SOURCE: 'live' }, 'CROSSBOOK_SOURCE: must be'],
    [{ CROSSBOOK_REDEEM: 'auto' }, 'CROSSBOOK_REDEEM: requires CROSSBOOK_PODS_FILE'],
    [{ CROSSBOOK_VENUE_A_GAMMA_URL: undefined }, 'CROSSBOOK_VENUE_A_GAMMA_URL: required when'],
    [{ CROSSBOOK_VENUE_B_READ_KEY_FILE: undefined }, 'CROSSBOOK_VENUE_B_READ_KEY_FILE: required when'],
    [
      { CROSSBOOK_BOOKS: 'nats', CROSSBOOK_NATS: 'nats://n:1' },
      'CROSSBOOK_BOOKS=nats: conflicts with CROSSBOOK_SOURCE=live-paper',
    ],
  ])('refuses %j', (given, message) => {
    expect(() => readConfig(['--live-paper'], { ...LIVE_PAPER, ...given })).toThrow(message);
  });

  it('goes without recordings, and its key goes with nothing else', () => {
    expect(() => readConfig(['--live-paper', '--replay', 'a.json'], LIVE_PAPER)).toThrow('--replay: conflicts with');
    expect(() => readConfig([], LIVE_PAPER)).toThrow(
      'CROSSBOOK_VENUE_B_READ_KEY_ID: requires CROSSBOOK_SOURCE=live-paper',
    );
  });
});
