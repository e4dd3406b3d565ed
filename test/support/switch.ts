import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** One address in front of several servers, as a virtual address or a proxy of a cluster gives it. */
export class Switch {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #port: number;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    server.on('connection', (near) => {
      this.#join(near);
    });
  }

  /** In front of the server at `url`. */
  static async before(url: string): Promise<Switch> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Switch(server, Number(new URL(url).port));
  }

  /** `url` with the address of the switch. */
  address(url: string): string {
    const changed = new URL(url);
    changed.port = String((this.#server.address() as AddressInfo).port);
    return changed.href;
  }

  /** New connections go there, and those that are open are cut. */
  turn(url: string): void {
    this.#port = Number(new URL(url).port);
    for (const socket of this.#open) socket.destroy();
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket): void {
    const far = connect(this.#port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
