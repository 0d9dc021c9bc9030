// The setting of where books come from: the venues, or core NATS; and whether they are published there. Read at the start.

import { type NatsSettings, readNats } from '../../core/nats/settings.ts';
import { ConfigError, readChoice } from '../../core/runtime/setting-values.ts';

/** A publisher has the venues, and publishes their books; a reader takes them from there. */
export interface RelaySettings {
  readonly role: 'publisher' | 'reader';
  readonly nats: NatsSettings;
}

const NAME = 'CROSSBOOK_BOOKS';
const ROLES = { publish: 'publisher', nats: 'reader' } as const;

/** Null if books come from the venues, and are not published. Throws a ConfigError. */
export function readRelay(env: Readonly<Record<string, string | undefined>>): RelaySettings | null {
  const books = readChoice(NAME, env[NAME] ?? 'venues', ['venues', 'publish', 'nats']);
  if (books === 'venues') return null;
  const nats = readNats(env);
  if (nats === null) throw new ConfigError(`${NAME}: ${books} goes with CROSSBOOK_NATS`);
  return { role: ROLES[books], nats };
}
