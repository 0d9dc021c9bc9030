// Makes the two generated parts of docs/PROTOCOL.md: its table of contents, and the endpoints, from the summaries, parameters and examples
// of proto/openapi.yaml.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
export const PROTOCOL_PATH = 'docs/PROTOCOL.md';
const COLUMNS_MAX = 150;
/** The statuses of every endpoint that asks for a key. Only a submission answers 503 in the place of 429. */
const COMMON = ['400', '401', '403', '404', '405', '413', '421', '429', '500', '503'];

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly type?: string | readonly string[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Body {
  readonly content?: { readonly 'application/json'?: Content };
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly example?: unknown;
}

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
  readonly 'x-crossbook-scope': string;
  readonly 'x-crossbook-bucket': string;
}

type Methods = Readonly<Record<string, Operation>>;

interface Document {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Methods>>;
}

export function makeProtocol(): string {
  const page = readFileSync(join(ROOT, PROTOCOL_PATH), 'utf8');
  const whole = withPart(page, 'endpoints', new Endpoints().text());
  return withPart(whole, 'contents', contentsOf(whole));
}

/** Returns `page` with another text between the two markers of a part. */
function withPart(page: string, name: string, text: string): string {
  const [opens, closes] = [`<!-- ${name}: made by npm run make:generated -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(opens), page.indexOf(closes)];
  if (from < 0 || to < from) throw new Error(`${PROTOCOL_PATH}: has no part ${name}`);
  return `${page.slice(0, from + opens.length)}\n${text}\n${page.slice(to)}`;
}

/** Returns a line for each chapter and each section. */
function contentsOf(page: string): string {
  const lines: string[] = [];
  for (const [, marks = '', title = ''] of page.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^(#{2,3}) (.+)$/gm)) {
    if (title === 'Contents') continue;
    lines.push(`${marks === '##' ? '' : '  '}- [${title}](#${anchorOf(title)})`);
  }
  return `${lines.join('\n')}\n`;
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

class Endpoints {
  readonly #document: Document = parse(readFileSync(join(ROOT, 'proto/openapi.yaml'), 'utf8'));
  /** The examples that were shown, each with its place. */
  readonly #shown = new Map<string, string>();

  text(): string {
    const sections = this.#document.tags.map(({ name }) => {
      const own = this.#operations().filter(({ operation }) => operation.tags[0] === name);
      return `### ${name}\n\n${own.map(it => this.#endpoint(it.title, it.operation)).join('\n')}`;
    });
    return sections.join('\n');
  }

  #operations() {
    return Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ title: `${method.toUpperCase()} ${path}`, operation })),
    );
  }

  #endpoint(title: string, operation: Operation): string {
    const { summary, requestBody, responses } = operation;
    const [status = '', answer = {}] = Object.entries(responses).find(([code]) => code < '400')!;
    const { example, schema } = this.#shownOf(this.#resolved(answer));
    const facts = [
      this.#queryOf(operation),
      this.#bodyOf(requestBody),
      this.#rowsOf(schema, example),
      this.#besides(schema, example),
    ];
    const lines = [[summary, ...facts, needsOf(operation)].filter(it => it !== '').join(' '), ''];
    if (status === '101') return `#### ${title}\n\n${lines.join('\n')}`;
    const text = JSON.stringify(example);
    const earlier = this.#shown.get(text);
    this.#shown.set(text, earlier ?? title);
    lines.push(`    ${this.#callOf(title, operation)}`);
    if (earlier === undefined) lines.push(...wrapped(`${status} ${text}`).map(line => `    ${line}`), '');
    else lines.push('', `It answers as [${earlier}](#${anchorOf(earlier)}).`, '');
    return `#### ${title}\n\n${lines.join('\n')}`;
  }

  #callOf(title: string, operation: Operation): string {
    const [method = '', path = ''] = title.split(' ');
    const query = this.#parameters(operation)
      .filter(it => it.in === 'query' && it.required === true)
      .map(({ name, example }) => `${name}=${example}`);
    const target = query.length === 0 ? path : `${path}?${query.join('&')}`;
    const { security } = operation;
    if (security?.length === 0) return `curl "$URL${target}"`;
    if (security?.some(it => 'apiKey' in it) === true) return `curl -H "x-api-key: $API_KEY" "$URL${target}"`;
    const body =
      operation.requestBody === undefined
        ? ''
        : JSON.stringify(this.#shownOf(this.#resolved(operation.requestBody)).example);
    const isKeyed = this.#parameters(operation).some(it => it.name === 'Idempotency-Key' && it.required === true);
    const quoted = body === '' ? (isKeyed ? " ''" : '') : ` '${body}'`;
    return `signed ${method} ${quotedTarget(target)}${quoted}${isKeyed ? ' "$(uuidgen)"' : ''}`;
  }

  #queryOf(operation: Operation): string {
    const names = this.#parameters(operation)
      .filter(it => it.in === 'query')
      .map(({ name, required }) => `\`${name}${required === true ? '' : '?'}\``);
    return names.length === 0 ? '' : `Query: ${names.join(', ')}.`;
  }

  #bodyOf(body: Body | undefined): string {
    if (body === undefined) return '';
    const { schema } = this.#shownOf(this.#resolved(body));
    const forms = this.#forms(schema).map(form => `\`{${membersOf(form).join(', ')}}\``);
    return `Body: ${forms.join(' or ')}.`;
  }

  /** Describes the rows of lists that are empty in the example. */
  #rowsOf(schema: Schema, example: unknown): string {
    const { properties = {} } = this.#forms(schema)[0] ?? {};
    const lists = Object.entries(example ?? {}).filter(([, value]) => Array.isArray(value) && value.length === 0);
    return lists
      .map(([name]) => this.#rowOf(name, properties[name]?.items))
      .filter(it => it !== '')
      .join(' ');
  }

  #rowOf(name: string, items: Schema = {}): string {
    const forms = this.#forms(items).filter(({ properties }) => properties !== undefined);
    const texts = new Set(forms.map(form => `\`{${membersOf(form).join(', ')}}\``));
    return texts.size === 0 ? '' : `Each of \`${name}\`: ${[...texts].join(' or ')}.`;
  }

  /** Describes the members of an answer that its example lacks. */
  #besides(schema: Schema, example: unknown): string {
    const lacking = [...new Set(this.#lacking(schema, example, ''))];
    return lacking.length === 0 ? '' : `Sometimes also: ${lacking.map(it => `\`${it}\``).join(', ')}.`;
  }

  #lacking(schema: Schema, value: unknown, path: string): string[] {
    if (Array.isArray(value)) {
      const { items } = this.#resolved(schema);
      const members = value.map(it => this.#lacking(items ?? {}, it, path));
      const [first = []] = members;
      return first.filter(name => members.every(it => it.includes(name)));
    }
    if (typeof value !== 'object' || value === null) return [];
    const form = this.#forms(schema).find(({ required = [] }) => required.every(name => name in value)) ?? {};
    return Object.entries(form.properties ?? {}).flatMap(([name, own]) => {
      const at = path === '' ? name : `${path}.${name}`;
      return name in value ? this.#lacking(own, (value as Readonly<Record<string, unknown>>)[name], at) : [at];
    });
  }

  #forms(schema: Schema): readonly Schema[] {
    const own = this.#resolved(schema);
    if (own.oneOf !== undefined) return own.oneOf.flatMap(it => this.#forms(it));
    const parts = (own.allOf ?? []).flatMap(it => this.#forms(it));
    if (parts.length === 0) return [own];
    const all = [...parts, own];
    const properties = Object.assign({}, ...all.map(it => it.properties)) as Record<string, Schema>;
    return [{ properties, required: all.flatMap(it => it.required ?? []) }];
  }

  #shownOf({ content }: Body): { readonly schema: Schema; readonly example: unknown } {
    const { schema = {}, example, examples } = content?.['application/json'] ?? {};
    return { schema, example: example ?? Object.values(examples ?? {})[0]?.value };
  }

  #parameters({ parameters = [] }: Operation): readonly Parameter[] {
    return parameters.map(it => this.#resolved(it));
  }

  #resolved<T extends object>(value: T): T {
    if (!('$ref' in value)) return value;
    const names = String(value.$ref).slice(2).split('/');
    return this.#resolved(
      names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], this.#document) as T,
    );
  }
}

function membersOf({ properties = {}, required = [] }: Schema): readonly string[] {
  return Object.keys(properties).map(name => (required.includes(name) ? name : `${name}?`));
}

/** Returns the scope, the limit, and the errors that not every endpoint has. */
function needsOf(operation: Operation): string {
  const { 'x-crossbook-scope': scope, 'x-crossbook-bucket': bucket, responses } = operation;
  const named = [scope, bucket].filter(it => it !== 'none').map(it => `\`${it}\``);
  const errors = Object.keys(responses).filter(code => code >= '400' && !COMMON.includes(code));
  const all = [...named, ...(errors.length === 0 ? [] : [`errors ${errors.join(', ')}`])];
  return all.length === 0 ? '' : `(${all.join('; ')})`;
}

function quotedTarget(target: string): string {
  return target.includes('?') ? `'${target}'` : target;
}

/** Breaks the text into lines of at most COLUMNS_MAX, after commas. */
function wrapped(text: string): readonly string[] {
  const lines = [''];
  for (const piece of text.split(/(?<=,)(?! )/)) {
    if (lines.at(-1)!.length + piece.length > COLUMNS_MAX) lines.push(' ');
    lines.push(lines.pop()! + piece);
  }
  return lines;
}
