import { Agent, createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A proxy between bridge and sandbox in `sizes.ts`: it presents an organisation of the sandbox under as many
 * identifiers as there are accounts, because the bridge accepts an organisation for one account only. Arguments: the
 * origin of the sandbox, its organisations. First line of output: the port.
 */
const [origin = '', ...organisations] = process.argv.slice(2);
const HEADER = 'account-id';
/** An identifier derived from an organisation's has the same beginning. */
const KEPT = 24;

const real = new Map(organisations.map((id) => [id.slice(0, KEPT), id]));
const { hostname, port } = new URL(origin);
const agent = new Agent({ keepAlive: true });

const server = createServer((request, response) => {
  const given = String(request.headers[HEADER] ?? '');
  const headers = { ...request.headers, [HEADER]: real.get(given.slice(0, KEPT)) ?? given };
  const { method, url: path } = request;
  const onward = ask({ agent, hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => {
    response.destroy();
  });
  request.pipe(onward);
});
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
