// A table that can be sorted by its columns, and filtered by words. The order and the words stay as long as the page is open. Browser.

import type { Desk } from './desk.ts';
import { html, signal } from './view.ts';

interface Column<Row> {
  readonly name: string;
  readonly isNumber?: boolean;
  readonly sortedBy: (row: Row, desk: Desk) => string | number;
  /** The content of the cell. If absent, the cell shows the value by which the column is sorted. */
  readonly shows?: (row: Row, desk: Desk) => unknown;
}

interface TableParts<Row> {
  /** The name of the rows, for people. */
  readonly of: string;
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  /** The text for an empty table: the next step for the reader. */
  readonly empty: string;
}

interface Shown<Row> {
  readonly desk: Desk;
  readonly rows: readonly Row[];
}

export class Table<Row> {
  readonly #parts: TableParts<Row>;
  readonly #words = signal('');
  /** The order of the rows. Null means their original sequence. */
  readonly #order = signal<{ readonly column: Column<Row>; readonly isDown: boolean } | null>(null);

  constructor(parts: TableParts<Row>) {
    this.#parts = parts;
  }

  /** The field with the words of the filter. A row is shown if it has all of them. */
  readonly filter = () =>
    html`<input class="filter" type="search" aria-label=${`filter ${this.#parts.of}`} placeholder="filter" value=${this.#words.value}
      onInput=${(event: InputEvent) => {
        this.#words.value = (event.currentTarget as HTMLInputElement).value;
      }} />`;

  readonly view = (shown: Shown<Row>) => {
    const { of, keyOf, columns, empty } = this.#parts;
    const { desk } = shown;
    const rows = this.#arranged(shown);
    if (rows.length === 0) {
      const words = shown.rows.length === 0 ? empty : `None of ${shown.rows.length} has all the words of the filter.`;
      return html`<p class="empty">${words}</p>`;
    }
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${`table of ${of}`}><table class="rows cards">
      <thead><tr>${columns.map(column => this.#head(column))}</tr></thead>
      <tbody>${rows.map(
        row =>
          html`<tr key=${keyOf(row)} data-key=${keyOf(row)}>${columns.map(
            column =>
              html`<td class=${column.isNumber === true ? 'number' : ''} data-name=${column.name}>${(column.shows ?? column.sortedBy)(row, desk)}</td>`,
          )}</tr>`,
      )}</tbody>
    </table></div>`;
  };

  #head(column: Column<Row>) {
    const { name, isNumber } = column;
    if (name === '') return html`<td class="head"></td>`;
    const order = this.#order.value;
    const isOrder = order?.column === column;
    const press = (): void => {
      // The third press on a heading restores the original sequence.
      if (!isOrder) this.#order.value = { column, isDown: false };
      else this.#order.value = order.isDown ? null : { column, isDown: true };
    };
    const sort = isOrder ? (order.isDown ? 'descending' : 'ascending') : 'none';
    return html`<th class=${isNumber === true ? 'head number' : 'head'} aria-sort=${sort}><button class="sort" onClick=${press}>${name}${
      isOrder ? html`<span aria-hidden="true">${order.isDown ? ' ▾' : ' ▴'}</span>` : null
    }</button></th>`;
  }

  #arranged({ desk, rows }: Shown<Row>): readonly Row[] {
    const words = this.#words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const order = this.#order.value;
    const textOf = (row: Row): string =>
      this.#parts.columns.map(({ sortedBy }) => String(sortedBy(row, desk)).toLowerCase()).join(' ');
    const left = words.length === 0 ? rows : rows.filter(row => words.every(word => textOf(row).includes(word)));
    if (order === null) return left;
    const { column, isDown } = order;
    const sorted = left.toSorted((one, other) => compared(column.sortedBy(one, desk), column.sortedBy(other, desk)));
    return isDown ? sorted.toReversed() : sorted;
  }
}

function compared(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other), 'en');
}
