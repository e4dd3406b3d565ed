import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import replyFrom from '@fastify/reply-from';
import fastify from 'fastify';

// The peer: fastify with @fastify/reply-from in their default state, without log or metrics. Arguments: the service's
// origin, and the number of processes (1).

const processes = Number(process.argv[3] ?? 1);
if (processes > 1 && cluster.isPrimary) {
  let listening = 0;
  cluster.on('listening', (_worker, { port }) => {
    listening += 1;
    if (listening === processes) console.log(port);
  });
  for (let n = 0; n < processes; n += 1) cluster.fork();
} else {
  const app = fastify();
  await app.register(replyFrom, { base: process.argv[2] ?? '', undici: { connections: 128, pipelining: 1 } });
  // As documented: passes bodies of any type through unchanged.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => {
    done(null, body);
  });
  app.all('/*', (request, reply) => reply.from(request.url));
  await app.listen({ port: 0, host: '127.0.0.1' });
  if (cluster.isPrimary) console.log((app.server.address() as AddressInfo).port);
}
