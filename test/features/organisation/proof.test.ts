import { describe, expect, it } from '@jest/globals';
import {
  addAccount,
  answer,
  arrive,
  depart,
  linkFor,
  maps,
  ok,
  openVillage,
  ORGANISATION,
  REFUSED,
  shownClient,
  uuid,
  wholeV1,
  wordFor,
} from '../harness.ts';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const marked = (mark: string, number: number) =>
  `<Client><ID>${String(number)}</ID><Name>Client ${String(number)}</Name><${mark}>Yes</${mark}></Client>`;

interface Situation {
  readonly learned?: readonly number[];
  /** Undefined: V1 does not answer. */
  readonly living?: readonly number[];
  readonly deleted?: readonly number[];
  /** What V3 shows. */
  readonly shown: readonly number[];
}

async function villageOf({ learned = [], living, deleted = [], shown }: Situation) {
  const village = await openVillage(learned.length === 0 ? { plan: { kinds: [], parts: [] } } : {});
  const lines = learned.map((number) => `${String(number)},${uuid(number)}\r\n`).join('');
  village.v1.answers = {
    ...wholeV1,
    'uuid.api/maps': () =>
      maps(
        ['Client', 'http://v1/f/client'],
        ['Contact', 'http://v1/f/contact'],
        ['Time', 'http://v1/f/time'],
      ),
    'f/client': () => answer(200, `ID,UUID\r\n${lines}`),
    ...(living && {
      'client.api/list': () => {
        const records = [
          ...deleted.map((number) => marked('IsDeleted', number)),
          ...living.map((number) => marked('IsProspect', number)),
        ];
        return ok(`<Clients>${records.join('')}</Clients>`);
      },
    }),
  };
  village.v3.answer = () => {
    const request = village.v3.asked.at(-1)?.[1];
    const wanted = request?.query.find(([name]) => name === 'query')?.[1];
    if (request?.segments.includes('get') === true) {
      const client = shown.find((number) => request.segments.includes(uuid(number)));
      return client === undefined ? answer(200, REFUSED) : shownClient(uuid(client));
    }
    const found = shown.filter((number) => wanted === `Client ${String(number)}`);
    return ok(`<Clients>${found.map((number) => marked('IsProspect', number)).join('')}</Clients>`);
  };
  return village;
}

async function consentIn(situation: Situation, organisationId?: string) {
  const village = await villageOf(situation);
  const { id } = await addAccount(village);
  if (organisationId !== undefined) {
    const event = { at: village.clock.now(), kind: 'set', actor: 'operator', detail: '' };
    await village.store.accounts.set(id, { organisationId }, event);
  }
  return {
    village,
    id,
    word: wordFor(await arrive(village, await depart(village, await linkFor(village, id)))),
  };
}

describe('the organisation of an account with deleted clients', () => {
  it.each<readonly [string, string, Situation]>([
    [
      'connected',
      'the newest five were deleted and V1 lists the others',
      { learned: range(1, 12), living: range(1, 7), deleted: range(8, 12), shown: range(1, 7) },
    ],
    [
      'connected',
      'the newest five were deleted and V1 does not answer',
      { learned: range(1, 12), shown: range(1, 7) },
    ],
    [
      'connected',
      'the newest hundred of many were deleted and V1 does not answer',
      { learned: range(1, 400), shown: range(1, 300) },
    ],
    [
      'connected',
      'the first five of V1 were deleted and nothing was learned',
      { living: range(6, 12), deleted: range(1, 5), shown: range(6, 12) },
    ],
    ['awaiting', 'all were deleted', { learned: range(1, 3), living: [], deleted: range(1, 3), shown: [] }],
    [
      'foreignOrganisation',
      'V3 lacks the living ones, too',
      { learned: range(1, 12), living: range(1, 7), deleted: range(8, 12), shown: [] },
    ],
    ['foreignOrganisation', 'V3 shows none and V1 does not answer', { learned: range(1, 12), shown: [] }],
  ])('is %s where %s', async (word, _name, situation) => {
    expect((await consentIn(situation)).word).toBe(word);
  });
});

describe('an organisation', () => {
  const REFUSAL = '<Response api-method="List"><Status>ERROR</Status></Response>';

  it.each<readonly [string, number, string, string]>([
    ['is open if V3 lists a client', 200, '<Response><Status>OK</Status></Response>', 'yes'],
    ['is closed if V3 refuses in XML', 200, REFUSAL, 'no'],
    ['is closed if V3 forbids it in XML', 403, REFUSAL, 'no'],
    ['is closed if V3 forbids it in JSON', 403, '{"Title":"Forbidden"}', 'no'],
    ['is closed if V3 refuses the token in JSON', 401, '{}', 'no'],
    ['may be closed if a gateway shows a page', 403, '<html><body>Blocked</body></html>', 'denied'],
    ['may be closed if a page is not found', 404, '<!DOCTYPE html><html></html>', 'denied'],
    ['may be closed if the refusal is empty', 410, '', 'denied'],
    ['may be closed if the refusal says OK', 403, '<Response><Status>OK</Status></Response>', 'denied'],
    ['is unclear if V3 fails', 500, REFUSAL, 'later'],
  ])('%s', async (_, status, body, expected) => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v3.answer = () => answer(status, body);
    const to = { accountId: id, application: 'default', grantId: 'g', organisationId: 'o' };
    expect(await village.proof.readable({ ...to, product: 'standard' })).toBe(expected);
  });
});

it('the check of the samples fails if V3 shows only a few of the clients that V1 lists', async () => {
  const { village, id } = await consentIn({ living: range(1, 5), shown: [2, 3] }, ORGANISATION.id);
  expect((await village.cutover.inspect(id)).at(-1)).toEqual({
    name: 'samples',
    result: 'failed',
    detail: 'V3 shows only 2 of the 5 clients of V1 that were looked up',
  });
});
