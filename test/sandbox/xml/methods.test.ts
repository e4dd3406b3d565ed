import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { XmlElement } from '../../../src/lib/xml/element.ts';
import { readDocument } from '../../../src/lib/xml/read.ts';
import { operations } from '../../../src/sandbox/xml/operation.ts';
import { type Case, cases } from './cases.ts';
import { disorder, type Ids } from './order.ts';
import { defaultSwitches, refusal, Service } from './service.ts';
import { type Form, inForm, rootOf, seedWorld } from './world.ts';

let service: Service;
/** Whether anything but a read was sent to it: reads share a world, which takes longer to make than they do. */
let isSpent = true;

beforeEach(async () => {
  if (isSpent) {
    service = await Service.start();
    await seedWorld(service);
    isSpent = false;
  }
  service.switches = defaultSwitches;
});

afterEach(async () => {
  if (isSpent) await service.stop();
  expect(service.errors).toEqual([]);
});

afterAll(async () => {
  if (!isSpent) await service.stop();
});

const send: Service['call'] = (verb, ...rest) => {
  if (verb !== 'GET') isSpent = true;
  return service.call(verb, ...rest);
};

/** Of a method with two paths the first is called. */
const methods = [...new Map(operations.toReversed().map((operation) => [operation.id, operation])).values()]
  .toReversed()
  .map(({ id, verbs }) => ({ id, verb: verbs[0] }));

const caseOf = (id: string): Case => {
  const found = cases[id];
  if (!found) throw new Error(`${id} has no case`);
  return found;
};

/** As the method needs it: relationships exist with the practice management module only. */
const prepare = (id: string): Case => {
  const found = caseOf(id);
  if (found.isPractice) service.switches = { ...defaultSwitches, practice: 'NZ' };
  return found;
};

/** The aid of the transition is there where the numbers are. */
const isServed = (form: Form, id: string): boolean => form === 'v1' || id !== 'uuid.maps';

const call = async (form: Form, verb: string, path: string, body?: string) =>
  send(
    verb,
    `${rootOf(form)}/${inForm(form, path)}`,
    verb === 'GET' || body === undefined ? undefined : inForm(form, body),
  );

/** The children of Response behind Status. */
function answered(text: string, apiMethod: string): readonly XmlElement[] {
  const root = readDocument(text.replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\r\n/, ''));
  expect([root.name, root.attributes]).toEqual(['Response', [['api-method', apiMethod]]]);
  const [status, ...rest] = root.children;
  expect([status?.name, status?.text]).toEqual(['Status', 'OK']);
  return rest;
}

/** Every element but the scalars before the list (`Records`). */
function check(answer: Case['answer'], rest: readonly XmlElement[], ids: Ids): void {
  if (answer === 'Status') {
    expect(rest).toEqual([]);
    return;
  }
  if (answer === 'Identifier' || answer === 'Number') {
    const isNumber = answer === 'Number';
    expect(rest[0]?.name).toBe(ids === 'uuid' && !isNumber ? 'UUID' : 'ID');
    expect(rest[0]?.text).toMatch(isNumber ? /^[QP]\d{6}$/ : ids === 'uuid' ? /^[\da-f-]{36}$/ : /^\d{7}$/);
    return;
  }
  const record = rest.at(-1);
  if ('record' in answer) {
    expect(record?.name).toBe(answer.record);
    expect(record && disorder(answer.as ?? answer.record, record, ids)).toEqual([]);
    return;
  }
  expect(record?.name).toBe(answer.list);
  expect(record?.children.length).toBeGreaterThan(0);
  for (const one of record?.children ?? []) {
    expect(one.name).toBe(answer.of);
    expect(disorder(answer.as ?? answer.of, one, ids)).toEqual([]);
  }
}

const apiMethodOf = (path: string): string => {
  const method = path.split(/[/?]/)[1] ?? '';
  return method.charAt(0).toUpperCase() + method.slice(1);
};

describe.each<Form>(['v1', 'v3'])('a method on %s', (form) => {
  const served = methods.filter(({ id }) => isServed(form, id));

  it.each(served)('$id gives the documented reply, in its element order', async ({ id, verb }) => {
    const { path, body, answer } = prepare(id);
    const reply = await call(form, verb, path, body);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/xml; charset=utf-8');
    check(answer, answered(reply.text, apiMethodOf(path)), form === 'v1' ? 'id' : 'uuid');
  });

  it.each(served.filter(({ id }) => caseOf(id).wrong))('$id refuses invalid input', async ({ id, verb }) => {
    const { path, body, wrong } = prepare(id);
    if (!wrong) throw new Error('filtered');
    const reply = await call(form, verb, wrong.path ?? path, wrong.body ?? body);
    const words = form === 'v3' ? (wrong.v3Says ?? wrong.says) : wrong.says;
    expect(reply.text).toBe(refusal(apiMethodOf(path), words));
    expect(reply.status).toBe(wrong.isUnanswered ? (form === 'v1' ? 500 : 400) : 200);
  });

  it.each(methods.filter(({ verb }) => verb === 'POST' || verb === 'PUT'))(
    '$id refuses a message with another root, and an empty one',
    async ({ id, verb }) => {
      const { path, body } = prepare(id);
      if (body === undefined) return;
      for (const given of ['<Nothing/>', '']) {
        const reply = await call(form, verb, path, given);
        expect(reply.text).toMatch(/required element was missing - \/|The client name is required/);
        expect(reply.status).toBe(200);
      }
    },
  );
});

describe('a method in transition mode', () => {
  it.each(methods)('$id has UUID last, and keeps the numbers', async ({ id, verb }) => {
    const { path, body, answer } = prepare(id);
    const query = path.includes('?') ? '&' : '?';
    const reply = await call('v1', verb, `${path}${query}uuidMode=transition`, body);
    check(answer, answered(reply.text, apiMethodOf(path)), 'both');
  });
});

describe('a method on V3 with numbers', () => {
  it.each(methods)('$id behaves as on V1, including InternalID', async ({ id, verb }) => {
    const { path, body, answer } = caseOf(id);
    if (verb !== 'GET' || !isServed('v3', id)) return;
    const v1 = await call('v1', verb, path, body);
    service.switches = { ...defaultSwitches, v3Identifiers: 'number' };
    const reply = await send(verb, `3.0/${inForm('v1', path)}`);
    check(answer, answered(reply.text, apiMethodOf(path)), 'id');
    const links = /http:\/\/service\.example\/[^<]*/g;
    expect(reply.text.replace(links, '')).toBe(v1.text.replace(links, ''));
  });
});

describe('a method of the practice variant', () => {
  const absent = (id: string): boolean =>
    /^(lead|supplier|purchaseorder|customfield\.(lead|supplier|suppliercontact))\./.test(id);

  it.each(methods)('$id exists on V3 unless it is for leads, suppliers or orders', async ({ id, verb }) => {
    service.switches = { ...defaultSwitches, practice: 'NZ' };
    const { path, body } = caseOf(id);
    expect((await call('v3', verb, path, body)).status).toBe(absent(id) || !isServed('v3', id) ? 404 : 200);
    expect((await call('v1', verb, path, body)).status).toBe(200);
  });
});

describe('a method of another organisation', () => {
  const withIdentifiers = methods.filter(({ id }) =>
    /\{|J0000|INV-|Q0000|P0000/.test(JSON.stringify([caseOf(id).path, caseOf(id).body])),
  );

  it.each(withIdentifiers)('$id does not see the records of the first one', async ({ id, verb }) => {
    const { path, body } = prepare(id);
    for (const form of ['v1', 'v3'] as const) {
      const reply = await send(
        verb,
        `${rootOf(form)}/${inForm(form, path)}`,
        body === undefined ? undefined : inForm(form, body),
        { organisation: 'two' },
      );
      expect(reply.text).toMatch(/<ErrorDescription>Invalid [a-z ]+<\/ErrorDescription>/);
    }
  });
});
