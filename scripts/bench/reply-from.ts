import type { AddressInfo } from 'node:net';
import replyFrom from '@fastify/reply-from';
import fastify from 'fastify';

// The peer: fastify with @fastify/reply-from as they come, no log, no metrics. Argument: the service's origin.

const app = fastify();
await app.register(replyFrom, { base: process.argv[2] ?? '', undici: { connections: 128, pipelining: 1 } });
// As its documentation has it: bodies of any type go through as they come.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', (_request, body, done) => {
  done(null, body);
});
app.all('/*', (request, reply) => reply.from(request.url));
await app.listen({ port: 0, host: '127.0.0.1' });
console.log((app.server.address() as AddressInfo).port);
