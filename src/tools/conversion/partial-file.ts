// A file that gets its name only once it is complete. Until then its name ends in `.partial`. The command line's process.

import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const CHUNK_BYTES = 256 * 1024;

/** Throws an error in plain words if the file exists, because nothing is overwritten. */
export function mustBeNew(path: string): void {
  if (existsSync(path)) throw new Error(`${path}: exists already`);
}

/**
 * Makes the folder with its missing parents. Node's own recursive mkdir never returns below a folder in which none can be made, such as
 * /proc.
 */
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

  /** Throws if the file exists, or cannot be created. */
  constructor(path: string) {
    mustBeNew(path);
    this.path = path;
    this.#file = openSync(partialOf(path), 'w');
  }

  /** Collects text until there is enough for a write. */
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
