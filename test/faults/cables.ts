// The wires from a gateway to both venues, and the addresses at which it finds them there.

import type { Venue } from '../../src/core/domain/market.ts';
import type { PaperProcess } from '../soak/paper-process.ts';
import { Cable } from './cable.ts';

type Urls = PaperProcess['urls'];

export class Cables {
  /** The addresses, in the form in which the paper exchanges report theirs. */
  readonly urls: Urls;
  readonly #cables: Readonly<Record<Venue, readonly Cable[]>>;

  private constructor(urls: Urls, cables: Readonly<Record<Venue, readonly Cable[]>>) {
    this.urls = urls;
    this.#cables = cables;
  }

  static async lay(urls: Urls): Promise<Cables> {
    const cables = { venue_a: [] as Cable[], venue_b: [] as Cable[] };
    const ofPort = new Map<string, Cable>();
    const laid: [string, string][] = [];
    for (const [name, url] of Object.entries(urls)) {
      const { port } = new URL(url);
      const cable = ofPort.get(port) ?? (await Cable.lay(Number(port)));
      if (!ofPort.has(port)) cables[name.startsWith('venue_a') ? 'venue_a' : 'venue_b'].push(cable);
      ofPort.set(port, cable);
      laid.push([name, url.replace(`:${port}`, `:${cable.port}`)]);
    }
    return new Cables(Object.fromEntries(laid) as Urls, cables);
  }

  cut(venue: Venue): void {
    for (const cable of this.#cables[venue]) cable.cut();
  }

  async mend(venue: Venue): Promise<void> {
    for (const cable of this.#cables[venue]) await cable.mend();
  }

  hush(venue: Venue): void {
    for (const cable of this.#cables[venue]) cable.hush();
  }

  speak(venue: Venue): void {
    for (const cable of this.#cables[venue]) cable.speak();
  }

  close(): void {
    this.cut('venue_a');
    this.cut('venue_b');
  }
}
