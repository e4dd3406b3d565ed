import { expect, it } from '@jest/globals';
import type { Account } from '../../src/features/accounts/account.ts';
import { fewerThanCounted } from '../../src/proxy/call/status.ts';
import { OwnReads, type OwnReadsParts } from '../../src/proxy/writes/own-reads.ts';
import { pieces } from './world.ts';

it('a reply that is too long to be judged is told apart from one that may come later', async () => {
  const account = { id: 'a', life: { stage: 'migrated' } } as Account;
  const bodies = [pieces(...Array<string>(17).fill(' '.repeat(1_048_576))), pieces('{}')];
  const reply = async () => ({ status: 200, source: 'v3', contentType: '', body: bodies.shift() ?? '' });
  const routes = { choose: async () => reply } as unknown as OwnReadsParts['routes'];
  const reads = new OwnReads({ routes, accountOf: async () => account } as unknown as OwnReadsParts);
  const request = { accountId: 'a', segments: ['client.api', 'list'], query: [], isUrgent: false };
  const signal = new AbortController().signal;
  const first = await reads.read({ ...request, signal });
  expect(first).toMatchObject({ answer: 'failed', words: 'the reply is too long', isTooLong: true });
  expect(await reads.read({ ...request, signal })).toMatchObject({ answer: 'failed', code: 'internal' });
});

it('a list that the service counts longer than it gives it fails for good', async () => {
  const routes = { choose: async () => () => Promise.reject(fewerThanCounted()) };
  const accountOf = async () => ({ id: 'a', life: { stage: 'migrated' } }) as Account;
  const reads = new OwnReads({ routes, accountOf } as unknown as OwnReadsParts);
  const request = { accountId: 'a', segments: ['client.api', 'list'], query: [], isUrgent: false };
  const answered = await reads.read({ ...request, signal: new AbortController().signal });
  expect(answered).toMatchObject({ words: 'The service counts more records than it gives', isLasting: true });
});

it.each([
  ['a reply with a control character', '<Response><Status>OK</Status><Name>a&#x1F;b</Name></Response>', 200],
  [
    'a reply with a document type',
    '<?xml version="1.0"?><!DOCTYPE r><Response><Status>OK</Status></Response>',
    200,
  ],
] as const)('%s is refused for good, in words of its own', async (_, body, status) => {
  expect(await answerTo(body, status)).toMatchObject({
    ...{ answer: 'failed', isUnreadable: true, words: expect.stringMatching(/^its reply /) as unknown },
  });
});

it('a page that is no reply of the service is not taken for one, whatever its status', async () => {
  const page = '<!doctype html><title>Maintenance<br></title>';
  expect(await answerTo(page, 200)).toMatchObject({ answer: 'failed', code: 'internal' });
  expect(await answerTo(page, 403)).toMatchObject({ answer: 'failed', status: 403 });
});

async function answerTo(body: string, status: number) {
  const reply = async () => ({ status, source: 'v1', contentType: '', body });
  const routes = { choose: async () => reply } as unknown as OwnReadsParts['routes'];
  const accountOf = async () => ({ id: 'a', life: { stage: 'migrated' } }) as Account;
  const reads = new OwnReads({ routes, accountOf } as unknown as OwnReadsParts);
  const request = { accountId: 'a', segments: ['client.api', 'list'], query: [], isUrgent: false };
  return reads.read({ ...request, signal: new AbortController().signal });
}
