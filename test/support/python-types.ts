// Python types of the contract's schemas: TypedDicts and aliases, each after the types that it is made of. This file is a part of
// make-python-client.ts.

import { nameOf, type Schema } from './make-api-types.ts';

export const LINE_CHARACTERS_MAX = 118;
/** Schemas for which a client may also give an exact number. */
const DECIMAL_INPUTS = ['PriceInput', 'QuantityInput'];
const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'Number',
  boolean: 'bool',
  null: 'None',
};

export class PythonTypes {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #definitions = new Map<string, string>();

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
  }

  get text(): string {
    return [...this.#definitions.values()]
      .join('')
      .replace(/\n{3,}/g, '\n\n\n')
      .trimEnd()
      .concat('\n');
  }

  /** Defines a schema by its name. */
  add(name: string): void {
    this.#define(name, this.#schemaOf(name));
  }

  /** Returns the names of the fields of an object. */
  fieldsOf(name: string): string[] {
    return Object.keys(this.#schemaOf(name).properties as object);
  }

  /**
   * Returns the type of a value. `prefix` stands before names of the generated module; `name` is the name for an object that has no name of
   * its own.
   */
  typeOf(schema: Schema, prefix = '', name = ''): string {
    const { $ref, allOf, anyOf, oneOf, type } = schema;
    if (typeof $ref === 'string') return this.#named(nameOf($ref), prefix);
    if (Array.isArray(allOf)) return this.typeOf(allOf[0], prefix, name);
    const choices = (anyOf ?? oneOf) as readonly Schema[] | undefined;
    if (choices !== undefined) return union(choices.map(it => this.typeOf(it, prefix, venueOf(it) + name)));
    const literals = ((schema.enum as unknown[]) ?? ('const' in schema ? [schema.const] : [])).filter(
      it => it !== null,
    );
    const types = [type].flat() as string[];
    const isNullable = types.includes('null') && types.length > 1;
    if (literals.length > 0) return `Literal[${literals.map(literal).join(', ')}]${isNullable ? ' | None' : ''}`;
    return union(types.map(it => this.#plain(it, schema, prefix, name)));
  }

  #plain(type: string, schema: Schema, prefix: string, name: string): string {
    if (type === 'array') return this.#list(schema.items as Schema | readonly Schema[], prefix, name);
    if (type !== 'object') return PLAIN[type]!;
    if (schema.properties === undefined) return 'dict[str, Any]';
    this.#define(name, schema);
    return prefix + name;
  }

  /** Returns the type of a list. The parts of a tuple are all text, or have different types. */
  #list(items: Schema | readonly Schema[], prefix: string, name: string): string {
    if (!isTuple(items)) return `list[${this.typeOf(items, prefix, `${name}Item`)}]`;
    const isText = items.every(it => /^(str|Literal\[.*\])$/.test(this.typeOf(it, prefix)));
    return isText ? 'list[str]' : 'list[Any]';
  }

  /** Returns the name of a schema. Schemas of text and numbers stand inline, because a name would say no more than the field's name. */
  #named(name: string, prefix: string): string {
    if (DECIMAL_INPUTS.includes(name)) return `${prefix}DecimalInput`;
    const schema = this.#schemaOf(name);
    if (!isDefined(schema)) return this.typeOf(schema, prefix);
    this.#define(name, schema);
    return prefix + name;
  }

  #define(name: string, schema: Schema): void {
    if (this.#definitions.has(name)) return;
    const about = typeof schema.description === 'string' ? schema.description : '';
    if (schema.properties === undefined) {
      const outer = schema.required ?? [];
      const branches = (schema.oneOf as readonly Schema[] | undefined)?.map(it =>
        it.properties === undefined ? it : { ...it, required: it.required ?? outer },
      );
      const type = this.typeOf(branches === undefined ? schema : { oneOf: branches }, '', name);
      this.#definitions.set(name, `${comment(about, '')}${name}: TypeAlias = ${broken(type)}\n`);
      return;
    }
    const required = (schema.required ?? []) as readonly string[];
    const fields = Object.entries(schema.properties as Record<string, Schema>).map(([field, it]) => {
      const type = this.typeOf(it, '', name + capital(field));
      const text = typeof it.description === 'string' ? it.description : '';
      return `${comment(text, '    ')}    ${field}: ${required.includes(field) ? type : `NotRequired[${type}]`}\n`;
    });
    const docstring = about === '' ? '' : `${docstringOf(about)}\n`;
    this.#definitions.set(name, `\n\nclass ${name}(TypedDict):\n${docstring}${fields.join('')}\n\n`);
  }

  #schemaOf(name: string): Schema {
    const schema = this.#schemas[name];
    if (schema === undefined) throw new Error(`no schema ${name}`);
    return schema;
  }
}

function isTuple(items: Schema | readonly Schema[]): items is readonly Schema[] {
  return Array.isArray(items);
}

function isDefined(schema: Schema): boolean {
  return schema.properties !== undefined || schema.oneOf !== undefined || schema.enum !== undefined;
}

/** Returns the venue of an object that its venue distinguishes, such as `VenueA`. */
function venueOf({ properties }: Schema): string {
  const venue = (properties as Record<string, Schema> | undefined)?.venue?.const;
  return typeof venue === 'string' ? venue.split('_').map(capital).join('') : '';
}

function literal(value: unknown): string {
  return JSON.stringify(value);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].sort((a, b) => Number(a === 'None') - Number(b === 'None')).join(' | ');
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function broken(type: string): string {
  return type.length < LINE_CHARACTERS_MAX - 20
    ? type
    : type.replace(/\[(.*)\]/, (_, list) => `[\n    ${list.replaceAll(', ', ',\n    ')},\n]`);
}

function comment(text: string, indent: string): string {
  if (text === '') return '';
  const lines = wrapped(text, LINE_CHARACTERS_MAX - indent.length - 3);
  return lines.map((line, at) => `${indent}#${at === 0 ? ':' : ' '} ${line}\n`).join('');
}

function docstringOf(text: string): string {
  const [first = '', ...rest] = wrapped(text, LINE_CHARACTERS_MAX - 10);
  if (rest.length === 0) return `    """${first}"""\n`;
  return `    """${[first, ...rest].join('\n    ')}\n    """\n`;
}

function wrapped(text: string, charactersMax: number): string[] {
  const lines: string[] = [];
  for (const word of text.replaceAll('\\', '').split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > charactersMax) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
