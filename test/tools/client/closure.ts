// The closure of a file: the file itself, and everything that it imports at run time.

import { posix } from 'node:path';
import { type SourceFile, sourceFile } from '../../support/source-file.ts';

export type Read = (path: string) => string;

/** Returns the files and everything that they import at run time. */
export function closureOf(entries: readonly string[], read: Read): ReadonlyMap<string, SourceFile> {
  const files = new Map<string, SourceFile>();
  const visit = (path: string): void => {
    if (files.has(path)) return;
    const file = sourceFile(path, read(path));
    files.set(path, file);
    for (const { specifier, isTypeOnly } of file.imports) {
      if (!isTypeOnly && specifier.startsWith('.')) visit(posix.join(posix.dirname(path), specifier));
    }
  };
  for (const entry of entries) visit(entry);
  return files;
}
