import { expect, it } from '@jest/globals';
import type { Account } from '../../src/features/accounts/account.ts';
import type { Comparison } from '../../src/features/cutover/parity/model.ts';
import { Masking } from '../../src/features/samples/masking.ts';
import type { KeptSample } from '../../src/features/samples/packed.ts';
import type { ReadAnswer } from '../../src/features/writes/settling/reads.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { readDocument } from '../../src/lib/xml/read.ts';
import type { Asking } from '../../src/proof/parity/asking.ts';
import { Comparing } from '../../src/proof/parity/comparing.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { deliveredMapping } from '../support/mapping.ts';

const methods = new Map(deliveredMapping().methods.map((method) => [method.id, method]));
const ok = (content: string): string => `<Response><Status>OK</Status>${content}</Response>`;
const answered = (content: string): ReadAnswer => ({
  ...{ answer: 'read', source: 'v3', contentType: 'text/xml', text: ok(content) },
  root: readDocument(ok(content)),
});

interface Replies {
  /** `job.get` */
  readonly method: string;
  readonly segments: readonly string[];
  /** The content of V1's reply in the sample, and of V3's reply now. */
  readonly before: string;
  readonly after: string;
  /** The contents of lists of changes, by method: `job.api/list`. */
  readonly changes?: Readonly<Record<string, string>>;
}

/** Compares one read with its baseline: V1 no longer answers. */
async function compared({ method, segments, before, after, changes = {} }: Replies): Promise<Comparison> {
  const seal = KeyRing.parse(new Secret(`k1:${Buffer.alloc(32, 1).toString('base64')}`));
  const masking = Masking.of(seal, 'a');
  if (masking === undefined) throw new Error('there is no key for hashes');
  const moved: Asking['moved'] = async (_account, request) => {
    const path = request.segments.join('/');
    if (path === segments.join('/')) return answered(after);
    const isComplete = path !== 'job.api/list' || hasPeriod(request.query);
    const list = isComplete ? changes[path] : undefined;
    return list === undefined ? { answer: 'refused', words: 'no such list' } : answered(list);
  };
  const v1 = async (): Promise<ReadAnswer> => ({ answer: 'failed', words: 'it answered 401', status: 401 });
  const asking = { hasV1: true, v1, moved } as unknown as Asking;
  const parts = { asking, methods, seal, disagreement: async () => undefined, pageSizes: [], now: () => 1 };
  const sample: KeptSample = {
    ...{ purpose: 'baseline', method, at: Date.parse('2026-11-20T10:40:00Z'), source: 'v1' },
    ...{ request: { segments, query: [] }, key: masking.key },
    reply: masking.masked(readDocument(ok(before)), methods.get(method)),
  };
  const comparing = new Comparing(parts, { id: 'a' } as Account);
  return (await comparing.run([sample], new Map(), () => undefined)).comparison;
}

const hasPeriod = (query: readonly (readonly [string, string])[]): boolean =>
  query.some(([name]) => name === 'from') && query.some(([name]) => name === 'to');

const job = (state: string, id = 'J000101', more = ''): string =>
  `<Job><ID>${id}</ID><Name>Audit</Name><State>${state}</State>${more}</Job>`;

it('a job that was completed since its sample has changed, although the list of current jobs lacks it', async () => {
  const replies: Replies = {
    ...{ method: 'job.get', segments: ['job.api', 'get', 'J000101'] },
    ...{ before: job('In Progress'), after: job('Completed') },
    changes: { 'job.api/current': '<Jobs/>', 'job.api/list': `<Jobs>${job('Completed')}</Jobs>` },
  };
  expect(await compared(replies)).toMatchObject({ different: 0, undecided: 0, changed: 1, groups: [] });
  const changes = { 'job.api/current': '<Jobs/>', 'job.api/list': '<Jobs/>' };
  expect(await compared({ ...replies, changes })).toMatchObject({ different: 1, changed: 0 });
});

const client = (more: string): string => `<Client><ID>7</ID><Name>Ann</Name>${more}</Client>`;
const email = '<Email>a@example.com</Email>';
const manager = '<AccountManager><ID>3</ID><Name>Kim</Name></AccountManager>';

it.each([
  ['an e-mail address was set', client(''), client(email)],
  ['an account manager was set', client(''), client(manager)],
])(
  'an element that a record may lack differs only if the record has not changed since: %s',
  async (...row) => {
    const [, before, after] = row;
    const replies = { method: 'client.get', segments: ['client.api', 'get', '7'], before, after };
    const listed = (list: string) => ({ changes: { 'client.api/list': list } });
    expect(await compared({ ...replies, ...listed(`<Clients>${after}</Clients>`) })).toMatchObject({
      ...{ different: 0, undecided: 0, changed: 1 },
    });
    expect(await compared({ ...replies, ...listed('<Clients/>') })).toMatchObject({
      different: 1,
      changed: 0,
    });
    expect(await compared(replies)).toMatchObject({ different: 0, undecided: 1 });
  },
);

it('an element that V3 lacks is undecided in a changed record, unless V3 gives it in another record', async () => {
  const changes = { 'client.api/list': `<Clients>${client('')}</Clients>` };
  const one = { method: 'client.get', segments: ['client.api', 'get', '7'], before: client(email) };
  expect(await compared({ ...one, after: client(''), changes })).toMatchObject({
    ...{ different: 0, undecided: 1, changed: 0, groups: [{ cause: 'missing-element' }] },
  });
  const second = (more: string): string => `<Client><ID>8</ID><Name>Bob</Name>${more}</Client>`;
  const list = (first: string, other: string): string =>
    `<Clients>${client(first)}${second(other)}</Clients>`;
  const all = { method: 'client.list', segments: ['client.api', 'list'], before: list(email, email) };
  const listed = { 'client.api/list': list('', email) };
  expect(await compared({ ...all, after: list('', email), changes: listed })).toMatchObject({
    ...{ different: 0, undecided: 0, changed: 1 },
  });
});

it('the last member of staff leaving a job may be a change of the job', async () => {
  const assigned = (staff: string): string => job('In Progress', 'J000101', `<Assigned>${staff}</Assigned>`);
  const after = assigned('');
  expect(
    await compared({
      ...{ method: 'job.get', segments: ['job.api', 'get', 'J000101'] },
      ...{ before: assigned('<Staff><ID>3</ID><Name>Kim</Name></Staff>'), after },
      changes: { 'job.api/list': `<Jobs>${after}</Jobs>` },
    }),
  ).toMatchObject({ different: 0, undecided: 1, changed: 0 });
});

it('an element that every record has is missing even if the record has changed since', async () => {
  const after = '<Client><ID>7</ID></Client>';
  const found = await compared({
    ...{ method: 'client.get', segments: ['client.api', 'get', '7'], before: client(''), after },
    changes: { 'client.api/list': `<Clients>${after}</Clients>` },
  });
  expect(found).toMatchObject({ different: 1, groups: [{ cause: 'missing-element' }] });
});

it.each(['J000101', 'ACME-2026-01', 'J/101'])(
  'a job in a list has changed since if the list of changes has it, whatever its number is: %s',
  async (id) => {
    const list = (name: string): string => `<Jobs>${named(id, name)}${named('J000999', 'Other')}</Jobs>`;
    const replies: Replies = {
      ...{ method: 'job.client', segments: ['job.api', 'client', '7'] },
      ...{ before: list('Old'), after: list('New') },
    };
    const listed = (text: string) => ({ changes: { 'job.api/current': text, 'job.api/list': text } });
    expect(await compared({ ...replies, ...listed(`<Jobs>${named(id, 'New')}</Jobs>`) })).toMatchObject({
      ...{ different: 0, undecided: 0, changed: 1 },
    });
    expect(
      await compared({ ...replies, ...listed(`<Jobs>${named('J000999', 'Other')}</Jobs>`) }),
    ).toMatchObject({ different: 1, changed: 0 });
  },
);

it('the order of a list differs whatever has changed, and a record without a number may be a new one', async () => {
  const jobs = (...ids: readonly string[]): string =>
    `<Jobs>${ids.map((id) => named(id, 'Audit')).join('')}</Jobs>`;
  const before = jobs('J1', 'J2', 'J3');
  const found = (after: string, ...changed: readonly string[]): Promise<Comparison> =>
    compared({
      ...{ method: 'job.client', segments: ['job.api', 'client', '7'], before, after },
      changes: { 'job.api/list': jobs(...changed) },
    });
  const reversed = jobs('J3', 'J2', 'J1');
  const order = { different: 1, changed: 0, groups: [{ cause: 'order' }] };
  expect(await found(reversed, 'J5')).toMatchObject(order);
  expect(await found(reversed, 'J5', '')).toMatchObject(order);
  const added = jobs('J1', 'J2', 'J3', '');
  expect(await found(added, '')).toMatchObject({ different: 0, undecided: 0, changed: 1 });
  expect(await found(added, 'J5')).toMatchObject({ different: 1, groups: [{ cause: 'extra-record' }] });
});

it('the text beside the elements of a value does not differ from a sample of 1.0.0-rc.1, which lacks it', async () => {
  const named = (name: string): string => `<Client><ID>7</ID><Name>${name}</Name></Client>`;
  const replies = (before: string, after: string): Replies => ({
    ...{ method: 'client.get', segments: ['client.api', 'get', '7'] },
    ...{ before: named(before), after: named(after), changes: { 'client.api/list': '<Clients/>' } },
  });
  expect(await compared(replies('<b>5</b>', 'pay <b>5</b>'))).toMatchObject({ different: 0, undecided: 0 });
  expect(await compared(replies('<b>5</b>', 'pay <b>6</b>'))).toMatchObject({ different: 1 });
  expect(await compared(replies('refund <b>5</b>', 'pay <b>5</b>'))).toMatchObject({ different: 1 });
  expect(await compared(replies('', 'pay'))).toMatchObject({ different: 1 });
});

const named = (id: string, name: string): string => `<Job><ID>${id}</ID><Name>${name}</Name></Job>`;
