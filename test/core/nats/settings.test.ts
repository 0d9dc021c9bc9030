// Settings of a replicated pod: what goes together, and what a wrong one is answered with.

import { describe, expect, it } from 'vitest';
import { readReplicated } from '../../../src/core/nats/settings.ts';

const ALL = {
  CROSSBOOK_DURABILITY: 'replicated',
  CROSSBOOK_NATS: 'tls://10.0.0.1:4222,tls://nats.example:4222',
  CROSSBOOK_PUBLIC_URL: 'https://one.example/',
};

describe('settings of a replicated pod', () => {
  it('are absent without the mode', () => {
    expect(readReplicated({})).toBeNull();
    expect(readReplicated({ CROSSBOOK_DURABILITY: 'power-safe' })).toBeNull();
  });

  it('are read', () => {
    expect(readReplicated(ALL)).toEqual({
      nats: { servers: ['tls://10.0.0.1:4222', 'tls://nats.example:4222'], credentials: null },
      url: 'https://one.example',
      takeOverAfterMs: null,
    });
    expect(readReplicated({ ...ALL, CROSSBOOK_TAKE_OVER_AFTER_S: '2' })?.takeOverAfterMs).toBe(2_000);
  });

  it.each([
    [{ CROSSBOOK_NATS: ALL.CROSSBOOK_NATS }, 'CROSSBOOK_NATS: goes with CROSSBOOK_DURABILITY=replicated'],
    [{ ...ALL, CROSSBOOK_PUBLIC_URL: undefined }, 'CROSSBOOK_PUBLIC_URL: goes with CROSSBOOK_DURABILITY=replicated'],
    [{ CROSSBOOK_TAKE_OVER_AFTER_S: '9' }, 'CROSSBOOK_TAKE_OVER_AFTER_S: goes with CROSSBOOK_DURABILITY=replicated'],
    [{ ...ALL, CROSSBOOK_TAKE_OVER_AFTER_S: '1' }, 'CROSSBOOK_TAKE_OVER_AFTER_S: must be an integer from 2 to 3600'],
    [{ ...ALL, CROSSBOOK_TAKE_OVER_AFTER_S: '2.5' }, 'CROSSBOOK_TAKE_OVER_AFTER_S: must be an integer from 2 to 3600'],
    [{ ...ALL, CROSSBOOK_NATS: 'nats://user:secret@10.0.0.1:4222' }, 'CROSSBOOK_NATS: must be nats://HOST:PORT'],
    [{ ...ALL, CROSSBOOK_NATS: 'nats://10.0.0.1:4222,tls://n:4222' }, 'CROSSBOOK_NATS: must be all nats:// or all tls'],
    [{ ...ALL, CROSSBOOK_PUBLIC_URL: 'https://user@one.example' }, 'CROSSBOOK_PUBLIC_URL: must be a URL'],
  ])('%j is refused', (env, words) => {
    expect(() => readReplicated(env)).toThrow(words);
  });
});
