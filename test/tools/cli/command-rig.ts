// Runs a command of the command line with its own data directory, and keeps its output.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyRecords } from '../../../src/core/domain/identity.ts';
import { openKeyStore } from '../../../src/core/store/key-store.ts';
import type { CommandIo } from '../../../src/tools/cli/command-io.ts';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export class CommandRig {
  readonly folder = mkdtempSync(join(tmpdir(), 'crossbook-cli-'));
  readonly dataDir = join(this.folder, 'data');
  /** The settings, in addition to the data directory. */
  env: Readonly<Record<string, string>> = {};

  file(name: string): string {
    return join(this.folder, name);
  }

  async run(command: (args: readonly string[], io: CommandIo) => Promise<number>, ...args: string[]): Promise<Said> {
    let [out, err] = ['', ''];
    const code = await command(args, {
      out: text => {
        out += text;
      },
      err: text => {
        err += text;
      },
      env: { CROSSBOOK_DATA_DIR: this.dataDir, ...this.env },
    });
    return { code, out, err };
  }

  async records(): Promise<KeyRecords> {
    const store = openKeyStore(join(this.dataDir, 'keys'));
    const records = store.read();
    await store.close();
    return records;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
