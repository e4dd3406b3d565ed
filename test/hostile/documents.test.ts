import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Sender, type Answered } from '../support/http.ts';
import { API_KEY } from '../support/legacy.ts';
import { conformanceCases, type ConformanceCase } from '../lib/xml/conformance.ts';
import { expectDialect } from './dialect.ts';
import { accounts, openEndpoint, type OpenEndpoint } from './endpoint.ts';
import { hostileDocuments } from './hostileDocuments.ts';
import { mutations } from './mutations.ts';

let endpoint: OpenEndpoint;
let sender: Sender;

beforeAll(async () => {
  endpoint = await openEndpoint();
  sender = new Sender(endpoint.bridge.url, 16);
});

afterAll(async () => {
  sender.close();
  await endpoint.close();
});

const add = (body: string | Buffer, accountKey: string = accounts.migrated): Promise<Answered> =>
  sender.send({
    verb: 'POST',
    target: `/client.api/add?apiKey=${API_KEY}&accountKey=${accountKey}`,
    body,
  });

/** The process is alive and serves. */
async function expectService(): Promise<void> {
  const { status } = await sender.send({
    verb: 'GET',
    target: `/client.api/get/1000000?apiKey=${API_KEY}&accountKey=${accounts.migrated}`,
  });
  expect(status).toBe(200);
}

describe('a document of the W3C conformance suite, sent by a migrated account,', () => {
  /** Declared utf-16, written in UTF-8: legacy programs send exactly this, so it is read. */
  const TOLERATED = 'rmt-e2e-61';
  /** Documents of no byte at all: to the door a call without a message, which some programs make. */
  const EMPTY = ['not-wf-sa-050', 'o-p39fail3'];
  /** The words `<!DOCTYPE` stand in a comment, an instruction or CDATA. */
  const MENTIONED_ONLY = ['o-p15pass1', 'o-p16pass1', 'o-p18pass1'];
  const cases = conformanceCases();
  const malformed = cases.filter(
    ({ type, doctype, recommendation }) =>
      type === 'not-wf' && !doctype && !/^(NS|XML1\.1)/.test(recommendation),
  );
  const good = cases.filter(
    ({ type, doctype, recommendation }) =>
      type !== 'not-wf' && !doctype && !recommendation.startsWith('XML1.1'),
  );
  const typed = cases.filter(({ doctype, id }) => doctype && !MENTIONED_ONLY.includes(id));

  /** Ids of the documents that were answered otherwise; each answer is in the dialect. */
  async function otherThan(
    statuses: readonly number[],
    documents: readonly ConformanceCase[],
  ): Promise<readonly string[]> {
    const answers = await Promise.all(
      documents.map(async ({ id, bytes }) => ({ id, answer: await add(bytes) })),
    );
    for (const { answer } of answers) expectDialect(answer.status, answer.text, 'Add');
    return answers.filter(({ answer }) => !statuses.includes(answer.status)).map(({ id }) => id);
  }

  it('is refused if it is malformed (228 of them), except for one form that V1 tolerates', async () => {
    expect(malformed).toHaveLength(228);
    expect(await otherThan([500], malformed)).toEqual([...EMPTY, TOLERATED]);
    await expectService();
  });

  it('is refused if it has a document type', async () => {
    expect(typed.length).toBeGreaterThan(1_990);
    expect(await otherThan([500], typed)).toEqual([]);
    await expectService();
  });

  it('is accepted if it is well-formed (73 of them), except for colons that namespaces forbid', async () => {
    expect(good).toHaveLength(73);
    expect(await otherThan([200], good)).toEqual(['o-p05pass1']);
    expect(await otherThan([200, 500], good)).toEqual([]);
    await expectService();
  });
});

describe('hostile documents', () => {
  it.each(hostileDocuments)('such as $what get a reply in the legacy form', async ({ make, statuses }) => {
    const answer = await add(make());
    expect(statuses).toContain(answer.status);
    expectDialect(answer.status, answer.text, 'Add');
  });

  it('do not harm the process', async () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    await expectService();
  });

  it('by two thousand mutations of a message get a reply in the legacy form, never a wrong OK', async () => {
    const documents = mutations(2_000, 20_261_120);
    const answers = await Promise.all(documents.map((document) => add(document)));
    for (const { status, text } of answers) {
      expect([200, 413, 500]).toContain(status);
      expectDialect(status, text, 'Add');
      if (status === 200 && text.includes('<Status>OK</Status>'))
        expect(text).toMatch(/<Client><ID>\d+<\/ID><Name>[^<]+<\/Name>/);
    }
    expect(new Set(answers.map(({ status }) => status)).size).toBeGreaterThan(1);
    await expectService();
  });
});
