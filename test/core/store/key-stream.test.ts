// Keys as a stream of a real NATS. A change at one gateway reaches the others, and two at once are both made. A gateway that cannot read
// the stream says so.

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NatsLink } from '../../../src/core/nats/connection.ts';
import { NatsStream } from '../../../src/core/nats/stream.ts';
import { type Log, silentLog } from '../../../src/core/runtime/log.ts';
import { encodeRecord } from '../../../src/core/store/key-record.ts';
import { type KeyStore, KeysAge, openKeyStore } from '../../../src/core/store/key-store.ts';
import { KeyFollower, KeyStream } from '../../../src/core/store/key-stream.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { eventually } from '../../support/eventually.ts';
import { lacksNats, NatsServer } from '../../support/nats-server.ts';
import { testFolder } from '../../support/test-folder.ts';
import { apiKey, at, signingKey } from './identities.ts';

const WRITERS = 4;
const ACTORS_EACH = 5;
/** A number of keys that needs more than one message. */
const MANY = 1_200;

describe.skipIf(lacksNats)('keys of a stream', () => {
  let server: NatsServer;
  let folder: string;
  const ends: (() => unknown)[] = [];
  beforeEach(async () => {
    server = await NatsServer.start();
    folder = testFolder();
  });
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
    await server.close();
  });

  const storeAt = (name: string): KeyStore => {
    const store = openKeyStore(join(folder, name));
    ends.push(() => store.close());
    return store;
  };
  const linked = async (): Promise<NatsLink> => {
    const link = await NatsLink.connect(server.settings, 'test');
    ends.push(() => link.close());
    return link;
  };
  const streamOf = async (store: KeyStore): Promise<KeyStream> => KeyStream.open(await linked(), store);
  const populate = (store: KeyStore): void => {
    const made = store.change(all => {
      all.createPod({ podId: 'desk', createdAt: at(1) });
      all.createActor({ podId: 'desk', actorId: 'maker', createdAt: at(2) });
      all.addSigningKey(signingKey(3));
      return all.addApiKey(apiKey(4));
    });
    expect(made.ok).toBe(true);
  };

  it('are those of the first store that joins, and every later change of any', async () => {
    const [one, other] = [storeAt('one'), storeAt('other')];
    populate(one);
    const [ofOne, ofOther] = [await streamOf(one), await streamOf(other)];
    expect(other.read()).toEqual(one.read());
    const { keyId } = signingKey(3);
    expect((await ofOther.change(it => it.revokeSigningKey(keyId, at(9)))).ok).toBe(true);
    expect((await ofOther.change(it => it.setActorLimits('desk', 'maker', { openOrdersMax: 7 }))).ok).toBe(true);
    await ofOne.catchUp();
    expect(one.read()).toEqual(other.read());
    expect([one.read().signingKeys[0]!.revokedAt, one.read().actors[0]!.limits.openOrdersMax]).toEqual([9, 7]);
    // A change that the rules refuse makes no record.
    expect(await ofOne.change(it => it.revokeSigningKey(keyId, at(10)))).toEqual({
      ok: false,
      error: `keyId: ${keyId} is revoked already`,
    });
    expect(one.position()).toEqual(other.position());
  });

  it('are many, and come in several messages', async () => {
    const one = storeAt('one');
    const label = 'x'.repeat(60);
    populate(one);
    one.change(all => {
      let last = all.addSigningKey(signingKey(1_000, { label }));
      for (let number = 1_001; number < 1_000 + MANY; number++) last = all.addSigningKey(signingKey(number, { label }));
      return last;
    });
    await streamOf(one);
    const other = storeAt('other');
    await streamOf(other);
    expect(other.read()).toEqual(one.read());
    expect(other.position()!.sequence).toBeGreaterThan(1);
  });

  it('changed by several at once have every change', async () => {
    const stores = Array.from({ length: WRITERS }, (_, which) => storeAt(`store-${which}`));
    populate(stores[0]!);
    const streams = [];
    for (const store of stores) streams.push(await streamOf(store));
    const made = streams.flatMap((stream, which) =>
      Array.from({ length: ACTORS_EACH }, (_, number) => `actor-${which}-${number}`).map(actorId =>
        stream.change(it => it.createActor({ podId: 'desk', actorId, createdAt: at(5) })),
      ),
    );
    expect((await Promise.all(made)).every(it => it.ok)).toBe(true);
    for (const stream of streams) await stream.catchUp();
    for (const store of stores) expect(store.read()).toEqual(stores[0]!.read());
    expect(stores[0]!.read().actors).toHaveLength(1 + WRITERS * ACTORS_EACH);
  });

  it('are changed by way of the stream alone', async () => {
    const one = storeAt('one');
    populate(one);
    await streamOf(one);
    const refused = one.createPod({ podId: 'more', createdAt: at(1) });
    expect(refused).toEqual({ ok: false, error: expect.stringContaining('are those of a stream of NATS') });
    expect(one.read().pods).toHaveLength(1);
  });

  it('are not mixed with those of strangers; a copy and an older copy join', async () => {
    const [one, copy, stranger] = [storeAt('one'), storeAt('copy'), storeAt('stranger')];
    for (const store of [one, copy]) populate(store);
    const ofOne = await streamOf(one);
    await ofOne.change(it => it.revokeSigningKey(signingKey(3).keyId, at(9)));
    await streamOf(copy);
    expect(copy.read()).toEqual(one.read());
    stranger.createPod({ podId: 'elsewhere', createdAt: at(1) });
    await expect(streamOf(stranger)).rejects.toThrow('has no pod/elsewhere, which is in the key store here');
    expect(stranger.read().pods).toHaveLength(1);
  });

  const orphan = Buffer.from(
    encodeRecord({ kind: 'signing-key', value: { ...signingKey(8), podId: 'nowhere', revokedAt: null } }),
  ).toString();
  it.each([
    ['no JSON', 'record 2 is not a list of keys'],
    ['{}', 'record 2 is not a list of keys'],
    ['[1]', 'record 2: undefined has a kind that this program'],
    ['[["pod/x","{}"]]', 'record 2: pod/x has version none'],
    [JSON.stringify([[`signing-key/${signingKey(8).keyId}`, orphan]]), 'there is no pod nowhere'],
  ])('stay as they are where a record of the stream is %s, and the fault says so', async (text, words) => {
    const one = storeAt('one');
    populate(one);
    const keys = await streamOf(one);
    const before = [one.read(), one.position()];
    const stream = await NatsStream.open(await linked(), 'crossbook-keys', 'crossbook.keys');
    await stream.append(Buffer.from(text), 1);
    const fault = await keys.catchUp().catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(StoreError);
    expect((fault as StoreError).message).toContain(words);
    expect([one.read(), one.position()]).toEqual(before);
  });

  it('that cannot be read are out of date after a while, in words, until they can', async () => {
    const one = storeAt('one');
    populate(one);
    const said: string[] = [];
    const log: Log = { ...silentLog, warn: event => void said.push(event), info: event => void said.push(event) };
    const heard = new KeysAge();
    const elsewhere = new KeysAge(heard.memory);
    expect(heard.problem).not.toBeNull();
    const follower = await KeyFollower.start(server.settings, one, heard, log);
    ends.push(() => follower.close());
    expect([heard.problem, elsewhere.problem]).toEqual([null, null]);
    const other = await streamOf(storeAt('other'));
    await other.change(it => it.revokeSigningKey(signingKey(3).keyId, at(9)));
    await eventually(() => expect(one.read().signingKeys[0]!.revokedAt).toBe(9));
    await server.hold();
    await eventually(() => expect(elsewhere.problem).toContain('the stream of keys has not been read for 3000 ms'));
    server.goOn();
    await eventually(() => expect(heard.problem).toBeNull());
    // On a busy machine an earlier read may have failed, too.
    const [failed, again] = ['the stream of keys cannot be read', 'the stream of keys is read again'];
    expect([said[0], said.at(-1), new Set(said)]).toEqual([failed, again, new Set([failed, again])]);
  });
});
