import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { z } from 'zod';
import { isKnown, legacyRefusal } from '../../src/proxy/translate/json/refusal-words.ts';
import { requestElement, spelledElement } from '../../src/proxy/translate/json/request-elements.ts';
import { checked } from '../../src/sandbox/json/http/body.ts';
import { JsonRefusal } from '../../src/sandbox/json/operation/refusal.ts';
import { operations } from '../../src/sandbox/json/operations.ts';
import { deliveredMapping } from '../support/mapping.ts';

/** What makes a refusal of V2 in the sandbox. */
const REFUSING = new Set([
  'invalid',
  'conflict',
  'badRequest',
  'wrong',
  'fieldErrors',
  'refine',
  'JsonRefusal',
]);

/** The sentences in the calls that refuse; what a template takes from elsewhere is 7. */
function messagesIn(path: string): readonly string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node, refuses: boolean): void => {
    const called = ts.isCallExpression(node) || ts.isNewExpression(node) ? node.expression : undefined;
    const name = called && (ts.isPropertyAccessExpression(called) ? called.name : called).getText(source);
    const isIn = refuses || (name !== undefined && REFUSING.has(name));
    if (isIn && ts.isStringLiteralLike(node)) found.push(node.text);
    if (isIn && ts.isTemplateExpression(node))
      found.push(node.head.text + node.templateSpans.map(({ literal }) => `7${literal.text}`).join(''));
    node.forEachChild((child) => {
      visit(child, isIn);
    });
  };
  visit(source, false);
  return found.filter((text) => text.includes(' '));
}

const WRONG = [
  null,
  1.5,
  -1e15,
  1e15,
  '',
  ' ',
  'x',
  'x'.repeat(100_001),
  {},
  [],
  [1],
  [{}],
  true,
  '2026-02-30',
];

/** Values that are wrong somewhere, by the schema of a body. */
function* wrongFor(schema: z.ZodType): Generator {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    yield* wrongFor(schema.unwrap() as z.ZodType);
    return;
  }
  yield undefined;
  yield* WRONG;
  if (schema instanceof z.ZodArray) for (const item of wrongFor(schema.element as z.ZodType)) yield [item];
  if (!(schema instanceof z.ZodObject)) return;
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
  for (const [key, inner] of Object.entries(shape))
    for (const value of wrongFor(inner)) yield { [key]: value };
}

function checkersMessages(): ReadonlySet<string> {
  const told = new Set<string>();
  for (const body of operations.flatMap((operation) => operation.body ?? []))
    for (const value of wrongFor(body))
      try {
        checked(body, value);
      } catch (error) {
        if (!(error instanceof JsonRefusal)) throw error;
        for (const { message } of [error, ...error.fields]) told.add(message);
      }
  return told;
}

const SANDBOX = 'src/sandbox/json';
const written = readdirSync(SANDBOX, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) => messagesIn(join(SANDBOX, path)));

describe('a message of V2 about a request', () => {
  it("is in the table, for every text in the sandbox's code", () => {
    expect(written).toContain('endTime must be after startTime');
    expect(written).toContain('must not be empty');
    expect(written.filter((message) => !isKnown(message))).toEqual([]);
  });

  it("is in the table, for every text of the sandbox's checker", () => {
    const told = [...checkersMessages()];
    expect(told).toContain('Invalid input: expected number, received string');
    expect(told).toContain('must not be empty');
    expect(told.filter((message) => !isKnown(message))).toEqual([]);
  });

  it('never reaches the program with a JSON name or type', () => {
    for (const message of [...written, ...checkersMessages()]) {
      const words = legacyRefusal({ message, field: 'costs[0].unitCost' }, spelledElement) ?? '';
      expect(words).not.toMatch(/JSON|unitCost|field|expected (?!format)|received|UUID/);
      expect(words).toMatch(/^$|^[A-Z]/);
    }
  });
});

const method = (id: string) => deliveredMapping().methods.find((one) => one.id === id);

/** Expected words: those of V1 (`Invalid job identifier`, a missing element by its path). */
describe('the V1 text for a message of V2', () => {
  it.each([
    ['client.add', 'name', 'name is required', '/Client/Name'],
    ['job.add', 'jobName', 'must not be empty', '/Job/Name'],
    ['job.task.add', 'taskUUID', 'taskUUID is required', '/Task/TaskID'],
  ])('of %s names the path of the missing element: %s', (id, field, message, path) => {
    expect(told(id, field, message)).toBe(
      `Message not in expected format. The following required element was missing - ${path}`,
    );
  });

  it.each([
    ['job.add', 'clientUUID', 'clientUUID names no client', 'Invalid client identifier'],
    ['lead.add', 'ownerUUID', 'ownerUUID names no staff member', 'Invalid owner'],
    ['job.add', 'contactUUID', 'contactUUID names a contact of another client', 'Invalid contact identifier'],
    ['job.add', 'jobNumber', 'jobNumber is used by another job', 'The job number J7 is already in use'],
    ['job.add', 'dueDate', 'dueDate must not be before startDate', 'Invalid value for DueDate'],
    ['time.add', 'endTime', 'endTime must be after startTime', 'Invalid value for End'],
    [
      'job.cost.add',
      'unitCost',
      'Too big: expected number to be <=1000000000000',
      'Invalid value for UnitCost',
    ],
    [
      'customfield.job.put',
      'customFields[1].uuid',
      'names no custom field of this kind of record',
      'Invalid custom field identifier',
    ],
    ['job.add', undefined, 'The body must be an object.', undefined],
    ['job.add', undefined, 'Invalid input: expected object, received array', undefined],
    ['job.add', 'name', 'Closed for holidays', 'Closed for holidays'],
    ['client.add', 'name', 'The client name is required', 'The client name is required'],
    [
      'client.document.add',
      'content',
      'Invalid base64-encoded string',
      'The content of the document is not base64',
    ],
    ['clientgroup.members', 'uuid', 'uuid names no client', 'Invalid client identifier'],
    ['job.assign', 'staff[0].uuid', 'staff names no staff member', 'Invalid staff identifier'],
    ['job.add', 'templateUUIDs[0]', 'templateUUIDs names no job template', 'Invalid template identifier'],
  ])('%s: of %s, "%s" becomes "%s"', (id, field, message, words) => {
    expect(told(id, field, message)).toBe(words);
  });

  function told(id: string, field: string | undefined, message: string): string | undefined {
    const { kinds } = deliveredMapping();
    const found = method(id);
    const steps = found?.v2?.way === 'steps' ? found.v2.steps : [];
    // Of several, the first that puts a value of its own into the JSON.
    const step = steps.find(({ body }) => body !== undefined && body.set.length > 0);
    const from = { body: found?.body, step: step ?? { body: undefined, each: undefined } };
    return legacyRefusal({ message, field }, (name) => requestElement(name, from, { ID: 'J7' }, kinds));
  }
});
