import { afterEach, describe, expect, it } from '@jest/globals';
import { STEP } from '../../src/lib/time/turn.ts';
import { turnsDuring } from '../support/turns.ts';
import {
  anyRecord,
  ask,
  callOf,
  closeWorlds,
  json,
  ok,
  pair,
  refusal,
  textOf,
  uuid,
  world,
} from './world.ts';

afterEach(closeWorlds);

const MIB = 1_048_576;
const CLIENT = uuid('c1', 1);
const pairs = [pair('client', 1000000, CLIENT)];

const upload = (content: string): string =>
  `<Document><ClientID>1000000</ClientID><Title>t</Title><FileName>f.pdf</FileName><Content>${content}</Content></Document>`;

/** The services answer at once, so that all turns there are were given. */
describe('the largest messages yield to other work after each step', () => {
  const body = upload('QUJD'.repeat((31 * MIB) / 4));
  const steps = body.length / STEP;

  it('if they are a document for V3, while it is read and while it is written', async () => {
    const to = await world({ pairs, v3: () => ok(`<UUID>${uuid('d0', 1)}</UUID>`) });
    const { value, turns } = await turnsDuring(() => ask(to, 'POST client.api/document', { body }));
    expect(value).toContain('<Status>OK</Status>');
    expect(to.v3.sent.length).toBeGreaterThan(31 * MIB);
    expect(turns).toBeGreaterThan(1.9 * steps);
  });

  it('if they are a document for V2, while it is read and while it is decoded', async () => {
    const to = await world({ pairs, v2: () => json({ uuid: uuid('d0', 1) }) });
    const { value, turns } = await turnsDuring(() => ask(to, 'POST client.api/document', { body }));
    expect(value).toContain('<Status>OK</Status>');
    const [request] = to.v2.requests;
    expect(
      typeof request?.body === 'object' && 'bytes' in request.body && request.body.bytes.length,
    ).toBeGreaterThan(23 * MIB);
    expect(turns).toBeGreaterThan(1.9 * steps);
  });

  it('if they are a document that is refused at its end', async () => {
    const to = await world({ pairs, v3: () => ok() });
    const { value, turns } = await turnsDuring(() =>
      refusal(to, 'POST client.api/document', { body: body.slice(0, -1) }),
    );
    expect(value.code).toBe('malformedXml');
    expect(turns).toBeGreaterThan(0.9 * steps);
  });

  it('if they are a message of 1 MiB', async () => {
    const to = await world({ pairs, v3: () => anyRecord() });
    const long = `<Client><Name>${'&amp;é'.repeat(145_000)}</Name></Client>`;
    const { turns } = await turnsDuring(() => ask(to, 'POST client.api/add', { body: long }));
    expect(to.v3.requests).toHaveLength(1);
    expect(turns).toBeGreaterThan((1.5 * long.length) / STEP);
  });

  it('if they are a message of twenty thousand elements', async () => {
    const to = await world({ pairs, v3: () => anyRecord() });
    const contacts = '<Contact><Name>y</Name></Contact>'.repeat(9_900);
    const long = `<Client><Name>x</Name><Contacts>${contacts}</Contacts></Client>`;
    const { turns } = await turnsDuring(() => ask(to, 'POST client.api/add', { body: long }));
    expect(to.v3.requests).toHaveLength(1);
    expect(turns).toBeGreaterThan((1.5 * long.length) / STEP);
  });
});

describe('the largest replies yield to other work after each step', () => {
  it('if they are a page of V2 with everything in it', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => ({
      uuid: uuid('fa', at + 1),
      name: `Template ${'x'.repeat(1_000)}`,
    }));
    const body = JSON.stringify({ data: rows, meta: { pagination: { page: 1, total_pages: 1 } } });
    const learned = rows.map((row, at) => pair('template', at + 1, row.uuid));
    const to = await world({ pairs: learned, v2: () => ({ body }) });
    const { value, turns } = await turnsDuring(async () =>
      textOf(await to.bridge.serve(callOf('GET template.api/list'))),
    );
    expect(value.match(/<Template>/g)).toHaveLength(20_000);
    expect(turns).toBeGreaterThan((0.9 * body.length) / STEP);
  });
});
