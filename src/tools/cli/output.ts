// The output of commands for people and programs: tables, fields and JSON. Control characters are removed from strangers' texts.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { NOT_PLAIN } from '../../core/domain/plain-text.ts';

/** A table with columns of the least width. The last column may be of any length. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map(line => line.map(plain));
  const widths = head.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)));
  const text = (line: readonly string[]): string =>
    line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return lines.map(line => `${text(line).trimEnd()}\n`).join('');
}

/** The fields that are not null, as text with one line for each. */
export function fieldsText(fields: object): string {
  const known = Object.entries(fields).filter(([, value]) => value !== null);
  const width = Math.max(...known.map(([name]) => name.length));
  const text = (value: unknown): string => plain(typeof value === 'object' ? JSON.stringify(value) : String(value));
  return known.map(([name, value]) => `${name.padEnd(width)}  ${text(value)}\n`).join('');
}

/** The value as JSON. Fields whose names end in `At` are written as times in the form of the interface. */
export function jsonText(value: unknown): string {
  const shown = (name: string, it: unknown): unknown =>
    name.endsWith('At') && typeof it === 'number' ? timeText(it as UnixMillis) : it;
  return `${JSON.stringify(value, shown, 2)}\n`;
}

export function timeText(time: UnixMillis): string {
  return new Date(time).toISOString();
}

/** A time in the form of the interface, cut to seconds: `2026-11-21T03:30:00`. */
export function secondsOf(time: unknown): string {
  return String(time).slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
}

/** The text with a question mark in the place of each control character. */
export function plain(text: string): string {
  return text.replace(NOT_PLAIN, '?');
}
