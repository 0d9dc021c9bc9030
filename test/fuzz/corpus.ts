// The seeds from which inputs are made: small examples written by hand, one a line, in corpus/. Lines that start with # describe the lines after
// them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function corpus(name: string): readonly string[] {
  const lines = readFileSync(join(import.meta.dirname, 'corpus', `${name}.txt`), 'utf8').split('\n');
  return lines.filter(line => line !== '' && !line.startsWith('#'));
}

/** Returns the corpus of a format with line breaks in its inputs: `\r`, `\n`, `\t` and `\xff` mean the same as in JavaScript. */
export function escapedCorpus(name: string): readonly Buffer[] {
  return corpus(name).map(line => {
    const text = line.replace(/\\(?:([rnt\\])|x([0-9a-f]{2}))/g, (_all, letter: string | undefined, hex: string) =>
      letter === undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : (CONTROLS[letter] ?? letter),
    );
    return Buffer.from(text, 'latin1');
  });
}

const CONTROLS: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t' };

export function jsonCorpus(name: string): readonly unknown[] {
  return corpus(name).map(line => JSON.parse(line) as unknown);
}
