import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A peer: http-proxy-3 as documented, with an agent that keeps connections. Argument: the service's origin.

interface Library {
  readonly createProxyServer: (options: object) => {
    readonly web: (request: unknown, response: unknown) => void;
  };
}

const { Agent } = await import('node:http');
const name = 'http-proxy-3';
const library = (await import(name)) as Library & { readonly default?: Library };
const { createProxyServer } = library.default ?? library;
const agent = new Agent({ keepAlive: true, maxSockets: 128 });
const proxy = createProxyServer({ target: process.argv[2] ?? '', agent });
const server = createServer((request, response) => {
  proxy.web(request, response);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
console.log((server.address() as AddressInfo).port);
