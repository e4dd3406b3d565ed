import { expect, it } from '@jest/globals';
import { http, listenAt } from '../../src/lib/net/http.ts';
import { ListLog } from '../tokens/harness.ts';

it('a connection that cannot be accepted ends no server', async () => {
  const log = new ListLog();
  const server = http.createServer((_, response) => response.end('here'));
  const port = await listenAt(server, { port: 0, host: '127.0.0.1' }, log);
  server.emit('error', Object.assign(new Error('accept EPROTO'), { code: 'EPROTO' }));
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('here');
  expect(log.named('server.not-accepted')).toEqual([{ error: 'EPROTO' }]);
  const taken = listenAt(http.createServer(), { port, host: '127.0.0.1' }, log);
  await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' });
  server.close();
  server.closeAllConnections();
});
