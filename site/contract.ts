// Writes a contract, OpenAPI or AsyncAPI, as one document in Markdown: each operation or message with its fields, then the schemas.

import { parse } from 'yaml';
import { anchorOf } from './markdown.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Part {
  readonly $ref?: string;
  readonly summary?: string;
  readonly description?: string;
}
interface Parameter extends Part {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Body extends Part {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Operation extends Part {
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
  readonly 'x-crossbook-scope': string;
  readonly 'x-crossbook-bucket': string;
}
interface Message extends Part {
  readonly payload: Schema;
  readonly examples?: readonly { readonly name: string; readonly payload: unknown }[];
}
interface Channel extends Part {
  readonly address: string;
  readonly title: string;
  readonly messages: Readonly<Record<string, Message>>;
}
interface Contract {
  readonly info: Part;
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly channels?: Readonly<Record<string, Channel>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export function contractAsMarkdown(yaml: string): string {
  return new ContractText(parse(yaml)).text();
}

class ContractText {
  readonly #contract: Contract;
  /** Schemas that a message has shown already, by their names. */
  readonly #anchors = new Map<string, string>();

  constructor(contract: Contract) {
    this.#contract = contract;
    for (const [name, message] of this.#messages()) this.#anchors.set(schemaName(message.payload), anchorOf(name));
  }

  text(): string {
    const { info, tags = [], channels = {}, components } = this.#contract;
    const title = this.#contract.paths === undefined ? '# AsyncAPI' : '# OpenAPI';
    const schemas = Object.entries(components.schemas).filter(([name]) => !this.#anchors.has(name));
    return [
      `${title}\n\n${info.summary ?? ''}\n\n${info.description}`,
      ...tags.map(({ name, description = '' }) => `## ${name}\n\n${description}\n\n${this.#operationsOf(name)}`),
      ...Object.values(channels).map(it => `## ${it.title}\n\nWebSocket at \`${it.address}\`.\n\n${it.description}`),
      ...(tags.length > 0 ? [] : ['## Messages', ...this.#messages().map(([name, it]) => this.#message(name, it))]),
      '## Schemas',
      ...schemas.map(([name, schema]) => `### ${name}\n\n${this.#schema(schema)}`),
    ].join('\n\n');
  }

  #messages(): readonly (readonly [string, Message])[] {
    const channels = Object.values(this.#contract.channels ?? {});
    const all = channels.flatMap(({ messages }) => Object.entries(messages));
    return [...new Map(all.map(([name, it]) => [name, this.#resolved(this.#resolved(it))]))];
  }

  #message(name: string, { summary = '', description = '', payload, examples = [] }: Message): string {
    const shown = examples.map(it => `\`\`\`json\n${JSON.stringify(it.payload)}\n\`\`\``);
    return [`### ${name}`, summary, description, this.#schema(this.#resolved(payload)), ...shown].join('\n\n');
  }

  #operationsOf(tag: string): string {
    const all = Object.entries(this.#contract.paths ?? {}).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ title: `${method.toUpperCase()} ${path}`, operation })),
    );
    const own = all.filter(({ operation }) => operation.tags[0] === tag);
    return own.map(({ title, operation }) => this.#operation(title, operation)).join('\n\n');
  }

  #operation(title: string, operation: Operation): string {
    const { summary = '', description = '', parameters = [], requestBody, responses } = operation;
    const rows = parameters.map(it => this.#resolved(it)).map(it => this.#parameter(it));
    const answers = Object.entries(responses).map(([status, it]) => [status, ...this.#body(it)]);
    return [
      `### ${title}`,
      summary,
      description,
      `Scope: ${code(operation['x-crossbook-scope'])}. Limit: ${code(operation['x-crossbook-bucket'])}.`,
      rows.length === 0 ? '' : table(['parameter', 'type', 'meaning'], rows),
      requestBody === undefined ? '' : `Body: ${this.#body(requestBody)[0]}.`,
      table(['status', 'body', 'meaning'], answers),
    ].join('\n\n');
  }

  #parameter({ name, in: place, required, schema, description = '' }: Parameter): readonly string[] {
    return [
      `\`${name}\`${required === true ? '' : '?'} (${place})`,
      this.#type(schema),
      description || this.#meaning(schema),
    ];
  }

  #body(body: Body): readonly [type: string, meaning: string] {
    const { content = {}, description = '' } = this.#resolved(body);
    const [first] = Object.values(content);
    return [first === undefined ? '' : this.#type(first.schema), description];
  }

  #schema(schema: Schema): string {
    const rows = this.#rows(schema, '');
    const type = this.#type(schema);
    const parts = [schema.description ?? '', type === 'object' && rows.length > 0 ? '' : `${type}`];
    if (rows.length > 0) parts.push(table(['field', 'type', 'meaning'], rows));
    return parts.filter(it => it !== '').join('\n\n');
  }

  /** The fields of an object, and those of objects within it behind a dot. */
  #rows(schema: Schema, before: string): readonly (readonly string[])[] {
    const { properties = {}, required = [], items, allOf = [], anyOf = [], oneOf = [] } = schema;
    const inner = [...allOf, ...anyOf, ...oneOf, ...(items === undefined ? [] : [items])];
    const own = Object.entries(properties).flatMap(([name, it]) => [
      [`\`${before}${name}\`${required.includes(name) ? '' : '?'}`, this.#type(it), this.#meaning(it)],
      ...this.#rows(it, `${before}${name}.`),
    ]);
    const rows = [...own, ...inner.flatMap(it => this.#rows(it, before))];
    return [...new Map(rows.map(row => [row.join(), row])).values()];
  }

  #meaning(schema: Schema): string {
    return schema.description ?? this.#resolved(schema).description ?? '';
  }

  #type(schema: Schema): string {
    if (schema.$ref !== undefined) {
      const name = schemaName(schema);
      return `[${name}](#${this.#anchors.get(name) ?? anchorOf(name)})`;
    }
    const { items, allOf = [], anyOf, oneOf } = schema;
    if (schema.const !== undefined) return code(schema.const);
    if (schema.enum !== undefined) return schema.enum.map(code).join(' or ');
    const forms = oneOf ?? anyOf?.filter(it => it.required === undefined || it.properties !== undefined) ?? [];
    if (forms.length > 0) return [...new Set(forms.map(it => this.#type(it)))].join(' or ');
    const named = allOf.filter(it => it.$ref !== undefined || it.type !== undefined);
    if (named.length > 0) return [...new Set(named.map(it => this.#type(it)))].join(' and ');
    if (items !== undefined) return `list of ${this.#type(items)}${boundsOf(schema)}`;
    return `${[schema.type ?? 'object'].flat().join(' or ')}${boundsOf(schema)}`;
  }

  #resolved<T extends { readonly $ref?: string }>(value: T): T {
    if (value.$ref === undefined) return value;
    const names = value.$ref.slice(2).split('/');
    return names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], this.#contract) as T;
  }
}

function schemaName({ $ref = '' }: Schema): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function boundsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const [least, most] = [minimum ?? minLength ?? minItems, maximum ?? maxLength ?? maxItems];
  const unit = minLength !== undefined || maxLength !== undefined ? ' characters' : '';
  const range = [least === undefined ? '' : `from ${least}`, most === undefined ? '' : `to ${most}`].filter(Boolean);
  const bounds = [range.length === 0 ? '' : `${range.join(' ')}${unit}`, pattern === undefined ? '' : code(pattern)];
  return bounds.some(Boolean) ? ` (${bounds.filter(Boolean).join(', ')})` : '';
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map(it => it.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
