import { describe, expect, it } from '@jest/globals';
import { Call } from '../../src/proof/client/assets/typescript/runtime/call.ts';
import { Asking } from '../../src/proof/client/assets/typescript/runtime/v2-asking.ts';
import { LookupCache } from '../../src/proof/client/assets/typescript/runtime/v2-cache.ts';

const names = { page: 'page', size: 'pagesize', pageSize: 500 };
const method = { id: 'staff.get', isRead: true };
const LIST = { data: [{ uuid: 'a' }], meta: { pagination: { total_pages: 1 } } };

type Told = readonly [status: number, body: object];
type Service = (verb: string, collection: string, record: string | undefined) => Told;

/** What is asked of a service of V2 that spells a collection in its own way, and what a program is told. */
function asking(service: Service) {
  const asked: string[] = [];
  const send = ({ verb, path }: { readonly verb: string; readonly path: readonly string[] }) => {
    asked.push(`${verb} ${path.join('/')}`);
    const [status, body] = service(verb, path[0] ?? '', path[1]);
    return Promise.resolve({ status, text: JSON.stringify(body) });
  };
  const shared = { spellings: [['staff', 'staffs']], v2: names };
  const around = { transport: { send }, shared, now: () => 0, timeZone: undefined };
  const call = new Call(method as never, {}, 'v2', around as never, undefined);
  const requests = new Asking(call, new LookupCache());
  const told = (answer: Promise<unknown>): Promise<string> =>
    answer.then(
      (data) => JSON.stringify(data),
      (error: unknown) => (error instanceof Error ? error.name : String(error)),
    );
  return {
    asked,
    get: (record: string) =>
      told(requests.ask({ verb: 'GET', path: ['staff', record], query: [], missing: '?' })),
    list: () => told(requests.rows({ verb: 'GET', path: ['staff'], query: [] })),
    add: () => told(requests.ask({ verb: 'POST', path: ['staffs'], query: [], body: '{}' })),
  };
}

describe('the generated client, where V2 spells a collection in its own way', () => {
  it('reads under one spelling and writes under the other', async () => {
    const { asked, list, add } = asking((verb, collection) =>
      (verb === 'GET') === (collection === 'staff')
        ? [200, verb === 'GET' ? LIST : { data: { uuid: 'b' } }]
        : [405, {}],
    );
    expect([await list(), await add()]).toEqual(['[{"uuid":"a"}]', '{"uuid":"b"}']);
    expect(asked).toEqual(['GET staff', 'POST staffs']);
  });

  it('takes no spelling for the one that works because it was refused there', async () => {
    const { asked, get } = asking((_, collection, record) => {
      if (collection === 'staffs') return [403, {}];
      return record === 'gone' ? [404, {}] : [200, { data: { uuid: record } }];
    });
    await get('gone');
    expect(await get('one')).toBe('{"uuid":"one"}');
    expect(asked.slice(2)).toEqual(['GET staff/one']);
  });

  it('tries the other spelling after 405, and remembers it', async () => {
    const { asked, list } = asking((_, collection) => (collection === 'staff' ? [405, {}] : [200, LIST]));
    expect([await list(), await list()]).toEqual(['[{"uuid":"a"}]', '[{"uuid":"a"}]']);
    expect(asked).toEqual(['GET staff', 'GET staffs', 'GET staffs']);
  });

  it('asks once for a missing record if the spelling has worked, and says that it does not exist', async () => {
    const { asked, get } = asking((_, collection, record) => {
      if (collection === 'staffs') return [405, {}];
      return record === 'gone' ? [404, {}] : [200, { data: { uuid: record } }];
    });
    expect(await get('gone')).toBe('NotFound');
    await get('one');
    expect(await get('gone')).toBe('NotFound');
    expect(asked).toEqual(['GET staff/gone', 'GET staffs/gone', 'GET staff/one', 'GET staff/gone']);
  });
});
