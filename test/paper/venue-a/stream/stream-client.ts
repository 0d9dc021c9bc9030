// A client of venue A's streams: remembers what it heard, message by message, and can be waited on.

import { textOf } from '../../../../src/core/domain/json.ts';
import { type Frame, TestClient } from '../../stream-client.ts';

export class StreamClient extends TestClient {
  static async connect(url: string): Promise<StreamClient> {
    const client = new StreamClient(url);
    await client.until(() => client.isOpen || client.closed !== null);
    if (!client.isOpen) throw new Error(`refused: ${client.closed}`);
    return client;
  }

  /** Every message, those of an array one by one. */
  get events(): Frame[] {
    return this.frames().flatMap(frame => (Array.isArray(frame) ? (frame as Frame[]) : [frame]));
  }

  get types(): string[] {
    return this.events.map(event => textOf(event.event_type));
  }

  ofEvent(type: string): Frame[] {
    return this.events.filter(event => event.event_type === type);
  }

  /** Resolves when the server has handled all earlier messages, and all their effects have come. */
  async settle(): Promise<void> {
    const heard = this.pongs;
    this.send('PING');
    await this.until(() => this.pongs > heard || this.closed !== null);
  }

  /** Resolves with how the connection ended. */
  async end(): Promise<string> {
    await this.until(() => this.closed !== null);
    return this.closed ?? '';
  }

  get pongs(): number {
    return this.texts.filter(text => text === 'PONG').length;
  }
}
