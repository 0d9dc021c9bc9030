// Registers the key of the first browser that opens the link of the start, for the demo pod only. For other pods the operator registers the
// key by the command line. The link holds a token. Only the token's SHA-256 is compared. Main thread.

import { hash, randomBytes } from 'node:crypto';
import { validatePublicKey } from '../../core/auth/public-key.ts';
import type { SigningKey } from '../../core/domain/identity.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { fail, type Result } from '../../core/domain/result.ts';
import { createKeyId } from '../../core/store/key-record.ts';
import type { KeyStore } from '../../core/store/key-store.ts';

const TOKEN_BYTES = 32;
const LIFE_MS = 600_000;
const NEW_LINK = 'start the gateway again for a new link, or register the browser by the command';

interface EnrolmentParts {
  readonly keyStore: Pick<KeyStore, 'addSigningKey'>;
  /** The actor that gets the key. */
  readonly owner: Pick<SigningKey, 'podId' | 'actorId'>;
  /** The time in Unix milliseconds. */
  readonly now: () => UnixMillis;
  /** The time in monotonic milliseconds. */
  readonly elapsed: () => number;
}

export class Enrolment {
  /** The secret token of the link. */
  readonly token = randomBytes(TOKEN_BYTES).toString('base64url');
  /** The actor that gets the key. */
  readonly actorId: string;
  readonly #hash = hash('sha256', this.token);
  readonly #parts: EnrolmentParts;
  readonly #endsAtMs: number;
  #isUsed = false;

  constructor(parts: EnrolmentParts) {
    this.#parts = parts;
    this.actorId = parts.owner.actorId;
    this.#endsAtMs = parts.elapsed() + LIFE_MS;
  }

  /** Registers the key. Returns the key, or the reason why it is not registered. The key works from this machine only. */
  enrol(token: string, publicKey: string): Result<SigningKey, string> {
    const { keyStore, owner, now, elapsed } = this.#parts;
    // The hashes are compared, because a caller cannot choose a hash. So the timing of the comparison reveals nothing about the token.
    const isRight = hash('sha256', token) === this.#hash;
    if (!isRight)
      return fail(
        'token: this link is of an earlier start of the gateway, or incomplete; open the link of its last start',
      );
    if (this.#isUsed) return fail(`token: this link was used already, by another browser; ${NEW_LINK}`);
    if (elapsed() >= this.#endsAtMs) return fail(`token: this link has expired after ten minutes; ${NEW_LINK}`);
    const publicKeyHex = validatePublicKey(publicKey);
    if (!publicKeyHex.ok) return fail(`publicKey: ${publicKeyHex.error}`);
    const added = keyStore.addSigningKey({
      ...owner,
      keyId: createKeyId(randomBytes),
      publicKeyHex: publicKeyHex.value,
      scopes: ['read', 'observe', 'cancel'],
      addresses: ['127.0.0.0/8', '::1'],
      label: 'web page',
      createdAt: now(),
    });
    if (added.ok) this.#isUsed = true;
    return added;
  }
}
