// Source files as text and as a syntax tree, for tests that hold rules about the code itself. The parser is the test runner's own.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vitest/node';

/** Any node of the tree. Its `type` decides which fields it has (ESTree with TypeScript's additions). */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface SourceFile {
  /** The path from the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Every node, parents before children. */
  readonly nodes: readonly SyntaxNode[];
  /** The imports, re-exports and dynamic imports of the file, as written. */
  readonly imports: readonly Import[];
}

interface Import {
  readonly specifier: string;
  readonly isTypeOnly: boolean;
}

export function sourceFile(path: string, text: string): SourceFile {
  const nodes = addNodes(parseAst(text, { lang: 'ts' }) as unknown as SyntaxNode, []);
  return { path, text, nodes, imports: nodes.flatMap(importOf) };
}

/** Reads every TypeScript file under the folders, which are given from the root of the repository. */
export function readSourceFiles(folders: readonly string[]): SourceFile[] {
  return readTextFiles(folders, /\.ts$/).map(({ path, text }) => sourceFile(path, text));
}

/** Reads every file under the folders whose name matches. */
export function readTextFiles(folders: readonly string[], name: RegExp): { path: string; text: string }[] {
  return folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && name.test(entry.name))
      .map(entry => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
      .map(path => ({ path, text: readFileSync(path, 'utf8') })),
  );
}

export function lineOf(file: SourceFile, offset: number): number {
  return file.text.slice(0, offset).split('\n').length;
}

/** A rule turns source files into complaints. */
export type Rule = (files: readonly SourceFile[]) => string[];

export function inFolder(files: readonly SourceFile[], folder: string): SourceFile[] {
  return files.filter(file => file.path.startsWith(folder));
}

/** Returns the node in a field, or null if the field holds no node. */
export function child(node: SyntaxNode, field: string): SyntaxNode | null {
  const value = node[field];
  return isNode(value) ? value : null;
}

function addNodes(node: SyntaxNode, nodes: SyntaxNode[]): SyntaxNode[] {
  nodes.push(node);
  for (const value of Object.values(node)) {
    if (isNode(value)) addNodes(value, nodes);
    else if (Array.isArray(value)) for (const item of value) if (isNode(item)) addNodes(item, nodes);
  }
  return nodes;
}

function importOf(node: SyntaxNode): Import[] {
  const isRequired = node.type === 'CallExpression' && isCreateRequire(child(node, 'callee'));
  if (!isRequired && !/^(Import(Declaration|Expression)|Export(All|Named)Declaration)$/.test(node.type)) return [];
  const specifier = isRequired ? (node.arguments as SyntaxNode[])[0]?.value : child(node, 'source')?.value;
  if (typeof specifier !== 'string') return [];
  return [{ specifier, isTypeOnly: (node.importKind ?? node.exportKind) === 'type' }];
}

/** Returns whether a callee is `createRequire(…)`, the value of which is called. */
function isCreateRequire(callee: SyntaxNode | null): boolean {
  return callee?.type === 'CallExpression' && child(callee, 'callee')?.name === 'createRequire';
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
