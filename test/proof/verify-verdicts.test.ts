import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeVerification } from '../../src/app/tools/verify.ts';
import { inventedIds } from '../../src/proof/verify/invented-ids.ts';
import type { Proof } from '../../src/proof/verify/model.ts';
import type { VerifyResult } from '../../src/proof/verify/verify.ts';
import { Failure } from '../../src/lib/failure.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../src/upstream/model.ts';
import { answerOf, VerifyStage, withoutBody, xmlAnswer, type Changed } from '../support/verify-stage.ts';

let stage: VerifyStage;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-verdicts-test-'));
  stage = await VerifyStage.open();
});

afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

const proofIn = (proofs: readonly Proof[], method: string, surface: Proof['surface']): Proof | undefined =>
  proofs.find((one) => one.method === method && one.surface === surface);

it('a method of which one call is refused is not proven, and the run fails', async () => {
  let jobs = 0;
  let invoices = 0;
  const run = stage.run({
    v3: async (request, pass) => {
      const isFirstJob = request.segments.join('/').startsWith('job.api/get/') && (jobs += 1) === 1;
      return isFirstJob ? answerOf(403, { message: 'no access' }) : pass(request);
    },
    v2: async (request, pass) => {
      const [collection, id] = request.segments;
      const isSecond = collection === 'invoices' && id !== undefined && (invoices += 1) % 2 === 0;
      return isSecond ? answerOf(500, { message: 'boom' }) : pass(request);
    },
  });
  const out = join(folder, 'refused');
  const { json, words } = await writeVerification(() => run, out, 0);
  const { findings, proofs, verified } = JSON.parse(json) as Awaited<typeof run>['verification'];
  expect(findings).toEqual([]);
  expect(proofIn(proofs, 'job.get', 'v3')).toMatchObject({ state: 'partly' });
  expect(proofIn(proofs, 'invoice.get', 'v2')).toMatchObject({ state: 'partly' });
  expect(verified['job.get']).not.toHaveProperty('v3');
  expect(verified['invoice.get']).not.toHaveProperty('v2');
  expect(words).toMatch(/^the mapping is not proven: 2 reads were not answered each time; see /);
  const report = await readFile(join(out, 'report.md'), 'utf8');
  expect(report).toContain('**No difference was seen, but 2 reads were not answered each time:**');
  expect(report).toMatch(/^- answered only in part: 1 of 2 calls: .*: job\.get \(V3\)$/m);
});

it('a service that answers nothing leaves the mapping unproven, and the run fails', async () => {
  const away = async (): Promise<never> => {
    throw new Failure('upstreamUnavailable');
  };
  const out = join(folder, 'away');
  const { words } = await writeVerification(() => stage.run({ v3: away, v2: away }), out, 0);
  expect(words).toMatch(
    /^the mapping is not proven: nothing is proven on V3 and V2, and \d+ reads were not answered each time; see /,
  );
  const report = await readFile(join(out, 'report.md'), 'utf8');
  expect(report).toContain('**No difference was seen, but nothing is proven on V3 and V2, and ');
});

it('a run without a difference says how many methods it has proven on the APIs that it called', async () => {
  const run = await stage.run({});
  const { words } = await writeVerification(() => Promise.resolve(run), join(folder, 'right'), 0);
  expect(words).toBeUndefined();
  expect(await readFile(join(folder, 'right', 'report.md'), 'utf8')).toMatch(
    /^\*\*The mapping is right in everything that was seen: proven are on V1 \d+ of \d+ methods, on V3 /m,
  );
  const proofs = run.verification.proofs.map((proof) =>
    proof.surface === 'v1' ? { ...proof, calls: 0, state: 'untried' as const } : proof,
  );
  const moved = { ...run, verification: { ...run.verification, proofs } };
  await writeVerification(() => Promise.resolve(moved), join(folder, 'moved'), 0);
  expect(await readFile(join(folder, 'moved', 'report.md'), 'utf8')).toMatch(
    /: proven are on V3 \d+ of \d+ methods, on V2 /,
  );
});

/** V3 without telephone numbers and e-mail addresses of clients, of which its lists leave out the first. */
const withoutFirst: Changed = async (request, pass) => {
  const path = request.segments.join('/');
  const reply = await pass(request);
  if (!/^client\.api\/(list|search|get\/[^/]+)$/.test(path)) return reply;
  const parts: Uint8Array[] = [];
  for await (const part of reply.body) parts.push(part);
  const text = Buffer.concat(parts)
    .toString()
    .replaceAll(/<(Phone|Email)>[^<]*<\/\1>/g, '');
  if (path.includes('/get/')) return xmlAnswer(text, reply.status);
  const left = text
    .replace(/<Client>.*?<\/Client>/s, '')
    .replace(/<TotalRecords>(\d+)</, (_, total) => `<TotalRecords>${Number(total) - 1}<`);
  return xmlAnswer(left, reply.status);
};

it('an element that V3 never shows is missing although V3 leaves out one of V1’s records', async () => {
  const { verification } = await stage.run({ v3: withoutFirst });
  const { findings, proofs, remarks, verified } = verification;
  const missing = findings.filter(({ kind, surface }) => kind === 'missing' && surface === 'v3');
  expect(missing.map(({ row }) => row).sort()).toEqual([
    'Client/Contacts/Email',
    'Client/Email',
    'Client/Phone',
  ]);
  for (const method of ['client.list', 'client.get']) {
    expect([method, proofIn(proofs, method, 'v3')?.state]).toEqual([method, 'differs']);
    expect(verified[method]).not.toHaveProperty('v3');
  }
  expect(remarks.filter(({ surface }) => surface === 'v3')).toContainEqual({
    surface: 'v3',
    row: 'client.list',
    words: 'it shows 2 names, and V1 3; only the 2 that both show were compared for missing elements',
  });
});

it('a service whose APIs show the same records gets no remark about them', async () => {
  const { verification } = await stage.run({});
  expect(verification.remarks.filter(({ words }) => /^it (shows|was read)/.test(words))).toEqual([]);
});

it('a run deletes its purchase orders and closes its leads, and names what V2 refuses to delete', async () => {
  let deleted = 0;
  const { verification } = await stage.run({
    writes: true,
    v2: async (request, pass) => {
      const isOrder = request.verb === 'DELETE' && request.segments[0] === 'purchase-orders';
      if (isOrder) deleted += 1;
      return isOrder && deleted === 1 ? answerOf(409, { message: 'it is billed' }) : pass(request);
    },
  });
  expect(deleted).toBe(4);
  expect(verification.left?.filter(({ method }) => !/quote|estimate/.test(method))).toEqual([
    { surface: 'v3', method: 'purchaseorder.add' },
    { surface: 'v3', method: 'lead.add', isClosed: true },
    { surface: 'v2', method: 'lead.add', isClosed: true },
  ]);
  const out = join(folder, 'left');
  await writeVerification(
    () => Promise.resolve({ verification, patch: '', profilePatch: '', golden: [] }),
    out,
    0,
  );
  expect(await readFile(join(out, 'report.md'), 'utf8')).toContain('1 of lead.add on V2 (closed)');
});

const findingsOf = ({ verification }: VerifyResult): readonly string[] =>
  verification.findings.map(
    ({ surface, kind, row, found }) => `${surface} ${kind} ${row}: ${found ?? 'nothing'}`,
  );

it('an update that the service accepts and ignores is a difference, although the creation sent values too', async () => {
  const result = await stage.run({
    writes: true,
    v3: (request, pass) => {
      const [family, method] = request.segments;
      if (family !== 'time.api' || method !== 'update') return pass(request);
      const { body } = request;
      const text = typeof body === 'string' ? body : Buffer.isBuffer(body) ? body.toString() : '';
      const [uuid = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text) ?? [];
      return pass({ ...withoutBody(request), segments: ['time.api', 'get', uuid] });
    },
    v2: (request, pass) => {
      const { verb, segments, body } = request;
      const isUpdate = (collection: string): boolean => verb === 'PUT' && segments[0] === collection;
      if (isUpdate('timesheets') && segments.length === 2) return pass(withoutBody(request));
      if (!isUpdate('costs') || typeof body !== 'string') return pass(request);
      const sent = JSON.parse(body) as object;
      return pass({ ...request, body: JSON.stringify({ ...sent, unitPrice: undefined }) });
    },
  });
  const { proofs, verified } = result.verification;
  expect(proofIn(proofs, 'time.update', 'v3')?.state).toBe('differs');
  expect(proofIn(proofs, 'time.update', 'v2')?.state).toBe('differs');
  expect(verified['time.update']).toBeUndefined();
  expect(findingsOf(result)).toEqual(
    expect.arrayContaining([
      'v3 kept time.update Minutes: nothing',
      'v2 kept time.update Minutes: nothing',
      'v2 kept cost.update UnitPrice: nothing',
    ]),
  );
  expect(proofIn(proofs, 'client.update', 'v2')?.state).toBe('proven');
});

it('an address that differs for one verb is corrected for that verb only', async () => {
  const v2: Changed = (request, pass) => {
    const { verb, segments } = request;
    const [collection = '', ...rest] = segments;
    const isRead = verb === 'GET' && rest.length === 1;
    if (collection === 'cost' && isRead) return pass({ ...request, segments: ['costs', ...rest] });
    return collection === 'cost' || (collection === 'costs' && isRead)
      ? Promise.resolve(answerOf(404, { message: 'Not found' }))
      : pass(request);
  };
  const { verification, patch } = await stage.run({ writes: true, v2 });
  const changed = patch.split('\n').filter((line) => /^[-+] .*costs?\b/.test(line));
  expect(changed.map((line) => line.replace(/\s+/g, ' '))).toEqual([
    '- steps: [{ call: "GET /v2/costs/{cost}" }]',
    '+ steps: [{ call: "GET /v2/cost/{cost}" }]',
  ]);
  for (const method of ['cost.get', 'cost.list', 'cost.add', 'cost.update', 'cost.delete'])
    expect([method, proofIn(verification.proofs, method, 'v2')?.state]).toEqual([method, 'proven']);
});

const notFound = (): Promise<UpstreamAnswer> => Promise.resolve(answerOf(404, { message: 'Not found' }));

/** V2 with another address for changes of a cost, and for the categories of jobs. */
const movedCosts =
  (costs: Changed): Changed =>
  (request, pass) => {
    const { verb, segments } = request;
    const [collection = '', ...rest] = segments;
    const isUpdate = verb === 'PUT' && rest.length === 1;
    if (collection === 'cost' && isUpdate) return pass({ ...request, segments: ['costs', ...rest] });
    if (collection === 'cost' || (collection === 'costs' && isUpdate)) return notFound();
    return collection === 'costs' ? costs(request, pass) : pass(request);
  };

it('a corrected write is tried again with a record that the run creates for it and deletes', async () => {
  const { verification, patch } = await stage.run({
    writes: true,
    v2: movedCosts((request, pass) => pass(request)),
  });
  expect(verification.findings).toMatchObject([
    { kind: 'address', surface: 'v2', row: 'PUT costs/{id}', methods: ['cost.update'] },
  ]);
  expect(patch).toMatch(/^\+.*PUT \/v2\/cost\/\{/m);
  expect(proofIn(verification.proofs, 'cost.update', 'v2')?.state).toBe('proven');
  expect(verification.verified['cost.update']).toHaveProperty('v2');
  expect(verification.left?.filter(({ method }) => method === 'cost.add')).toEqual([]);
});

it('a corrected write that could not be called again still differs, and the patch leaves it as it was', async () => {
  let added = 0;
  const { verification, patch } = await stage.run({
    writes: true,
    v2: movedCosts((request, pass) => {
      if (request.verb === 'POST') added += 1;
      return request.verb === 'POST' && added > 1
        ? Promise.resolve(answerOf(422, { message: 'there is no room for another cost' }))
        : pass(request);
    }),
  });
  expect(added).toBeGreaterThan(1);
  expect(verification.findings).toMatchObject([{ row: 'PUT costs/{id}', edits: [] }]);
  expect(proofIn(verification.proofs, 'cost.update', 'v2')?.state).toBe('differs');
  expect(patch).not.toContain('/v2/cost/');
});

it('a write that V2 refuses stays refused if another difference is corrected', async () => {
  const { verification } = await stage.run({
    writes: true,
    v2: (request, pass) => {
      const { verb, segments } = request;
      const [collection = '', ...rest] = segments;
      if (collection === 'job-categories') return notFound();
      if (collection === 'categories') return pass({ ...request, segments: ['job-categories', ...rest] });
      return verb === 'PUT' && collection === 'costs'
        ? Promise.resolve(answerOf(422, { message: 'unitPrice may not be set' }))
        : pass(request);
    },
  });
  expect(verification.findings.map(({ found }) => found)).toContain('GET categories');
  expect(proofIn(verification.proofs, 'cost.update', 'v2')).toMatchObject({
    state: 'refused',
    words: 'with status 422, in words that may contain values',
  });
});

it('a similar address that shows other records is not taken for the collection that was asked for', async () => {
  const v2: Changed = (request, pass) => {
    const [collection = '', ...rest] = request.segments;
    if (collection === 'categories') return pass({ ...request, segments: ['job-categories', ...rest] });
    return ['job-categories', 'lead-categories'].includes(collection)
      ? Promise.resolve(answerOf(404, { message: 'Not found' }))
      : pass(request);
  };
  const result = await stage.run({ v2 });
  const { proofs, verified } = result.verification;
  expect(findingsOf(result)).toEqual(
    expect.arrayContaining([
      'v2 address GET job-categories: GET categories',
      'v2 address GET lead-categories: nothing',
    ]),
  );
  expect(proofIn(proofs, 'category.list', 'v2')?.state).toBe('proven');
  expect(proofIn(proofs, 'lead.categories', 'v2')?.state).toBe('differs');
  expect(verified['lead.categories']).not.toHaveProperty('v2');
  expect(result.patch).not.toMatch(/^\+.*leadCategories: .*\/v2\/categories/m);
});

it('a V2 that names every collection in the singular is proven, also by lists whose records have no names', async () => {
  const v2: Changed = (request, pass) => {
    const [collection = '', ...rest] = request.segments;
    if (collection.startsWith('staff')) return pass(request);
    if (collection.endsWith('s')) return Promise.resolve(answerOf(404, { message: 'Not found' }));
    const many = collection.endsWith('y') ? `${collection.slice(0, -1)}ies` : `${collection}s`;
    return pass({ ...request, segments: [many, ...rest] });
  };
  const result = await stage.run({ v2 });
  expect(findingsOf(result)).toEqual(
    expect.arrayContaining([
      'v2 address GET timesheets: GET timesheet',
      'v2 address GET jobs/tasks: GET job/tasks',
      'v2 address GET jobs/costs: GET job/costs',
    ]),
  );
  expect(findingsOf(result).filter((one) => one.endsWith(': nothing'))).toEqual([]);
  const { proofs } = result.verification;
  for (const method of [
    'time.list',
    'time.job',
    'time.staff',
    'time.get',
    'customfield.jobtask.get',
    'client.list',
  ])
    expect([method, proofIn(proofs, method, 'v2')?.state]).toEqual([method, 'proven']);
});

it('a read of V1 is repeated when V1 asks to wait, and V1 is proven like the other APIs', async () => {
  let calls = 0;
  const busy = [
    answerOf(429, {}),
    { ...answerOf(503, {}), headers: { 'retry-after': '0' } },
    answerOf(503, {}),
  ];
  const { verification } = await stage.run({
    v1: () => {
      calls += 1;
      return calls % 10 === 3 ? busy.shift() : undefined;
    },
  });
  expect(busy).toEqual([]);
  expect(verification.doubts).toEqual([]);
});

it('the report has the words of a refusal only if the mapping has them, and else the status', async () => {
  const out = join(folder, 'words');
  const refusals: Readonly<Record<string, string>> = {
    'cost.api/get':
      'The client Hartwell already exists, ask Ann Lee, phone 021 555 0199, or anna@example.com',
    'supplier.api/get': 'Invalid supplier identifier',
  };
  const { json } = await writeVerification(
    () =>
      stage.run({
        v3: (request, pass) => {
          const words = refusals[request.segments.slice(0, 2).join('/')];
          if (request.segments.join('/') === 'category.api/list')
            return Promise.resolve(
              xmlAnswer(
                '<Response><Status>OK</Status><Others><Other><UUID>1</UUID></Other></Others></Response>',
              ),
            );
          const refusal = `<Response><Status>ERROR</Status><ErrorDescription>${words ?? ''}</ErrorDescription></Response>`;
          return words === undefined ? pass(request) : Promise.resolve(xmlAnswer(refusal));
        },
        v2: (request, pass) =>
          request.segments[0] === 'costs' && request.segments.length === 2
            ? Promise.resolve(answerOf(422, { message: 'J. Smith is not allowed' }))
            : pass(request),
      }),
    out,
    0,
  );
  const report = await readFile(join(out, 'report.md'), 'utf8');
  expect(report).toContain('- refused: with status 200, in words that may contain values: cost.get (V3)');
  expect(report).toContain('- refused: with status 422, in words that may contain values: cost.get (V2)');
  expect(report).toContain(
    '- refused: Invalid supplier identifier: customfield.supplier.get (V3), supplier.get (V3)',
  );
  expect(report).toContain("- not answered: The service's answer has no Categories: category.list (V3)");
  expect(report + json).not.toMatch(/Hartwell|Ann Lee|0199|anna@|Smith/);
});

/** Whether it asks for one record in a page, as only the probe of pages does. */
const isPageProbe = ({ query }: UpstreamRequest): boolean =>
  query.some(([name, value]) => /size/i.test(name) && value === '1');

it('a page that is not answered at once is asked for again, and the run is complete', async () => {
  let probes = 0;
  const { verification } = await stage.run({
    v2: async (request, pass) => {
      if (isPageProbe(request)) probes += 1;
      if (isPageProbe(request) && probes === 1) throw new Failure('upstreamTimeout');
      return isPageProbe(request) && probes === 3 ? answerOf(502, {}) : pass(request);
    },
  });
  expect(probes).toBeGreaterThan(3);
  expect(verification.incomplete).toBeUndefined();
  expect([verification.findings, verification.doubts]).toEqual([[], []]);
});

it('a page that V2 never gives is named as unknown, and all else of the run is judged', async () => {
  const { verification } = await stage.run({
    v2: async (request, pass) => (isPageProbe(request) ? answerOf(502, {}) : pass(request)),
  });
  expect(verification.incomplete).toBeUndefined();
  expect(verification.findings).toEqual([]);
  expect(verification.doubts).toEqual([
    expect.stringMatching(/^the pages of V2 are unknown, because not each page of \S+ was answered$/),
  ]);
  expect(verification.limits.filter(({ what }) => what === 'records in a page')).toMatchObject([
    { surface: 'v3' },
  ]);
});

it('an API that gives no errors for unknown records is asked for no more of them, and the run says so', async () => {
  let asked = 0;
  const { verification } = await stage.run({
    v2: async (request, pass) => {
      if (!request.segments.some((part) => part.endsWith('dead'))) return pass(request);
      asked += 1;
      throw new Failure('upstreamTimeout');
    },
  });
  expect(asked).toBe(3);
  expect(verification.findings).toEqual([]);
  expect(verification.doubts).toEqual([
    expect.stringMatching(
      /^what V2 says of unknown records is not known, because it gave no answer, or a fault, for the /,
    ),
  ]);
});

const refusalOf = (words: string): string =>
  `<Response><Status>ERROR</Status><ErrorDescription>${words}</ErrorDescription></Response>`;

it('an unknown record is asked for again if V1 does not answer at once, and the run is complete', async () => {
  let asked = 0;
  const { verification } = await stage.run({
    v1: (path) => {
      if (!path.includes('client.api/get/999999999')) return undefined;
      asked += 1;
      if (asked === 1) throw new Failure('upstreamTimeout');
      return asked === 2 ? answerOf(502, {}) : undefined;
    },
  });
  expect(asked).toBe(3);
  expect([verification.findings, verification.doubts]).toEqual([[], []]);
});

it('a refusal of V1 with status 500 is right with the expected words, and says nothing with others', async () => {
  let asked = 0;
  const { verification, patch } = await stage.run({
    v1: (path) => {
      if (path.includes('client.api/get/999999999'))
        return xmlAnswer(refusalOf('Invalid client identifier'), 500);
      if (!path.includes('staff.api/get/999999999')) return undefined;
      asked += 1;
      return xmlAnswer(refusalOf('The staff could not be found'), 500);
    },
  });
  expect(asked).toBe(3);
  expect(verification.findings).toEqual([]);
  expect(verification.doubts).toEqual([
    'what V1 says of unknown records is not known, because it gave no answer, or a fault, for the staff 999999999',
  ]);
  expect(patch).not.toContain('could not be found');
});

it('a refusal of V3 with status 500 is an answer in the expected words, and none in others', async () => {
  const asked: string[] = [];
  const { verification } = await stage.run({
    v3: async (request, pass) => {
      const [family = '', method, id] = request.segments;
      if (id?.endsWith('dead') !== true || method !== 'get') return pass(request);
      asked.push(family);
      if (family === 'client.api') return xmlAnswer(refusalOf('Invalid client identifier'), 500);
      return family === 'staff.api'
        ? xmlAnswer(refusalOf('The staff could not be found'), 500)
        : pass(request);
    },
  });
  expect(asked.filter((family) => family === 'client.api')).toHaveLength(1);
  expect(asked.filter((family) => family === 'staff.api')).toHaveLength(3);
  expect(verification.findings).toEqual([]);
  expect(verification.doubts).toEqual([
    'what V3 says of unknown records is not known, because it gave no answer, or a fault, for the staff 999999999',
  ]);
});

it('a name that is looked up in a list without records counts as not seen', async () => {
  const isSeen = async (v2: Changed): Promise<boolean | undefined> => {
    const { proofs } = (await stage.run({ v2 })).verification;
    return proofIn(proofs, 'job.list', 'v2')?.unseen.includes('Job/Type') === false;
  };
  expect(await isSeen((request, pass) => pass(request))).toBe(true);
  const none = answerOf(200, { data: [], meta: { pagination: { page: 1, per_page: 100, total_pages: 1 } } });
  expect(
    await isSeen(async (request, pass) =>
      request.segments.join('/') === 'job-categories' ? none : pass(request),
    ),
  ).toBe(false);
});

it('words of V1 for an unknown record that may name somebody are shown on the terminal only', async () => {
  const said: string[] = [];
  const words = 'Ann Lee of Hartwell may not read staff';
  const { verification, patch } = await stage.run({
    v1: (path) => (path.includes('staff.api/get/999999999') ? xmlAnswer(refusalOf(words)) : undefined),
    progress: (text) => said.push(text),
  });
  expect(verification.findings).toMatchObject([
    {
      row: 'identifiers.yaml kinds.staff.error',
      expected: 'Invalid staff identifier',
      found: 'status 200 with words that may contain values',
      edits: [],
    },
  ]);
  expect(said).toContain(`V1 says of the staff 999999999, which nobody has: "${words}"`);
  expect(JSON.stringify(verification) + patch).not.toMatch(/Hartwell|Ann Lee/);
});

it('an identifier that a record of V3 lacks gets no number', async () => {
  expect(await inventedIds().toLegacy((toLegacy) => toLegacy('task', ''))).toBe('');
});

it.each([
  ['a little more than the limit is no other limit', 600, 0],
  ['clearly more than the limit is another limit', 12_000, 1],
])('%s, and words that the report lacks are on the terminal', async (_limit, more, others) => {
  const said: string[] = [];
  const told: Changed = async (request, pass) => {
    const { status, contentType, headers, body, whole, millis } = await pass(request);
    const left = Number(headers['x-minlimit-remaining']) + more;
    const changed = { ...headers, 'x-minlimit-remaining': String(left) };
    return { status, contentType, headers: changed, body, whole, millis };
  };
  const { verification } = await stage.run({
    v3: async (request, pass) =>
      request.segments.join('/').startsWith('cost.api/get/')
        ? xmlAnswer(refusalOf('Ask Ann Lee'))
        : told(request, pass),
    v2: told,
    progress: (words) => said.push(words),
  });
  expect(verification.findings.filter(({ kind }) => kind === 'limit')).toHaveLength(others);
  expect(said.filter((words) => words.includes('Ann Lee'))).toEqual([
    'V3 cost.get was not carried out: "Ask Ann Lee"',
  ]);
});

it('a lead is closed although the list of statuses has another spelling', async () => {
  const { verification } = await stage.run({
    writes: true,
    v2: async (request, pass) =>
      request.segments.join('/') === 'lead-status'
        ? answerOf(404, { message: 'no such path' })
        : pass(request),
  });
  expect(verification.left?.filter(({ method }) => method === 'lead.add')).toEqual([
    { surface: 'v3', method: 'lead.add', isClosed: true },
    { surface: 'v2', method: 'lead.add', isClosed: true },
  ]);
});

it('a lead counts as closed only if V2 shows the new status afterwards, whatever it answers to the change', async () => {
  let changes = 0;
  const { verification } = await stage.run({
    writes: true,
    v2: async (request, pass) => {
      const body = typeof request.body === 'string' ? request.body : '';
      if (request.verb !== 'PUT' || !/^\{"leadStatusUUID":"[^"]+"\}$/.test(body)) return pass(request);
      changes += 1;
      return changes === 1 ? pass(withoutBody(request)) : answerOf(200, JSON.parse(body));
    },
  });
  expect(changes).toBe(2);
  expect(verification.left?.filter(({ method }) => method === 'lead.add')).toEqual([
    { surface: 'v3', method: 'lead.add' },
    { surface: 'v2', method: 'lead.add' },
  ]);
});

it('a run whose report cannot be written still says on the terminal which records it leaves', async () => {
  const { verification, ...files } = await stage.run({});
  const left = [{ surface: 'v2', method: 'lead.add' }] as const;
  const out = join(folder, 'taken');
  const { summary, json, words } = await writeVerification(
    async () => {
      await mkdir(join(out, 'other'), { recursive: true });
      return { ...files, verification: { ...verification, left } };
    },
    out,
    0,
  );
  expect(words).toMatch(/^the report cannot be written to \S+: .*ENOTEMPTY/);
  expect(summary).toMatch(/^Records that the run created may remain, .*: 1 of lead\.add on V2$/m);
  expect(summary).not.toContain('report.md');
  expect(JSON.parse(json)).toMatchObject({ left });
});

it('a value that a write did not keep stays in the report if the corrected write is refused', async () => {
  let updates = 0;
  const { verification } = await stage.run({
    writes: true,
    v2: async (request, pass) => {
      const [collection, id] = request.segments;
      if (collection !== 'clients' || id === undefined) return pass(request);
      if (request.verb !== 'PUT') return renamedIn(await pass(request));
      updates += 1;
      if (updates > 1) return answerOf(422, { message: 'Ann Lee may not do that' });
      const sent = JSON.parse(request.body as string) as object;
      return renamedIn(await pass({ ...request, body: JSON.stringify({ ...sent, fax: undefined }) }));
    },
  });
  expect(updates).toBeGreaterThan(1);
  expect(verification.findings).toContainEqual(
    expect.objectContaining({ kind: 'kept', surface: 'v2', row: 'client.update Fax', edits: [] }),
  );
});

it('the words of a service in the sentence about a half-done write are not in the report', async () => {
  const { verification } = await stage.run({
    writes: true,
    v2: async (request, pass) => {
      const [collection, id] = request.segments;
      const isReadBack = collection === 'jobs' && id !== undefined && request.verb === 'GET';
      return isReadBack ? answerOf(422, { message: 'Job of Ann Lee is locked' }) : pass(request);
    },
  });
  expect(JSON.stringify(verification)).not.toContain('Ann Lee');
});

/** The name of a client's telephone number is another one than in the mapping. */
function renamedIn(answer: UpstreamAnswer): UpstreamAnswer {
  const { status, whole } = answer;
  return answerOf(status, JSON.parse(String(whole).replaceAll('"phone"', '"telephone"')) as object);
}
