// The signers and samples for C and Rust: compiled as their READMEs say, compared with the published vectors, run against a gateway.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacks } from '../support/debian-packages.ts';
import { type SigningVector, VECTORS_FILE } from '../support/make-signing-vectors.ts';
import { type PaperGateway, startPaperGateway } from './paper-gateway.ts';
import { Program, succeeds } from './program.ts';

const vectors: readonly SigningVector[] = JSON.parse(readFileSync(VECTORS_FILE, 'utf8'));

const LANGUAGES = [
  { name: 'C', folder: 'clients/c', packages: ['gcc', 'libc6-dev', 'libsodium-dev'], signs: ['./sign'] },
  { name: 'Rust', folder: 'clients/rust', packages: ['rustc', 'libsodium-dev'], signs: ['./order', 'sign'] },
].filter(({ packages }) => !lacks(...packages));

/** Commands of the README that compile. */
const commandsOf = (folder: string): string[] =>
  [...readFileSync(`${folder}/README.md`, 'utf8').matchAll(/^(?:cc|rustc) .*$/gm)].map(([command]) =>
    command.replaceAll(/clients\/[\w/.]+/g, path => resolve(path)),
  );

const headersOf = (text: string): object =>
  Object.fromEntries(text.split(/\r?\n/).map(line => line.split(/: (.*)/, 2)));

describe.skipIf(LANGUAGES.length === 0)('a sample (needs gcc, libc6-dev, rustc, libsodium-dev)', () => {
  let paper: PaperGateway;
  let built: string;
  beforeAll(async () => {
    paper = await startPaperGateway();
    built = mkdtempSync(join(tmpdir(), 'crossbook-native-'));
  });
  afterAll(async () => {
    rmSync(built, { recursive: true });
    await paper.close();
  });

  it.each(LANGUAGES)(
    'in $name makes the published signatures, and places, reads and cancels an order',
    async language => {
      const commands = commandsOf(language.folder);
      expect(commands.length).toBeGreaterThan(0);
      for (const command of commands) await succeeds(['sh', '-c', command], {}, built);
      expect(vectors.length).toBeGreaterThanOrEqual(8);
      for (const it of vectors) {
        const parts = [it.method, it.target, it.body, it.idempotencyKey, it.notAfter, it.timestamp];
        const said = await succeeds([...language.signs, 'my-key', it.seedHex, ...parts], {}, built);
        const expected = {
          'SVC-Key-Id': 'my-key',
          'SVC-Timestamp': it.timestamp,
          'SVC-Content-Sha256': it.contentSha256,
          'SVC-Signature': it.signatureBase64,
          ...(it.idempotencyKey === '' ? {} : { 'Idempotency-Key': it.idempotencyKey }),
          ...(it.notAfter === '' ? {} : { 'SVC-Not-After-Millis': it.notAfter }),
        };
        expect(headersOf(said.trimEnd())).toEqual(expected);
      }
      const port = String(paper.gateway.port);
      const keyFile = join(paper.folder, 'data/demo/key.json');
      const order = (ticker: string) => ['./order', port, keyFile, ticker];
      expect(await succeeds(order(paper.ticker), {}, built)).toMatch(
        /^placed OPEN\nread .*OPEN\ncancel.* CANCELLED\n$/,
      );
      const refused = new Program(order('NOPE'), {}, built);
      expect([await refused.ended, refused.said]).toEqual([1, expect.stringContaining('no order: ')]);
      for (const file of ['none.json', 'order']) {
        const mistaken = new Program(['./order', port, file, paper.ticker], {}, built);
        expect([await mistaken.ended, mistaken.said]).toEqual([1, 'no key can be read from KEY_FILE\n']);
      }
    },
  );
});
