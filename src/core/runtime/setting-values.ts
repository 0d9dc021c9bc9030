// Reads the values of settings from their text. Any thread.

import { isIP } from 'node:net';
import { limits } from '../../limits.ts';
import { readPrivateFile } from './private-file.ts';

/** An invalid setting; the message names the option and the rule. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The address of a server that this process opens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export const UNWRAPPED_RULE = 'must not be in quotes, nor begin or end with white space';

export function isWrapped(text: string): boolean {
  return text !== text.trim() || /^["']|["']$/.test(text);
}

export function readAddress(
  names: Readonly<Record<keyof ListenAddress, string>>,
  host: string,
  port: string,
): ListenAddress {
  return { host: readHost(names.host, host), port: readInteger(names.port, port, 0, 65_535) };
}

export function readInteger(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  // Number alone would also read 0x50 and 8e3.
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new ConfigError(`${name}: must be an integer from ${min} to ${max}`);
  }
  return value;
}

export function readChoice<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find(candidate => candidate === text);
  if (choice === undefined) throw new ConfigError(`${name}: must be one of ${choices.join(', ')}`);
  return choice;
}

export function readHost(name: string, host: string): string {
  if (isIP(host) === 0 && host !== 'localhost') {
    throw new ConfigError(`${name}: must be an IP address of this machine, or localhost`);
  }
  return host;
}

/** Reads exact origins: a pattern would let in pages that the operator did not intend. */
export function readOrigins(name: string, text: string | undefined): readonly string[] {
  const origins = text?.split(',').map(it => it.trim()) ?? [];
  const odd = origins.find(it => !/^https?:/.test(it) || URL.parse(it)?.origin !== it);
  if (odd === undefined) return origins;
  throw new ConfigError(`${name}: must be origins such as https://desk.example, between commas, not ${odd}`);
}

/** Reads the text of a private file that holds a key. */
export function readKeyFile(name: string, path: string): string {
  const key = readPrivateFile(path, limits.keyFileBytesMax);
  if (!key.ok) throw new ConfigError(`${name}: ${path} ${key.error.words}`);
  return key.value;
}
