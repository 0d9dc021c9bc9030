// The operator's one step: to register the key of this browser. Browser.

import type { OwnKey } from './own-key.ts';
import { register } from './phases.ts';
import { html, signal } from './view.ts';

interface KeyViewParts {
  readonly ownKey: OwnKey;
  readonly why: string | null;
}

const keyId = signal('');

export function KeyView({ ownKey, why }: KeyViewParts) {
  const command = `npm run --silent crossbook -- keys register --actor ACTOR --scopes read,observe,cancel --label 'web page' --public-key ${ownKey.publicKeyHex}`;
  const submit = (event: Event): void => {
    event.preventDefault();
    void register(ownKey, keyId.value.trim());
  };
  return html`<main class="notice" id="key">
    <h1>Register this browser</h1>
    <p>This browser has made a key of its own, which cannot leave it. Run this command at the gateway, with the name of an actor of
      the pod that you want to see. Without <code>cancel</code> in the scopes the page only reads.</p>
    <pre tabindex="0" id="command">${command}</pre>
    <form onSubmit=${submit}>
      <label>The key id that it prints
        <input name="keyId" placeholder="key_…" required autocomplete="off" spellcheck=${false} value=${keyId.value}
          onInput=${(event: InputEvent) => {
            keyId.value = (event.currentTarget as HTMLInputElement).value;
          }} /></label>
      <button>Open</button>
    </form>
    ${why === null ? null : html`<p role="alert">${why}</p>`}
  </main>`;
}
