import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../../src/sandbox/json/operations.ts';
import { type Answer, Playground } from '../playground.ts';
import { type DescribedOperation, ServedDocument } from './served.ts';

/** `id METHOD path [aliases]`, one line each, written down from the reference. */
const known = readFileSync(join(import.meta.dirname, 'operations.txt'), 'utf8')
  .trim()
  .split('\n');

type Node = Readonly<Record<string, unknown>>;
interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: Node;
}

let sandbox: Playground;
let document: OpenApi;
beforeAll(async () => {
  sandbox = await Playground.open();
  document = (await sandbox.call('/v2/openapi.json')).json as unknown as OpenApi;
});
afterAll(() => sandbox.close());

const described = (): readonly (readonly [path: string, verb: string, DescribedOperation])[] =>
  Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, one]) => [path, verb, one] as const),
  );

describe('the list of operations', () => {
  it('has every operation of the reference, with its path and other spellings, and no other', () => {
    const here = operations.map(({ id, method, path, aliases = [] }) =>
      [id, method, `/v2${path}`, ...aliases.map((alias) => `/v2${alias}`)].join(' '),
    );
    expect([...here].sort()).toEqual([...known].sort());
  });

  it('has the 56 operations of the endpoint table', () => {
    expect(operations.filter(({ isInTable = true }) => isInTable)).toHaveLength(56);
  });

  it('has an example for every body', () => {
    expect(operations.filter(({ body, example }) => body && example === undefined)).toEqual([]);
  });
});

describe('the OpenAPI document', () => {
  it('is served to everyone, as 3.1', () => {
    expect(document.openapi).toBe('3.1.0');
  });

  it('is valid', async () => {
    const { json } = await sandbox.call('/v2/openapi.json');
    expect(await new Validator().validate({ ...json })).toEqual({ valid: true });
  });

  it('is invalid if it has a parameter that is not in a path', async () => {
    const { json } = await sandbox.call('/v2/openapi.json');
    const paths = { '/x': { get: { parameters: [{ name: 'x', schema: {} }], responses: {} } } };
    expect((await new Validator().validate({ ...json, paths })).valid).toBe(false);
  });

  it('describes each spelling of each operation once, under an id of its own', () => {
    const ids = described().map(([, , { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/\.alias\d$/.test(id)).sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  it('declares exactly the parameters of each path', () => {
    for (const [path, , { parameters }] of described()) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(named);
      const names = parameters.map((one) => `${one.in} ${one.name}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('has for each body an example that fits its schema', async () => {
    const served = await ServedDocument.of(sandbox);
    const examples = described().flatMap(([path, verb, { requestBody }]) => {
      const example = requestBody?.content['application/json']?.example;
      return example === undefined ? [] : [[verb, path, example] as const];
    });
    expect(examples.length).toBeGreaterThan(operations.filter(({ body }) => body).length);
    for (const [verb, path, example] of examples)
      expect([verb, path, served.problemsOfBody(verb, path, example)]).toEqual([verb, path, []]);
  });

  it('has no broken references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, to]) => to ?? '',
    );
    expect(references.length).toBeGreaterThan(500);
    for (const to of new Set(references)) {
      const found = to.split('/').reduce<unknown>((node, key) => (node as Node | undefined)?.[key], document);
      expect([to, typeof found]).toEqual([to, 'object']);
    }
  });

  it('describes how each operation can fail', () => {
    for (const [path, verb, { responses, requestBody }] of described()) {
      const statuses = Object.keys(responses);
      expect(statuses).toEqual(expect.arrayContaining(['400', '401', '403', '429', '500']));
      expect(statuses.includes('404')).toBe(path.includes('{') || verb === 'delete');
      for (const status of ['409', '413', '415', '422'])
        expect(statuses.includes(status)).toBe(requestBody !== undefined);
    }
  });
});

describe('a reply compared with the document', () => {
  const problems = async (status: number, json: Answer['json'], path = '/taxes') => {
    const headers = new Headers({ 'x-request-id': 'r', 'content-type': 'application/json; charset=utf-8' });
    return (await ServedDocument.of(sandbox)).problemsOf('GET', path, { status, json, headers, text: '' });
  };
  const pagination = { page: 1, per_page: 100, total_pages: 0, total_items: 0 };
  const empty = { data: [], meta: { request_id: 'r', pagination } };

  it('is found wrong if a status, a field, a type or a path is undocumented', async () => {
    expect(await problems(200, empty)).toEqual([]);
    expect(await problems(201, empty)).toEqual(['v2.taxes.list does not tell of 201']);
    expect(await problems(200, { ...empty, more: 1 })).toHaveLength(1);
    expect(await problems(200, { ...empty, data: [{ uuid: 7 }] })).not.toEqual([]);
    expect(await problems(401, empty)).not.toEqual([]);
    expect(await problems(200, empty, '/nowhere')).toEqual(['GET /nowhere is not described']);
  });
});

describe('the documentation page', () => {
  it.each(['/v2/', '/v2/docs'])('is at %s and shows every operation', async (path) => {
    const { status, text, headers } = await sandbox.call(path);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const { path: each, method } of operations) expect(text).toContain(`${method} /v2${each}`);
  });
});
