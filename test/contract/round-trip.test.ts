import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { XmlElement } from '../../src/lib/xml/element.ts';
import { escapeText } from '../../src/lib/xml/text.ts';
import type { RecordRow, RecordTable } from '../../src/mapping/compile/model.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { Service, ways, type Seed, type Way } from './four-ways.ts';
import { jobSeed } from './jobSeed.ts';
import { fits } from './losses.ts';
import { commands, kindsOfRecords, type Kind, type Read } from './kinds.ts';
import { API_KEY } from './lanes.ts';
import { studioSeed } from './seed.ts';
import { tradeSeed } from './tradeSeed.ts';

/**
 * Reading and writing back is harmless: whatever a program reads by one route and sends back unchanged by another changes
 * nothing in the service, be it taken or refused. What a route left empty because V2 does not tell it must not come back
 * as an element that somebody has emptied.
 */

/** What is sent back. */
interface Request {
  readonly verb: string;
  readonly path: string;
  readonly body: string;
}

/** Where a record has the value of an element that is sent under another name. */
const elsewhere: Readonly<Record<string, readonly (readonly string[])[]>> = {
  AccountManagerID: [['AccountManager', 'ID']],
  BillingClientID: [['BillingClient', 'ID']],
  JobManagerID: [['JobManager', 'ID']],
  SupplierID: [['Supplier', 'ID']],
  ClientNumber: [['ClientOrderNumber']],
  WebSite: [['Website']],
  Job: [['Job', 'ID']],
  Task: [['Task', 'ID']],
  Staff: [['Staff', 'ID']],
};

const mapping = deliveredMapping();
const bodyOf = (id: string): { readonly root: string; readonly of: RecordTable } => {
  const body = mapping.methods.find((method) => method.id === id)?.body;
  if (body === undefined) throw new Error(`${id} has no body`);
  return body;
};

const under = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

/** The record as a request: of its elements those that the method takes, with the texts they came with. */
function sentBack(record: XmlElement, method: string): string {
  const { root, of } = bodyOf(method);
  return inside(record, root, of);
}

function inside(record: XmlElement, name: string, { rows }: RecordTable): string {
  const inner = rows.flatMap((row) => written(record, row)).join('');
  return `<${name}>${inner}</${name}>`;
}

function written(record: XmlElement, row: RecordRow): readonly string[] {
  if (row.holds !== 'value' && row.holds !== 'one')
    return record.children
      .filter(({ name }) => name === row.element)
      .map((child) => (row.holds === 'many' ? inside(child, row.element, row.of) : ''));
  const places = elsewhere[row.element] ?? [[row.element]];
  const [found] = places.flatMap((names) => {
    const element = names.reduce<XmlElement | undefined>((at, name) => under(at, name), record);
    return element === undefined || element.children.length > 0 ? [] : element;
  });
  return found === undefined ? [] : [`<${row.element}>${escapeText(found.text)}</${row.element}>`];
}

const filled = (text: string, record: XmlElement): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(under(record, name)?.text ?? ''));

/** Generated clients with their jobs, by a fixed seed. */
const random = {
  name: 'Random Studio',
  accountKey: 'A000000000000000000000000000C0FF',
  apiKeys: [API_KEY],
  users: [{ name: 'Rae Owner', email: 'rae@random.example' }],
  generate: { clients: 5, seed: 13 },
};

/** What differs, and what was sent that made it so. */
async function changes(
  service: Service,
  way: Way,
  requests: readonly Request[],
  derived?: string,
): Promise<{ readonly taken: number; readonly changed: readonly string[] }> {
  let taken = 0;
  const changed: string[] = [];
  for (const { verb, path, body } of requests) {
    const answer = await service.send(way, verb, path, body);
    if (under(answer, 'Status')?.text === 'OK') taken += 1;
    const differing = service.watch.changes(derived);
    if (differing.length > 0) changed.push([`${verb} ${path} ${body}`, ...differing].join('\n  '));
  }
  return { taken, changed };
}

async function requestsOf(
  service: Service,
  way: Way,
  kind: Kind,
  only?: readonly XmlElement[],
): Promise<readonly Request[]> {
  const [verb = '', path = ''] = kind.write.split(' ');
  const requests = new Map<string, Request>();
  const known: XmlElement[] = [...(only ?? [])];
  for (const [read, ...names] of kind.reads) {
    const asked = read.includes('{')
      ? known.map((record) => [filled(read, record), record] as const)
      : [[read, undefined] as const];
    for (const [line, owner] of asked)
      for (const record of await service.records(way, line, names)) {
        if (only === undefined) known.push(record);
        if (record.children.length === 0) continue;
        const body = sentBack(record, kind.method);
        const to = filled(path, owner !== undefined && only !== undefined ? owner : record);
        requests.set(`${to} ${body}`, { verb, path: to, body });
      }
  }
  return [...requests.values()];
}

const seeds = [
  ['clients and custom fields', studioSeed],
  ['jobs', jobSeed],
  ['costs, suppliers and times', tradeSeed],
  ['whatever chance has made', random],
] as unknown as readonly (readonly [title: string, seed: Seed])[];

it('every method that changes a record is tried with a record as it was read', () => {
  const asked = [...kindsOfRecords.map(({ method }) => method), ...commands];
  const changing = mapping.methods.filter(
    ({ legacy }) =>
      legacy.some(({ verbs }) => verbs.includes('PUT')) &&
      !legacy.some(({ verbs }) => verbs.includes('POST')),
  );
  expect(changing.flatMap(({ id }) => (asked.includes(id) ? [] : id))).toEqual([]);
});

it('every read that shows a record which can be sent back is called', () => {
  const families = new Set(kindsOfRecords.map(({ method }) => method.split('.')[0] ?? ''));
  const paths = kindsOfRecords.flatMap(({ reads, of }) =>
    [...reads, ...(of ? [of] : [])].map(([path]) => path),
  );
  const unread = mapping.methods.filter(
    ({ id, legacy, reply }) =>
      legacy.some(({ verbs }) => verbs.includes('GET')) &&
      'of' in reply &&
      families.has(id.split('.')[0] ?? '') &&
      !legacy.some((pattern) => paths.some((path) => fits(pattern, 'GET', path))),
  );
  // Documents cannot be changed, and nobody takes back a definition or the category of a lead.
  expect(unread.map(({ id }) => id)).toEqual(['client.documents', 'customfield.definition', 'job.documents']);
});

describe.each(seeds)('a program with %s', (_title, seed) => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.open(seed);
  });

  afterAll(async () => {
    await service.close();
    expect(service.sandbox.complaints).toEqual([]);
  });

  describe.each(ways)('that sends back what it has read by %s', (reading) => {
    /** Of all ways back: none of them changes what is read. */
    const known = new Map<string, readonly Request[]>();
    const read = async (kind: Kind & { readonly of?: Read }): Promise<readonly Request[]> => {
      const kept = known.get(kind.title);
      if (kept !== undefined) return kept;
      const only = kind.of && (await service.records('V1', kind.of[0], kind.of.slice(1)));
      const requests = await requestsOf(service, reading, kind, only);
      known.set(kind.title, requests);
      return requests;
    };

    describe.each(ways)('by %s', (writing) => {
      it.each(kindsOfRecords)('changes nothing of $title', async (kind) => {
        const requests = await read(kind);
        const { taken, changed } = await changes(service, writing, requests, kind.derived);
        expect(changed).toEqual([]);
        // What is refused changes nothing either; of V1 to V1 enough is taken to show what would be lost.
        if (reading === 'V1' && writing === 'V1' && requests.length > 0) expect(taken).toBeGreaterThan(0);
      });
    });
  });

  it('that changes a name has changed something', async () => {
    const [record] = await service.records('V1', 'client.api/list', ['Clients', 'Client']);
    const body = `<Client><ID>${(record && under(record, 'ID')?.text) ?? ''}</ID><Name>Renamed</Name></Client>`;
    const { changed } = await changes(service, 'V1', [{ verb: 'PUT', path: 'client.api/update', body }]);
    expect(changed.join()).toContain('"name":"Renamed"');
  });
});
