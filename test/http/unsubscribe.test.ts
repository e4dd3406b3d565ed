import { expect, it } from '@jest/globals';
import express from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Pages } from '../../src/http/customer/pages.ts';
import { UnsubscribePages } from '../../src/http/customer/unsubscribe.ts';

it('the page to unsubscribe is in the language of the account, and opened again it says that it is done', async () => {
  let isDone = false;
  const pages = new UnsubscribePages({
    unsubscriber: {
      reader: () => Promise.resolve({ language: 'fr', isDone }),
      unsubscribe: async () => void (isDone = true),
    },
    pages: new Pages(),
  });
  const app = express()
    .get('/', (_request, response) => pages.show('token', response))
    .post('/', (_request, response) => pages.end('token', response));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const page = async (method: string) => {
    const reply = await fetch(url, { method, headers: { 'Accept-Language': 'en' } });
    return [reply.headers.get('content-language'), (await reply.text()).includes('<form')];
  };
  expect(await page('GET')).toEqual(['fr', true]);
  expect(await page('POST')).toEqual(['fr', false]);
  expect(await page('GET')).toEqual(['fr', false]);
  server.close();
  server.closeAllConnections();
});
