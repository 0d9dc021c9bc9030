// The wire between the gateway and one listener of the paper exchanges. Bytes pass unchanged until the wire is cut or goes silent.

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

  /** Cuts the wire: all bytes on their way are lost, and new connections are refused. */
  cut(): void {
    this.#server?.close();
    this.#server = null;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Lets new connections through again. */
  async mend(): Promise<void> {
    if (this.#server !== null) return;
    this.#server = createServer(near => this.#join(near)).listen(this.port, HOST);
    await once(this.#server, 'listening');
  }

  /** Silences the wire until `speak`: it accepts all bytes and delivers none, in either direction. */
  hush(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Delivers the bytes that were held back. */
  speak(): void {
    this.#isSilent = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #join(near: Socket): void {
    const far = connect(this.#farPort, HOST);
    this.#pass(near, far);
    this.#pass(far, near);
  }

  /** This does not use `pipe`, which would start to flow again by itself. */
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
