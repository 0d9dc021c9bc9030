// The rules of the house that a machine can hold (docs/ARCHITECTURE.md §2 and §3, those with a dot). Each is a function from source files
// to complaints. test/tidy.test.ts runs them on this repository and on bad examples.

import { posix } from 'node:path';
import { LIMITS_FILES } from './import-rules.ts';
import { child, inFolder, lineOf, type Rule, type SourceFile, type SyntaxNode } from './source-file.ts';

const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;

export const domainIsPure: Rule = files =>
  inFolder(files, 'src/core/domain/').flatMap(file => [
    ...file.imports
      .filter(it => !/^\.\/[\w-]+\.ts$/.test(it.specifier))
      .map(it => `${file.path}: imports ${it.specifier}`),
    ...file.nodes
      .filter(node => isReference(file, node, IMPURE))
      .map(node => complaint(file, node, `uses ${file.text.slice(node.start, node.end)}`)),
  ]);

const IMPURE =
  /^(process|Date|performance|crypto|fetch|setTimeout|setInterval|setImmediate|queueMicrotask|console|globalThis|navigator|Math\.random)$/;

/** Rule 9, for the packages that the product ships. */
export const onePackageOneFile: Rule = files => {
  const importers = new Map<string, string[]>();
  for (const file of inFolder(files, 'src/')) {
    const packages = file.imports.map(it => it.specifier).filter(name => !/^(\.|node:)/.test(name));
    for (const name of new Set(packages.map(packageOf)))
      importers.set(name, [...(importers.get(name) ?? []), file.path]);
  }
  return [...importers].filter(([, paths]) => paths.length > 1).map(([name, paths]) => `${name}: ${paths.join(', ')}`);
};

const MONEY = /(^|[a-z])(price|size|ticks|micros|notional|amount)$/i;
/** The folders in which rule 1 does not hold: hot functions over shared memory take prices and sizes as primitives. */
const RAW_NUMBERS = /^src\/(market-data\/(book|shm)|core\/(runtime|net))\//;

export const moneyIsBranded: Rule = files =>
  inFolder(files, 'src/')
    .filter(file => !RAW_NUMBERS.test(file.path))
    .flatMap(file =>
      numbersIn(file)
        .filter(({ name }) => MONEY.test(name))
        .map(({ node, name }) => complaint(file, node, `${name} is a plain number`)),
    );

export const noFloatText: Rule = files =>
  inFolder(files, 'src/').flatMap(file =>
    file.nodes
      .filter(node => node.type === 'Identifier' && /^(parseFloat|toFixed|toPrecision)$/.test(String(node.name)))
      .map(node => complaint(file, node, `uses ${String(node.name)}`)),
  );

/** Spreading a literal into another literal hides how many fields the outer literal has: the fields must stand in the outer literal. */
export const noSpreadLiterals: Rule = files =>
  inFolder(files, 'src/').flatMap(file =>
    file.nodes
      .filter(node => node.type === 'SpreadElement' && child(node, 'argument')?.type === 'ObjectExpression')
      .map(node => complaint(file, node, 'spreads a literal')),
  );

/** A time without a zone is UTC, in any zone of the machine: `src/core/domain/iso-time.ts` reads all times. */
export const oneReaderOfTimes: Rule = files =>
  inFolder(files, 'src/').flatMap(file =>
    file.nodes
      .filter(node => node.type === 'MemberExpression' && file.text.slice(node.start, node.end) === 'Date.parse')
      .map(node => complaint(file, node, 'uses Date.parse')),
  );

const DURATION = /(timeout|interval|delay|deadline|backoff|linger|elapsed|duration|latency|period|silence)$/i;

export const unitsInNames: Rule = files =>
  files.flatMap(file =>
    numbersIn(file)
      .filter(({ name }) => DURATION.test(name))
      .map(({ node, name }) => complaint(file, node, `${name} does not say its unit`)),
  );

/** The name of a limit: a time, an amount of bytes, a largest or smallest count, or a count per something. */
const LIMIT_NAME = /(Max|Min|Ms|S|Bytes|Per[A-Z]\w*)$/;

export const limitsNameTheirUnit: Rule = files =>
  files
    .filter(file => LIMITS_FILES.includes(file.path))
    .flatMap(file =>
      file.nodes
        .filter(node => node.type === 'Property' && child(node, 'value')?.type !== 'ObjectExpression')
        .filter(node => !LIMIT_NAME.test(String(child(node, 'key')?.name)))
        .map(node => complaint(file, node, `${String(child(node, 'key')?.name)} does not say its unit`)),
    );

/** Rule 5: no value falls out of a switch unseen. For a union the default is `unreachable`, which the compiler checks. */
export const switchesEnd: Rule = files =>
  inFolder(files, 'src/').flatMap(file =>
    file.nodes
      .filter(node => node.type === 'SwitchStatement')
      .filter(node => !(node.cases as SyntaxNode[]).some(it => it.test === null))
      .map(node => complaint(file, node, 'switch without a default')),
  );

/**
 * If a thread is ended while one of its modules waits at the top level, V8 aborts the whole process (AsyncModuleExecutionFulfilled). The
 * two programs' own files run on the main thread, which nobody ends in this way.
 */
export const noTopLevelAwait: Rule = files =>
  inFolder(files, 'src/')
    .filter(({ path }) => !['src/main.ts', 'src/tools/cli/crossbook.ts'].includes(path))
    .flatMap(file => {
      const functions = file.nodes.filter(node => /Function|MethodDefinition/.test(node.type));
      return file.nodes
        .filter(node => node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await === true))
        .filter(node => !functions.some(it => it.start < node.start && node.end <= it.end))
        .map(node => complaint(file, node, 'await at the top level'));
    });

/** A slow machine is not a failure: tests wait as long as `eventually` or vitest.config.ts says. */
export const onePatience: Rule = files =>
  inFolder(files, 'test/')
    .filter(file => file.path !== 'test/support/eventually.ts')
    .flatMap(file =>
      file.nodes
        .filter(node => node.type === 'CallExpression')
        .filter(node => {
          const callee = file.text.slice(child(node, 'callee')!.start, child(node, 'callee')!.end).replace(/\s/g, '');
          const hasOptions = (node.arguments as SyntaxNode[]).length > 1;
          return callee === 'vi.waitFor' || callee === 'vi.waitUntil' || (callee === 'expect.poll' && hasOptions);
        })
        .map(node => complaint(file, node, 'a patience of its own')),
    );

/** A list of vitest.config.ts loses a file that is moved: the file would run in another project, and nobody would notice. */
export const listedTestsExist: Rule = files =>
  files
    .filter(({ path }) => path === 'vitest.config.ts')
    .flatMap(({ path, text }) =>
      [...text.matchAll(/'(test\/[^']+\.test\.ts)'/g)]
        .flatMap(([, listed]) => alternativesOf(listed!))
        .filter(it => {
          const pattern = new RegExp(`^${it.replaceAll('.', '\\.').replace(/\*\*\/\*|\*/g, '.*')}$`);
          return !files.some(file => pattern.test(file.path));
        })
        .map(it => `${path}: ${it} is no file`),
    );

/** `a/{b,c}` stands for `a/b` and `a/c`. */
function alternativesOf(listed: string): string[] {
  const [, before = '', choices, behind = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(listed) ?? [];
  if (choices === undefined) return [listed];
  return choices.split(',').flatMap(choice => alternativesOf(before + choice + behind));
}

/** A failing test is read alone: its title must not continue the title before it. */
export const titlesStandAlone: Rule = files =>
  inFolder(files, 'test/').flatMap(file =>
    file.nodes
      .filter(node => node.type === 'CallExpression' && /^(describe|it|test)$/.test(rootOf(child(node, 'callee'))))
      .flatMap(node => (node.arguments as SyntaxNode[]).slice(0, 1))
      .filter(title => /^['"`](and|nor|neither|but|also|so|or|likewise) /.test(file.text.slice(title.start, title.end)))
      .map(title => complaint(file, title, 'a title that begins in the middle')),
  );

/** Returns the root of a call: `it` for `it.each(rows)`. */
function rootOf(callee: SyntaxNode | null): string {
  if (callee === null || callee.type === 'Identifier') return nameOf(callee);
  return rootOf(child(callee, 'object') ?? child(callee, 'callee') ?? child(callee, 'tag'));
}

const BANNED_NODES: Readonly<Record<string, string>> = {
  TSAnyKeyword: 'any',
  TSEnumDeclaration: 'enum',
  TSModuleDeclaration: 'namespace',
  ExportDefaultDeclaration: 'default export',
  TSParameterProperty: 'parameter property',
  TSExportAssignment: 'export =',
  TSImportEqualsDeclaration: 'import =',
};

export const plainTypeScript: Rule = files =>
  files
    .filter(file => file.path !== 'vitest.config.ts')
    .flatMap(file => [
      ...file.nodes
        .filter(node => BANNED_NODES[node.type] !== undefined)
        .map(node => complaint(file, node, BANNED_NODES[node.type]!)),
      ...(/^\s*\/\/ @ts-(ignore|nocheck)/m.test(file.text) ? [`${file.path}: silences the compiler`] : []),
    ]);

export const noBarrels: Rule = files =>
  files.flatMap(file => {
    const statements = file.nodes[0]!.body as SyntaxNode[];
    const reexports = statements.filter(
      node => /^Export(All|Named)Declaration$/.test(node.type) && child(node, 'source'),
    );
    const isBarrel =
      reexports.some(node => node.type === 'ExportAllDeclaration') || reexports.length === statements.length;
    return isBarrel && statements.length > 0 ? [`${file.path}: hands other files' exports on`] : [];
  });

export const namesThatTell: Rule = files =>
  files
    .filter(file => /(^|[/.-])(utils?|helpers?|managers?|misc|common)([/.-]|$)/i.test(file.path))
    .map(file => `${file.path}: the name says nothing`);

/** Rule on the length of files. Generated files are exempt, because their length follows from their sources. */
export const shortFiles: Rule = files =>
  files
    .filter(file => !file.path.startsWith('src/core/generated/'))
    .flatMap(file => {
      const lines = file.text.trimEnd().split('\n').length;
      return lines > FILE_LINES_MAX ? [`${file.path}: ${lines} lines`] : [];
    });

export const shortFunctions: Rule = files =>
  files.flatMap(file => {
    const groups = new Set(file.nodes.filter(isTestGroup).flatMap(node => node.arguments as SyntaxNode[]));
    return file.nodes
      .filter(node => /Function/.test(node.type) && child(node, 'body') !== null && !groups.has(node))
      .map(node => ({ node, lines: file.text.slice(node.start, node.end).split('\n').length }))
      .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
      .map(({ node, lines }) => complaint(file, node, `${lines} lines`));
  });

export const headers: Rule = files =>
  files
    .filter(file => !/^(#!.*\n)?\/\/ .{20,}\n/.test(file.text))
    .map(file => `${file.path}: does not open with what it is`);

/** Returns whether a call is `describe(…)` or `describe.each(…)(…)`: a table of contents, not a function with logic of its own. */
function isTestGroup(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression') return false;
  const callee = child(node, 'callee');
  if (callee === null) return false;
  return callee.name === 'describe' || child(callee, 'object')?.name === 'describe' || isTestGroup(callee);
}

function numbersIn(file: SourceFile): { node: SyntaxNode; name: string }[] {
  return file.nodes.flatMap(node => {
    const named = node.type === 'Identifier' ? node : child(node, 'key');
    const annotation = child(node, 'typeAnnotation');
    if (named?.type !== 'Identifier' || annotation === null) return [];
    return child(annotation, 'typeAnnotation')?.type === 'TSNumberKeyword' ? [{ node, name: String(named.name) }] : [];
  });
}

/** Returns whether a node uses a name as a value. The name of a field, a key or a type is not a value. */
function isReference(file: SourceFile, node: SyntaxNode, name: RegExp): boolean {
  if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return false;
  return name.test(file.text.slice(node.start, node.end)) && file.text[node.start - 1] !== '.';
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function complaint(file: SourceFile, node: SyntaxNode, what: string): string {
  return `${file.path}:${lineOf(file, node.start)}: ${what}`;
}

/** Files that are loaded by their name, such as the suites of the benchmark. */
const LOADED = /\.bench\.ts$/;

/** Each exported value must be imported by another file. A type may be exported to describe a parameter of a function. */
export const exportsAreTaken: Rule = files => {
  const taken = new Map<string, Set<string>>();
  for (const { target, name } of files.flatMap(takenBy)) taken.set(target, (taken.get(target) ?? new Set()).add(name));
  return files
    .filter(({ path }) => !LOADED.test(path) && !taken.get(path)?.has(ALL))
    .flatMap(file =>
      valuesOffered(file)
        .filter(({ name }) => !taken.get(file.path)?.has(name))
        .map(({ node, name }) => complaint(file, node, `nobody imports ${name}`)),
    );
};

const ALL = '*';

/** Returns the names that a file takes, by imports and by addresses of threads' files. The files of threads count as taken whole. */
function takenBy(file: SourceFile): { target: string; name: string }[] {
  return file.nodes.flatMap(node => {
    const isAddress = node.type === 'NewExpression' && child(node, 'callee')?.name === 'URL';
    const specifier = isAddress ? (node.arguments as SyntaxNode[])[0]?.value : child(node, 'source')?.value;
    if (typeof specifier !== 'string' || !specifier.startsWith('.')) return [];
    const target = posix.join(posix.dirname(file.path), specifier);
    const named = (node.specifiers ?? []) as SyntaxNode[];
    const isWhole = named.length === 0 || named.some(it => it.type === 'ImportNamespaceSpecifier');
    const names = isWhole ? [ALL] : named.map(it => nameOf(child(it, 'imported') ?? child(it, 'local')));
    return names.map(name => ({ target, name }));
  });
}

function valuesOffered(file: SourceFile): { node: SyntaxNode; name: string }[] {
  return file.nodes
    .filter(node => node.type === 'ExportNamedDeclaration' && child(node, 'source') === null)
    .flatMap(node => namesOffered(node).map(name => ({ node, name })));
}

function namesOffered(node: SyntaxNode): string[] {
  const declared = child(node, 'declaration');
  if (declared === null) return (node.specifiers as SyntaxNode[]).map(it => nameOf(child(it, 'exported')));
  if (/^TS(Interface|TypeAlias)Declaration$/.test(declared.type)) return [];
  const declarations = (declared.declarations as SyntaxNode[] | undefined) ?? [declared];
  return declarations.flatMap(it => (child(it, 'id')?.type === 'Identifier' ? [nameOf(child(it, 'id'))] : []));
}

function nameOf(node: SyntaxNode | null): string {
  return String(node?.name ?? '');
}
