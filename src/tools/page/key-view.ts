// The only step that the operator must take: to register the key of this browser. Browser.

import { CopyView } from './copy-view.ts';
import type { OwnKey } from './own-key.ts';
import { register } from './phases.ts';
import { html, signal } from './view.ts';

interface KeyViewParts {
  readonly ownKey: OwnKey;
  readonly why: string | null;
}

const keyId = signal('');
/** The actor of the demo, which the document names. For any other pod the operator knows the actor. */
const actor = signal(document.querySelector<HTMLMetaElement>('meta[name=actor]')?.content ?? '');

export function KeyView({ ownKey, why }: KeyViewParts) {
  const command = `npm run --silent crossbook -- keys register --actor ${actor.value || 'ACTOR'} --scopes read,observe,cancel --label 'web page' --public-key ${ownKey.publicKeyHex}`;
  const submit = (event: Event): void => {
    event.preventDefault();
    void register(ownKey, keyId.value.trim());
  };
  return html`<main class="notice" id="key">
    <h1>Register this browser</h1>
    ${why === null ? null : html`<p role="alert">${why.replace(/^token: /, '')}</p>`}
    <p>This browser has made a key of its own, which cannot leave it. Run this command at the gateway: it registers the key for an actor of
      the pod that you want to see. Without <code>cancel</code> in the scopes the page only reads.</p>
    <label>Actor <input name="actor" placeholder="ACTOR" autocomplete="off" spellcheck=${false} value=${actor.value} onInput=${written(actor)} /></label>
    <pre tabindex="0" id="command">${command}</pre>
    <p><${CopyView} text=${command} what="the command" words="Copy the command" /></p>
    <form onSubmit=${submit}>
      <label>The key id that it prints
        <input name="keyId" placeholder="key_…" required autocomplete="off" spellcheck=${false} value=${keyId.value}
          onInput=${written(keyId)} /></label>
      <button>Open</button>
    </form>
  </main>`;
}

function written(text: { value: string }) {
  return (event: InputEvent): void => {
    text.value = (event.currentTarget as HTMLInputElement).value;
  };
}
