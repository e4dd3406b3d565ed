import { createServer } from 'node:net';
import type { DemoPort } from './plan.ts';

/** Returns those ports of the list that are already in use. */
export async function takenPorts(ports: readonly DemoPort[]): Promise<readonly DemoPort[]> {
  const free = await Promise.all(ports.map(({ port }) => isFree(port)));
  return ports.filter((_, index) => free[index] !== true);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
