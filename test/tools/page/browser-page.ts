// The web page in Debian's Chromium, with methods that read it for tests. Benchmarks and the program that makes its pictures use it, too.

import { type Browser, chromium, type Page } from 'playwright-core';
import type { Level } from '../../../src/core/domain/market.ts';
import { OwnProcess } from '../../support/child-process.ts';
import { PATIENCE_MS } from '../../support/eventually.ts';

const EXECUTABLE = '/usr/bin/chromium';

/** A ladder as the page shows it at one moment. */
export interface ShownLadder {
  readonly venue: string;
  readonly address: string;
  readonly isNo: boolean;
  readonly state: string;
  readonly epoch: number;
  readonly seq: number;
  /** The bids, best first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** Reads the ladders of all books that are shown, within one turn of the page's event loop. */
const READ_LADDERS = `[...document.querySelectorAll('.ladder')].flatMap(table => [...table.querySelectorAll('.book')].map((head, at) => {
  const rows = side => [...table.querySelectorAll('tr[data-price]')].flatMap(row => {
    const cell = row.querySelectorAll('.size')[at];
    return cell.classList.contains(side) ? [{ price: Number(row.dataset.price), size: Number(cell.dataset.size) }] : [];
  });
  const { venue, address, no, epoch, seq } = head.dataset;
  return { venue, address, isNo: no === 'true', state: head.querySelector('.word').textContent, epoch: Number(epoch), seq: Number(seq),
    bids: rows('bid'), asks: rows('ask').reverse() };
}))`;

export class BrowserPage {
  readonly page: Page;
  /** The errors that the page reported; there must be none. */
  readonly complaints: string[] = [];
  readonly #browser: Browser;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.page = page;
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', error => void this.complaints.push(String(error)));
    page.on('console', message => {
      // Chromium reports each refused request, which the page itself must handle.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        this.complaints.push(message.text());
      }
    });
  }

  static async start(viewport = { width: 1_400, height: 1_000 }): Promise<BrowserPage> {
    const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', '--disable-gpu'] });
    return new BrowserPage(browser, await browser.newPage({ viewport }));
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url);
  }

  /** Opens the page for the first time, with a key that is registered as the page says. */
  async openRegistered(url: string, dataDir: string): Promise<void> {
    const { page } = this;
    await this.open(url);
    const [, publicKey] = /--public-key (\w+)/.exec((await page.locator('#command').textContent())!)!;
    const scopes = ['--scopes', 'read,observe,cancel'];
    const args = ['keys', 'register', '--actor', 'demo', ...scopes, '--public-key', publicKey!, '--data-dir', dataDir];
    const [keyId] = await new OwnProcess(['src/tools/cli/crossbook.ts', ...args]).said(/key_\w+/);
    await page.getByLabel('key id').fill(keyId);
    await page.keyboard.press('Enter');
    await page.locator('.book.LIVE').first().waitFor();
  }

  ladders(): Promise<readonly ShownLadder[]> {
    return this.page.evaluate<readonly ShownLadder[]>(READ_LADDERS);
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}
