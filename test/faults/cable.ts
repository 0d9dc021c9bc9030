// The wire between the gateway and one listener of the paper exchanges: bytes pass unchanged, until it is cut or goes silent.

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { steadyPort } from '../soak/steady-port.ts';

const HOST = '127.0.0.1';

export class Cable {
  readonly port: number;
  readonly #farPort: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #isSilent = false;

  private constructor(port: number, farPort: number) {
    this.port = port;
    this.#farPort = farPort;
  }

  static async lay(farPort: number): Promise<Cable> {
    const cable = new Cable(await steadyPort(), farPort);
    await cable.mend();
    return cable;
  }

  /** All that is under way is lost, and new connections are refused. */
  cut(): void {
    this.#server?.close();
    this.#server = null;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** New connections get through again. */
  async mend(): Promise<void> {
    if (this.#server !== null) return;
    this.#server = createServer(near => this.#join(near)).listen(this.port, HOST);
    await once(this.#server, 'listening');
  }

  /** Everything is taken and nothing arrives, in either direction, until `speak`. */
  hush(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Delivers what was held back. */
  speak(): void {
    this.#isSilent = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #join(near: Socket): void {
    const far = connect(this.#farPort, HOST);
    this.#pass(near, far);
    this.#pass(far, near);
  }

  /** Not `pipe`, which would begin to flow by itself again. */
  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    from.on('data', bytes => to.write(bytes));
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    if (this.#isSilent) from.pause();
  }
}
