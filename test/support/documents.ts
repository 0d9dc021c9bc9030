// The documents as a machine can check them: their text, what is code in it, and the shell blocks of a section.

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

/** Every file with comments, but generated ones. Shell scripts and the list of packages have no ending. */
export function commentedFiles(): readonly Document[] {
  return readTextFiles(
    ['src', 'test', 'bench', 'site', 'clients', 'deploy', 'proto', '.ci', 'bin'],
    /\.(ts|js|py|c|h|rs|proto|yaml|yml|toml|service|example)$|^[^.]+$/,
  ).filter(({ path }) => !path.startsWith('src/core/generated/'));
}

/** The text between backticks, and in blocks of code, piece by piece. */
export function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].flatMap(([, block]) => block!.split('\n'));
  const indented = text.split('\n').filter(line => line.startsWith('    '));
  const inline = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
  return [...blocks, ...indented, ...inline];
}

/** The same lines without the blocks of code, so that line numbers stay. */
export function codeBlocksOut(text: string): string {
  return text.replace(/^```\w*\n[\s\S]*?^```$/gm, block => block.replace(/.+/g, ''));
}

/** Fenced blocks of a language in the section under a heading, in their order. */
export function blocksOf(text: string, heading: string, language: string): string[] {
  const from = text.indexOf(`\n${heading}\n`);
  if (from < 0) throw new Error(`no heading ${heading}`);
  const end = text.indexOf('\n## ', from + 1);
  const section = text.slice(from, end < 0 ? undefined : end);
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code!);
}
