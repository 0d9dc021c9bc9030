// A file that has its name only once it is complete: until then `.partial` follows it. The command line's process.

import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const CHUNK_BYTES = 256 * 1024;

/** Throws an error in plain words for a file that is there: nothing is overwritten. */
export function mustBeNew(path: string): void {
  if (existsSync(path)) throw new Error(`${path}: exists already`);
}

/** Makes the folder with its missing parents. Node's own recursive mkdir never returns under a folder that takes none, such as /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(resolve(path)));
  mkdirSync(path);
}

export class PartialFile {
  readonly path: string;
  readonly #file: number;
  #texts: string[] = [];
  #waiting = 0;

  /** Throws where the file exists, or cannot be made. */
  constructor(path: string) {
    mustBeNew(path);
    this.path = path;
    this.#file = openSync(partialOf(path), 'w');
  }

  /** Keeps the text until there is enough for a write. */
  write(text: string): void {
    this.#texts.push(text);
    this.#waiting += text.length;
    if (this.#waiting >= CHUNK_BYTES) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
    renameSync(partialOf(this.path), this.path);
  }

  abandon(): void {
    closeSync(this.#file);
    rmSync(partialOf(this.path), { force: true });
  }

  #flush(): void {
    const bytes = Buffer.from(this.#texts.join(''));
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    this.#texts = [];
    this.#waiting = 0;
  }
}

export function partialOf(path: string): string {
  return `${path}.partial`;
}
