import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { XmlElement } from '../../src/lib/xml/element.ts';
import { readTrusted } from '../../src/lib/xml/second/trusted.ts';
import { fc } from '../support/random.ts';
import { ask, closeWorlds, ok, pair, uuid, world, writtenBody, type Played, type World } from './world.ts';

/** What legacy programs have been sent by people: quotes, markup, other scripts, control and invisible characters. */
const naughty = [
  '',
  ' ',
  '  leading and trailing  ',
  'undefined',
  'null',
  'NaN',
  '00123',
  '1e3',
  '0x1F',
  '9007199254740993',
  '-12.5000',
  'true',
  '__proto__',
  'constructor',
  'toString',
  "'; DROP TABLE clients; --",
  '<script>alert(1)</script>',
  ']]>',
  '<![CDATA[x]]>',
  '<!-- x -->',
  '<?xml version="1.0"?>',
  '<!DOCTYPE a>',
  '</Name></Client>',
  '&amp;',
  '&amp;amp;',
  '&#65;',
  '&#x41;',
  '&nbsp;',
  '&',
  '"double" and \'single\'',
  'a\tb',
  'a\nb',
  'Ω≈ç√∫˜µ≤≥÷',
  '田中さんにあげて下さい',
  'مُنَاقَشَةُ سُبُلِ',
  'Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮',
  '👨‍👩‍👧‍👦 🇳🇿',
  '\u200B\u200E\u202E\uFEFF',
  '\u0085\u2028\u2029',
  '\u00A0',
  '𝒳\u{1F600}\u{10FFFD}',
  '../../etc/passwd',
  '%00%0d%0a',
  '=cmd()',
  'c1000000-0000-4000-8000-000000000001',
];

const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\r]/gu;

const value = fc.oneof(
  fc.constantFrom(...naughty),
  fc.string({ unit: 'binary' }).map((text) => text.replace(forbidden, '').toWellFormed()),
  fc.string({ unit: 'grapheme' }),
);

/** Columns of the record `Contact` (XML specification, "Contact") and of a client, in the order of the reply. */
const contactFields = [
  'Name',
  'Mobile',
  'Email',
  'Phone',
  'Position',
  'Salutation',
  'Addressee',
  'IsPrimary',
];
const clientFields = [
  ...['Name', 'Email', 'DateOfBirth', 'Address', 'City', 'Region', 'PostCode', 'Country'],
  ...['PostalAddress', 'PostalCity', 'PostalRegion', 'PostalPostCode', 'PostalCountry', 'Phone', 'Fax'],
  ...['Website', 'ReferralSource', 'ExportCode', 'IsProspect', 'IsArchived', 'IsDeleted'],
];
const noteFields = ['Title', 'Text', 'Folder', 'Date', 'CreatedBy'];
/** Left out of a reply where they are empty. */
const omitted = new Set(['Email', 'DateOfBirth']);

type Fields = Readonly<Record<string, string>>;

const record = (names: readonly string[]): fc.Arbitrary<Fields> =>
  fc.record(Object.fromEntries(names.map((name) => [name, value])));

interface Client {
  readonly number: number;
  readonly fields: Fields;
  readonly manager: string | undefined;
  readonly contacts: readonly Fields[];
  readonly notes: readonly Fields[];
}

const client: fc.Arbitrary<Client> = fc.record({
  number: fc.integer({ min: 1, max: 20 }),
  fields: record(clientFields),
  manager: fc.option(
    value.filter((text) => text !== ''),
    { nil: undefined },
  ),
  contacts: fc.array(record(contactFields), { maxLength: 3 }),
  notes: fc.array(record(noteFields), { maxLength: 2 }),
});

/** References where the other side needs them, and in places where it does not: both must be read. */
const escaped = (text: string): string =>
  text.replace(/[&<>"\t]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);

const xml = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, text]) => `<${name}>${escaped(text)}</${name}>`)
    .join('');

/** The client as V3 would answer it. */
function v3Form({ number, fields, manager, contacts, notes }: Client): string {
  const reference =
    manager === undefined
      ? ''
      : `<AccountManager><UUID>${uuid('5a', 7)}</UUID><Name>${escaped(manager)}</Name></AccountManager>`;
  const people = contacts.map(
    (contact, index) => `<Contact><UUID>${uuid('c0', index + 1)}</UUID>${xml(contact)}</Contact>`,
  );
  return `<Client><UUID>${uuid('c1', number)}</UUID>${xml(fields)}${reference}<Contacts>${people.join('')}</Contacts><Notes>${notes.map((note) => `<Note>${xml(note)}</Note>`).join('')}</Notes></Client>`;
}

const child = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((candidate) => candidate.name === name);

const textsOf = (element: XmlElement | undefined, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, child(element, name)?.text ?? '(absent)']));

const asReplied = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [
      name,
      text === '' && omitted.has(name) ? '(absent)' : text,
    ]),
  );

const pairs = [
  ...Array.from({ length: 20 }, (_, index) => pair('client', index + 1, uuid('c1', index + 1))),
  ...Array.from({ length: 3 }, (_, index) => pair('contact', index + 1, uuid('c0', index + 1))),
  pair('staff', 7, uuid('5a', 7)),
];

/** One world for all runs: what V3 answers is put into it. */
let to: World;
let answer: Played = {};

beforeAll(async () => {
  to = await world({ pairs, v3: () => answer });
});
afterAll(closeWorlds);

const root = (text: string): XmlElement => readTrusted(text.replace(/^<\?xml[^>]*\?>\r\n/, ''));

describe('every value is preserved', () => {
  it('from V3 to the legacy form', async () => {
    await fc.assert(
      fc.asyncProperty(client, async (one) => {
        answer = ok(v3Form(one));
        const text = await ask(to, `GET client.api/get/${one.number}`);
        const got = child(root(text), 'Client');
        expect(got?.children.slice(0, 2).map(({ name }) => name)).toEqual(['ID', 'Name']);
        expect(child(got, 'ID')?.text).toBe(String(one.number));
        expect(textsOf(got, clientFields)).toEqual(asReplied(one.fields));
        expect(child(child(got, 'AccountManager'), 'Name')?.text).toBe(one.manager);
        const contacts = child(got, 'Contacts')?.children ?? [];
        expect(contacts.map((contact) => child(contact, 'ID')?.text)).toEqual(
          one.contacts.map((_, index) => String(index + 1)),
        );
        expect(contacts.map((contact) => textsOf(contact, contactFields))).toEqual(one.contacts);
        expect(child(got, 'Notes')?.children.map((note) => textsOf(note, noteFields))).toEqual(one.notes);
        expect(text).not.toContain(uuid('c0', 1));
      }),
      { numRuns: 300 },
    );
  });

  it('in every record of a list, in order, however the reply is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(client, { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }),
        async (clients, sizes) => {
          const bytes = Buffer.from(
            `<Response><Status>OK</Status><Clients>${clients.map(v3Form).join('')}</Clients></Response>`,
          );
          async function* cut(): AsyncGenerator<Buffer> {
            for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
              const size = sizes[turn % sizes.length] ?? 1;
              yield bytes.subarray(at, at + size);
              at += size;
            }
          }
          answer = { body: cut() };
          const list = child(root(await ask(to, 'GET client.api/search?query=x')), 'Clients');
          expect(list?.children.map((one) => child(one, 'ID')?.text)).toEqual(
            clients.map(({ number }) => String(number)),
          );
          expect(list?.children.map((one) => textsOf(one, clientFields))).toEqual(
            clients.map(({ fields }) => asReplied(fields)),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it('from the legacy form to V3', async () => {
    const sentFields = contactFields.filter((name) => name !== 'Name');
    await fc.assert(
      fc.asyncProperty(record(sentFields), value, async (fields, given) => {
        const name = `n${given}`;
        answer = ok();
        const before = to.v3.requests.length;
        await ask(to, 'PUT client.api/contact/1', {
          body: `<Contact>${xml(fields)}<Name>${escaped(name)}</Name></Contact>`,
        });
        const request = to.v3.requests[before];
        const sent = readTrusted(writtenBody(request).replace(/^<\?xml[^>]*\?>/, ''));
        expect(textsOf(sent, ['Name', ...sentFields])).toEqual({ Name: name, ...fields });
        expect(sent.children.length).toBe(contactFields.length);
        expect(request?.segments).toEqual(['client.api', 'contact', uuid('c0', 1)]);
      }),
      { numRuns: 300 },
    );
  });
});
