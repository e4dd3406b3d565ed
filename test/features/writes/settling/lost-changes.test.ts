import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tradeSeed } from '../../../contract/tradeSeed.ts';
import { scene, surfaces, type Scene } from './service.ts';

const LONG = 'over the hill, '.repeat(16);

/** What the client has before, and the changes of which one call is lost. */
const changes: readonly (readonly [words: string, before: string, change: string])[] = [
  ['sets an e-mail address that it did not have', '', '<Email>zed@example.org</Email>'],
  ['names a manager that it did not have', '', '<AccountManagerID>7</AccountManagerID>'],
  ['clears what it had', '<Phone>04 1</Phone><Email>a@example.org</Email>', '<Phone></Phone><Email></Email>'],
  ['appends to a long text', `<Address>${LONG}</Address>`, `<Address>${LONG} and right</Address>`],
  ['corrects the case of a text', '<City>paris</City>', '<City>Paris</City>'],
];

describe.each(surfaces)('changes of clients on %s', (surface) => {
  let all: Scene;
  beforeAll(async () => {
    all = await scene(surface, tradeSeed);
  });
  afterAll(() => all.close());

  /** Makes a client for each change, and then all changes at once; the status of each answer. */
  const lost = async (how: 'reset-before' | 'reset-after') => {
    const clients = await Promise.all(
      changes.map(async ([, before], nth) => {
        const named = `<Name>Zed ${String(nth)} ${how}</Name>`;
        const { body } = await all.call('POST client.api/add', `<Client>${named}${before}</Client>`);
        return `<ID>${/<ID>([^<]+)<\/ID>/.exec(body)?.[1] ?? ''}</ID>${named}`;
      }),
    );
    const times = changes.length;
    await all.fault(surface === 'v2' ? 'v2.clients.update' : 'client.update', { do: how, times });
    const answers = await Promise.all(
      changes.map(([, , change], nth) =>
        all.call('PUT client.api/update', `<Client>${clients[nth] ?? ''}${change}</Client>`),
      ),
    );
    return changes.map(([words], nth) => [words, answers[nth]?.status]);
  };
  const answered = (status: number) => changes.map(([words]) => [words, status]);

  it('are not answered OK if they never reached the service', async () => {
    expect(await lost('reset-before')).toEqual(answered(504));
  });

  it('are answered OK if only their answers were lost', async () => {
    expect(await lost('reset-after')).toEqual(answered(200));
  });

  it('are settled one by one if the same client is changed twice in a row', async () => {
    const { body } = await all.call('POST client.api/add', '<Client><Name>Zed Twice</Name></Client>');
    const named = `<ID>${/<ID>([^<]+)<\/ID>/.exec(body)?.[1] ?? ''}</ID><Name>Zed Twice</Name>`;
    const change = (element: string) =>
      all.call('PUT client.api/update', `<Client>${named}${element}</Client>`);
    const first = await change('<Phone>04 1</Phone>');
    await all.fault(surface === 'v2' ? 'v2.clients.update' : 'client.update', {
      do: 'reset-after',
      times: 1,
    });
    expect([first.status, (await change('<Email>zed@example.org</Email>')).status]).toEqual([200, 200]);
  });
});
