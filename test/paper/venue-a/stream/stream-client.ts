// A client of venue A's streams that remembers each message that it received and can be waited on.

import { textOf } from '../../../../src/core/domain/json.ts';
import { type Frame, TestClient } from '../../stream-client.ts';

export class StreamClient extends TestClient {
  static async connect(url: string): Promise<StreamClient> {
    const client = new StreamClient(url);
    await client.until(() => client.isOpen || client.closed !== null);
    if (!client.isOpen) throw new Error(`refused: ${client.closed}`);
    return client;
  }

  /** The messages. The messages of an array count one by one. */
  get events(): Frame[] {
    return this.frames().flatMap(frame => (Array.isArray(frame) ? (frame as Frame[]) : [frame]));
  }

  get types(): string[] {
    return this.events.map(event => textOf(event.event_type));
  }

  ofEvent(type: string): Frame[] {
    return this.events.filter(event => event.event_type === type);
  }

  /** Resolves when the server has handled all earlier messages, and all their effects have arrived. */
  async settle(): Promise<void> {
    const heard = this.pongs;
    this.send('PING');
    await this.until(() => this.pongs > heard || this.closed !== null);
  }

  /** Resolves with the way in which the connection ended. */
  async end(): Promise<string> {
    await this.until(() => this.closed !== null);
    return this.closed ?? '';
  }

  get pongs(): number {
    return this.texts.filter(text => text === 'PONG').length;
  }
}
