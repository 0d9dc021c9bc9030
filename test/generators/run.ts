// `npm run generators`: other people's generators read proto/openapi.yaml, and a bot of ten lines is type-checked against what each makes.
// Two make TypeScript. The third makes Python of the schemas: no generator of a whole Python client comes as a package of npm or of Debian.
// Everything is installed and made in a folder of its own. Exit code 1 if a generator or a type check fails.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { BOT_OF_CLASSES, BOT_OF_CLIENT, BOT_OF_TYPES } from './bots.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'crossbook-generators-'));
const DOCUMENT = 'openapi.yaml';

/** Throws if the command fails; its output is that of this process. */
function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function install(): void {
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(import.meta.dirname, name), join(folder, name));
  cpSync(join(ROOT, 'proto', DOCUMENT), join(folder, DOCUMENT));
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** With the compiler that checks our own sources. */
function checkTypeScript(...files: readonly string[]): void {
  const options = ['--strict', '--skipLibCheck', '--noEmit', '--module', 'esnext', '--target', 'es2024'];
  const lib = ['--moduleResolution', 'bundler', '--lib', 'es2024,dom,dom.iterable', '--allowImportingTsExtensions'];
  run(join(ROOT, 'node_modules/.bin/tsc'), [...options, ...lib, ...files]);
}

/** Dataclasses of all schemas. */
async function pythonOf(openapi: { readonly components: { readonly schemas: object } }): Promise<string> {
  const { InputData, JSONSchemaInput, quicktype } = createRequire(join(folder, 'package.json'))('quicktype-core');
  const input = new JSONSchemaInput(undefined);
  for (const name of Object.keys(openapi.components.schemas)) {
    await input.addSource({ name, schema: JSON.stringify({ ...openapi, $ref: `#/components/schemas/${name}` }) });
  }
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({ inputData, lang: 'python', rendererOptions: { 'python-version': '3.7' } });
  return lines.join('\n');
}

const CHECKS: Readonly<Record<string, () => void | Promise<void>>> = {
  'openapi-typescript'() {
    run('npx', ['openapi-typescript', DOCUMENT, '--output', 'schema.ts']);
    write('types-bot.ts', BOT_OF_TYPES);
    checkTypeScript('types-bot.ts');
  },
  '@hey-api/openapi-ts'() {
    run('npx', ['openapi-ts', '--input', DOCUMENT, '--output', 'client']);
    write('client-bot.ts', BOT_OF_CLIENT);
    checkTypeScript('client-bot.ts');
  },
  async quicktype() {
    write('schema.py', await pythonOf(parse(readFileSync(join(folder, DOCUMENT), 'utf8'))));
    write('bot.py', BOT_OF_CLASSES);
    // Debian's Python sees Debian's packages. What is generated is not held to the strict rules.
    const options = ['--strict', '--follow-imports', 'silent', '--ignore-missing-imports'];
    run('/usr/bin/python3', ['-m', 'mypy', ...options, 'bot.py']);
  },
};

try {
  install();
  for (const [name, check] of Object.entries(CHECKS)) {
    console.log(`\n${name}`);
    await check();
  }
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: object };
  console.log(`\n${Object.keys(CHECKS).length} generators read proto/openapi.yaml: ${JSON.stringify(dependencies)}`);
} finally {
  rmSync(folder, { recursive: true });
}
