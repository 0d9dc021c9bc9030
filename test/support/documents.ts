// The documents in a form that a machine can check: their text, the code in it, and the shell blocks of a section.

import { readFileSync } from 'node:fs';
import { readTextFiles } from './source-file.ts';

interface Document {
  readonly path: string;
  readonly text: string;
}

export const DOCUMENTS: readonly Document[] = [
  ...['README.md', 'CHANGELOG.md', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'SECURITY.md'].map(path => ({
    path,
    text: readFileSync(path, 'utf8'),
  })),
  ...readTextFiles(['docs'], /\.md$/),
];

/** Returns every file with comments, except generated files. Shell scripts and the list of packages have no file extension. */
export function commentedFiles(): readonly Document[] {
  return readTextFiles(
    ['src', 'test', 'bench', 'site', 'clients', 'deploy', 'proto', '.ci', 'bin'],
    /\.(ts|js|py|c|h|rs|proto|yaml|yml|toml|service|example)$|^[^.]+$/,
  ).filter(({ path }) => !path.startsWith('src/core/generated/'));
}

/** Returns each piece of text between backticks and in blocks of code. */
export function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].flatMap(([, block]) => block!.split('\n'));
  const indented = text.split('\n').filter(line => line.startsWith('    '));
  const inline = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
  return [...blocks, ...indented, ...inline];
}

/** Returns the text with empty lines in the place of the blocks of code, so that line numbers stay. */
export function codeBlocksOut(text: string): string {
  return text.replace(/^```\w*\n[\s\S]*?^```$/gm, block => block.replace(/.+/g, ''));
}

/** Returns the fenced blocks of a language in the section under a heading, in their order. */
export function blocksOf(text: string, heading: string, language: string): string[] {
  const from = text.indexOf(`\n${heading}\n`);
  if (from < 0) throw new Error(`no heading ${heading}`);
  const end = text.indexOf('\n## ', from + 1);
  const section = text.slice(from, end < 0 ? undefined : end);
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code!);
}
