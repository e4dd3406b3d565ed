import { describe, expect, it } from '@jest/globals';
import type { KeepListed, LearnPart, WithParts } from '../../../src/features/identifiers/learning.ts';
import { PartReading } from '../../../src/features/identifiers/part-reading.ts';
import type { XmlElement } from '../../../src/lib/xml/element.ts';
import { Failure } from '../../../src/lib/failure.ts';
import type { UpstreamAnswer } from '../../../src/upstream/model.ts';
import { AccountSync } from '../../../src/features/identifiers/account-sync.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { HandClock } from '../../support/clock.ts';
import { answer, ok, plan, TableV1, wholeV1 } from '../harness.ts';

const part: LearnPart = {
  kind: 'clientDocument',
  of: 'client',
  by: ['Title'],
  list: { call: 'client.api/list', query: {}, at: ['Clients', 'Client'] },
  at: ['Documents', 'Document'],
  each: 'client.api/documents',
};

const element = (name: string, text: string, children: readonly XmlElement[] = []): XmlElement => ({
  ...{ name, text, children },
  ...{ attributes: [], selfClosing: false },
});
const clients = (count: number): readonly XmlElement[] =>
  Array.from({ length: count }, (_, at) =>
    element('Client', '', [element('ID', String(at + 1)), element('Name', 'x')]),
  );

/** Remembers what was kept, and how far. */
class Keeping implements KeepListed {
  readonly kinds = new Set(['clientDocument']);
  readonly kept: string[] = [];
  upTo = '';

  keep(): Promise<number> {
    return Promise.resolve(0);
  }
  keepParts(_: string, __: LearnPart, records: readonly WithParts[]): Promise<number> {
    const found = records.flatMap(({ record, parts }) => parts.map(() => record.children[0]?.text ?? ''));
    this.kept.push(...found);
    return Promise.resolve(found.length);
  }
  askedUpTo(): Promise<string> {
    return Promise.resolve(this.upTo);
  }
  asked(_: string, __: string, upTo: string): Promise<void> {
    this.upTo = upTo;
    return Promise.resolve();
  }
}

async function pass(
  keep: Keeping,
  count: number,
  told: (id: number) => UpstreamAnswer | Failure,
): Promise<{ readonly asked: readonly number[]; readonly isAll: boolean }> {
  const asked: number[] = [];
  const reading = new PartReading({
    accountId: 'a',
    plan: [part],
    keep,
    get: (call) => {
      const id = Number(call.split('/').at(-1));
      asked.push(id);
      const given = told(id);
      return given instanceof Failure ? Promise.reject(given) : Promise.resolve(given);
    },
  });
  await reading.listed(part, clients(count));
  return { isAll: await reading.ask(new Set()), asked };
}

const documents = (inner: string): UpstreamAnswer =>
  answer(200, `<Response><Status>OK</Status><Documents>${inner}</Documents></Response>`);
const one = (): UpstreamAnswer => documents('<Document><Title>T</Title></Document>');
const refused = (): UpstreamAnswer =>
  answer(200, '<Response><Status>ERROR</Status><ErrorDescription>No</ErrorDescription></Response>');

describe('parts that need a V1 call for each record', () => {
  it('are read a thousand records at a time, and the next pass continues where the last one ended', async () => {
    const keep = new Keeping();
    const first = await pass(keep, 1_200, one);
    expect([first.asked.length, first.asked.at(-1), first.isAll]).toEqual([1_000, 1_000, false]);
    const second = await pass(keep, 1_200, one);
    expect([second.asked[0], second.asked.length, second.isAll]).toEqual([1_001, 200, true]);
    expect(keep.kept).toHaveLength(1_200);
    expect((await pass(keep, 3, one)).asked).toEqual([1, 2, 3]);
  });

  it('start again if the last record of the previous pass is gone', async () => {
    const keep = new Keeping();
    keep.upTo = '99';
    expect((await pass(keep, 2, one)).asked).toEqual([1, 2]);
  });

  it('are empty for a record whose call V1 refuses', async () => {
    const keep = new Keeping();
    const { isAll } = await pass(keep, 3, (id) => (id === 2 ? refused() : one()));
    expect([keep.kept, isAll]).toEqual([['1', '3'], true]);
  });

  it('are left to the next pass if V1 is down, and earlier results are kept', async () => {
    const keep = new Keeping();
    const fails = (id: number): UpstreamAnswer | Failure =>
      id === 60 ? new Failure('upstreamUnavailable') : one();
    const { isAll, asked } = await pass(keep, 100, fails);
    expect([isAll, asked.length, keep.upTo, keep.kept.length]).toEqual([false, 60, '50', 50]);
    expect((await pass(keep, 100, one)).asked[0]).toBe(51);
  });
});

describe('a pass that keeps parts', () => {
  const crosswalk = {
    learn: () => Promise.resolve({ added: 0, known: 0, conflicts: [] }),
    markComplete: () => Promise.resolve(),
    completeAsOf: () => Promise.resolve(true),
  };

  it.each([
    ['once V1 has shown the list', () => ok('<Clients />'), true, ''],
    [
      'not while V1 cannot serve the list, and then stays at its position',
      () => answer(500, ''),
      false,
      '50',
    ],
    ['if V1 does not have the list', () => answer(404, ''), true, ''],
  ])('is complete %s', async (_name, list, isKept, upTo) => {
    const keep = new Keeping();
    keep.upTo = '50';
    const v1 = new TableV1();
    v1.answers = { ...wholeV1, 'client.api/list': list };
    const keys = { apiKey: new Secret('K'), accountKey: new Secret('A') };
    const parts = {
      crosswalk,
      clock: new HandClock(),
      plan: { kinds: plan.kinds.slice(0, 1), parts: [part] },
      keep,
    };
    const sync = new AccountSync(parts, v1, 'a', keys);
    expect(await sync.take()).toMatchObject({ outcome: 'learned', complete: ['client'] });
    expect([sync.isKept, keep.upTo]).toEqual([isKept, upTo]);
  });
});
