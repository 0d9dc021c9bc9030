// The phases of the page, from the key of this browser to an open desk, and to its end when the key is revoked. Browser.

import { wordsOf } from '../../core/domain/error-words.ts';
import { Desk } from './desk.ts';
import { readAnswer } from './gateway-api.ts';
import { forgetKey, keepKeyId, loadKey, type OwnKey } from './own-key.ts';
import { signal } from './view.ts';

type Phase =
  | { readonly type: 'starting' }
  /** The page cannot work in this browser. */
  | { readonly type: 'impossible'; readonly why: string }
  /** The operator has to register the key. `why` is the reason of the last refusal. */
  | { readonly type: 'unregistered'; readonly key: OwnKey; readonly why: string | null }
  | { readonly type: 'open'; readonly desk: Desk }
  /** The gateway no longer accepts the key, or did not answer. */
  | { readonly type: 'closed'; readonly why: string };

export const phase = signal<Phase>({ type: 'starting' });

const INSECURE =
  'Browsers keep keys on secure pages only. Open this page by https, or from this machine as http://127.0.0.1 or http://localhost; docs/PAGE.md shows both.';

export async function begin(): Promise<void> {
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState(null, '', location.pathname);
  if (!isSecureContext) {
    phase.value = { type: 'impossible', why: INSECURE };
    return;
  }
  try {
    await enter(await loadKey(), token);
  } catch (error) {
    phase.value = { type: 'impossible', why: `This browser cannot make or keep an Ed25519 key: ${wordsOf(error)}` };
  }
}

/**
 * Takes the id under which the operator has registered the key, and opens the desk. The id has the form that the operator's command prints.
 */
export async function register(key: OwnKey, keyId: string): Promise<void> {
  const opened = await Desk.open(key, keyId, close);
  if (!opened.ok) phase.value = { type: 'unregistered', key, why: opened.error };
  else {
    await keepKeyId(key, keyId);
    phase.value = { type: 'open', desk: opened.value };
  }
}

/** Forgets the key and makes a new key. */
export async function startAnew(): Promise<void> {
  await forgetKey();
  await begin();
}

async function enter(key: OwnKey, token: string): Promise<void> {
  if (key.keyId === null) {
    await enrol(key, token);
    return;
  }
  const opened = await Desk.open(key, key.keyId, close);
  if (opened.ok) phase.value = { type: 'open', desk: opened.value };
  else if (token === '') phase.value = { type: 'closed', why: opened.error };
  else {
    // This is the link of another data directory, which does not know a key from before.
    await forgetKey();
    await enrol(await loadKey(), token);
  }
}

async function enrol(key: OwnKey, token: string): Promise<void> {
  if (token === '') {
    phase.value = { type: 'unregistered', key, why: null };
    return;
  }
  const response = await fetch('/page/enrolment', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, publicKey: key.publicKeyHex }),
    credentials: 'omit',
  });
  const answer = readAnswer(response.status, await response.text());
  if (answer.ok) await register(key, (answer.value as { readonly keyId: string }).keyId);
  else phase.value = { type: 'unregistered', key, why: answer.error.message };
}

function close(why: string): void {
  phase.value = { type: 'closed', why };
}
