// A data directory with the demo identity's key files, a server that knows that key, and commands run against both.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignedServer } from '../client/signed-server.ts';
import { CommandRig } from './command-rig.ts';

export const API_KEY = 'cbk_c2VjcmV0';

export class CallRig extends CommandRig {
  readonly keyFile = join(this.dataDir, 'demo', 'key.json');
  readonly apiKeyFile = join(this.dataDir, 'demo', 'api-key.txt');
  readonly server: SignedServer;

  private constructor(server: SignedServer) {
    super();
    this.server = server;
    mkdirSync(join(this.dataDir, 'demo'), { recursive: true });
    const { keyId, seedHex } = server;
    writeFileSync(this.keyFile, JSON.stringify({ keyId, seedHex }), { mode: 0o600 });
    writeFileSync(this.apiKeyFile, `${API_KEY}\n`, { mode: 0o600 });
  }

  static async start(): Promise<CallRig> {
    return new CallRig(await SignedServer.start());
  }

  async end(): Promise<void> {
    await this.server.close();
    this.remove();
  }
}
