// The forms of records. A record's fields are written down once, and give its encoder, its decoder and its type. A form is a piece of
// JavaScript. `compile` joins the pieces to one flat function each way, which is as fast as a function written by hand. Pure.

import type { OrderId } from '../../domain/order.ts';
import { AssertionFailure, assert } from '../../domain/result.ts';
import { type ByteReader, type ByteWriter, RecordFault } from './bytes.ts';

/** Makes a value known to the compiled code, and returns the name of the value in this code. */
type Bind = (value: unknown) => string;

export interface Form<T> {
  /** Returns statements that write the value of an expression to `to`. The statements may evaluate the expression more than once. */
  writing(value: string, bind: Bind): string;
  /** Returns an expression that reads a value from `from`. */
  reading(bind: Bind): string;
  /** This member exists only for its type. */
  readonly of?: (value: T) => T;
}

export interface Coder<T> {
  write(to: ByteWriter, value: T): void;
  /** Throws a RecordFault if the bytes are not in this form. */
  read(from: ByteReader): T;
}

export function compile<T>(form: Form<T>): Coder<T> {
  const bound: unknown[] = [];
  const bind = (value: unknown) => `bound${bound.push(value) - 1}`;
  const [writing, reading] = [form.writing('value', bind), form.reading(bind)];
  const body = `return { write(to, value) { ${writing} }, read(from) { return ${reading}; } };`;
  return new Function(...bound.map((_, index) => `bound${index}`), body)(...bound);
}

function method<T>(writes: keyof ByteWriter, reads: keyof ByteReader = writes as keyof ByteReader): Form<T> {
  return { writing: value => `to.${writes}(${value});`, reading: () => `from.${reads}()` };
}

/** The form of a whole number from 0 to 2^53 − 1. */
export const count = <T extends number>(): Form<T> => ({
  // Most numbers have one byte.
  writing: value =>
    `if ((${value} & 0x7f) === ${value} && to.end < to.bytes.length) to.bytes[to.end++] = ${value}; else to.count(${value});`,
  reading: () => '(from.bytes[from.at] < 0x80 ? from.bytes[from.at++] : from.count())',
});
/** The form of a signed whole number. */
export const integer = <T extends number>(): Form<T> => ({
  ...method('integer'),
  // Most numbers are from 0 to 127.
  writing: value =>
    `if ((${value} & 0x7f) === ${value} && to.bytes.length - to.end >= 2) { to.bytes[to.end++] = 0; to.bytes[to.end++] = ${value}; } else to.integer(${value});`,
});
/** The form of a time in milliseconds since 1970. */
export const time = <T extends number>(): Form<T> => ({
  writing: value =>
    `if (to.bytes.length - to.end >= 6) to.end = to.bytes.writeUIntBE(${value}, to.end, 6); else to.time(${value});`,
  reading: () => '(from.bytes.length - from.at >= 6 ? from.bytes.readUIntBE((from.at += 6) - 6, 6) : from.time())',
});
export const bigInteger: Form<bigint> = {
  // Most numbers are 0.
  writing: value =>
    `if (${value} === 0n && to.end < to.bytes.length) to.bytes[to.end++] = 0; else to.bigInteger(${value});`,
  reading: () => '(from.bytes[from.at] === 0 ? (from.at++, 0n) : from.bigInteger())',
};
export const orderId: Form<OrderId> = method('orderId');
export const text: Form<string> = method('text');
/** The form of a text that many records share, such as an actor or a market. */
export const name: Form<string> = method('text', 'name');
export const bytes: Form<Uint8Array> = method('sized');
/**
 * Returns statements that write one byte. A third of the parts of a record are single bytes, so the statements call no method unless the
 * buffer is full.
 */
const writeByte = (byte: string): string =>
  `if (to.end < to.bytes.length) to.bytes[to.end++] = ${byte}; else to.byte(${byte});`;
const READ_FLAG = '(from.bytes[from.at] <= 1 ? from.bytes[from.at++] === 1 : from.flag())';
export const flag: Form<boolean> = {
  writing: value => writeByte(`${value} ? 1 : 0`),
  reading: () => READ_FLAG,
};

/** The form of `length` bytes, as hex digits in lower case. */
export function hex(length: number): Form<string> {
  const refuse = (): never => {
    throw new AssertionFailure('a text of hex digits has the length of its form');
  };
  return {
    writing: (value, bind) => `if (${value}.length !== ${2 * length}) ${bind(refuse)}(); to.hex(${value});`,
    reading: () => `from.hex(${length})`,
  };
}

/** The form of a value without bytes: the form of the record implies the value. */
export function always<const T extends string>(value: T): Form<T> {
  return { writing: () => '', reading: () => JSON.stringify(value) };
}

/** The form of a value that may be null: a byte says whether a value follows. */
export function optional<T>(form: Form<T>): Form<T | null> {
  return {
    writing: (value, bind) =>
      `if (${value} === null) { ${writeByte('0')} } else { ${writeByte('1')} ${form.writing(value, bind)} }`,
    reading: bind => `(${READ_FLAG} ? ${form.reading(bind)} : null)`,
  };
}

export type Fields<T> = { readonly [Name in keyof T]-?: Form<T[Name]> };

/**
 * The form of an object. The bytes have the sequence of the fields in `forms`: the fields of a literal are evaluated from first to last.
 */
export function fields<T extends object>(forms: Fields<T>): Form<T> {
  const entries = Object.entries<Form<unknown>>(forms as Readonly<Record<string, Form<unknown>>>);
  return {
    writing: (value, bind) => entries.map(([field, form]) => form.writing(`${value}.${field}`, bind)).join('\n'),
    reading: bind => `{ ${entries.map(([field, form]) => `${field}: ${form.reading(bind)}`).join(', ')} }`,
  };
}

/**
 * The form of an object whose fields mostly have the value in `usual`. For each field of `usual`, a bit says whether another value is
 * stored.
 */
export function sparse<T extends object>(forms: Fields<T>, usual: Partial<T>): Form<T> {
  const entries = Object.entries<Form<unknown>>(forms as Readonly<Record<string, Form<unknown>>>);
  const usuals = Object.entries<unknown>(usual);
  const bits = new Map(usuals.map(([field], index) => [field, 2 ** index]));
  /**
   * The bits of the record that is being read. One object is enough, because a form is in no part of itself. A function would be made anew
   * for each record.
   */
  const reads = {
    has: 0,
    begin(has: number): void {
      if (has >= 2 ** usuals.length) throw new RecordFault(`the fields ${has} are not known`);
      this.has = has;
    },
  };
  return {
    writing: (value, bind) => {
      const has = usuals.map(([field, it]) => `(${value}.${field} === ${bind(it)} ? 0 : ${bits.get(field)})`);
      const parts = entries.map(([field, form]) => {
        const part = form.writing(`${value}.${field}`, bind);
        return bits.has(field) ? `if ((has & ${bits.get(field)}) !== 0) { ${part} }` : part;
      });
      return `{ const has = ${has.join(' | ')}; to.count(has); ${parts.join('\n')} }`;
    },
    reading: bind => {
      const bound = bind(reads);
      const parts = entries.map(([field, form]) => {
        const part = form.reading(bind);
        const bit = bits.get(field);
        if (bit === undefined) return `${field}: ${part}`;
        return `${field}: (${bound}.has & ${bit}) !== 0 ? ${part} : ${bind((usual as Record<string, unknown>)[field])}`;
      });
      return `(${bound}.begin(from.count()), { ${parts.join(', ')} })`;
    },
  };
}

/** The form of a value that is stored as another value. `from` may throw a RecordFault. */
export function storedAs<T, Stored>(
  form: Form<Stored>,
  { to, from }: { readonly to: (value: T) => Stored; readonly from: (stored: Stored) => T },
): Form<T> {
  return {
    writing: (value, bind) => {
      const convert = bind(to);
      return `{ const of_${convert} = ${convert}(${value}); ${form.writing(`of_${convert}`, bind)} }`;
    },
    reading: bind => `${bind(from)}(${form.reading(bind)})`,
  };
}

/** Words and their numbers in records. A number never changes: a new word gets a new number. */
interface Words<Word extends string> extends Form<Word> {
  readonly codes: Readonly<Record<Word, number>>;
  read(from: ByteReader): Word;
}

/** The form of a word. Numbers run from 0 without a gap; the compiler ensures that no word is missing. */
export function words<Word extends string>(what: string, codes: Readonly<Record<Word, number>>): Words<Word> {
  const byCode: Word[] = [];
  for (const word of Object.keys(codes) as Word[]) byCode[codes[word]] = word;
  assert(byCode.length === Object.keys(codes).length, 'each word has a number of its own');
  const read = (from: ByteReader): Word => {
    const code = from.byte();
    const word = byCode[code];
    if (word === undefined) throw new RecordFault(`${what} ${code} is not known`);
    return word;
  };
  return {
    codes,
    read,
    writing: (value, bind) => writeByte(`${bind(codes)}[${value}]`),
    reading: bind => {
      const [words, reads] = [bind(byCode), bind(read)];
      return `(${words}[from.bytes[from.at]] !== undefined ? ${words}[from.bytes[from.at++]] : ${reads}(from))`;
    },
  };
}

type Variants<T> = { readonly [Name in keyof T]: readonly [code: number, form: Form<T[Name]>] };

/** The form of a value that has one of several forms. The number of the form's name comes first. */
export function oneOf<T extends object>(
  what: string,
  nameOf: (value: T[keyof T]) => keyof T & string,
  variants: Variants<T>,
): Form<T[keyof T]> {
  type Name = keyof T & string;
  const names = Object.keys(variants) as Name[];
  const codes = Object.fromEntries(names.map(it => [it, variants[it][0]])) as Record<Name, number>;
  const coders = Object.fromEntries(names.map(it => [it, compile(variants[it][1])])) as Record<Name, Coder<T[keyof T]>>;
  const numbers = words<Name>(what, codes);
  const byCode = names.reduce<Coder<T[keyof T]>[]>((all, it) => Object.assign(all, { [codes[it]]: coders[it] }), []);
  const write = (to: ByteWriter, value: T[keyof T]) => {
    const variant = nameOf(value);
    if (to.end < to.bytes.length) to.bytes[to.end++] = codes[variant];
    else to.byte(codes[variant]);
    coders[variant].write(to, value);
  };
  const read = (from: ByteReader) => {
    const coder = byCode[from.bytes[from.at]!];
    if (coder === undefined) return coders[numbers.read(from)].read(from);
    from.at += 1;
    return coder.read(from);
  };
  return { writing: (value, bind) => `${bind(write)}(to, ${value});`, reading: bind => `${bind(read)}(from)` };
}
