import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDocument } from '../../src/lib/xml/read.ts';
import { defaultLimits } from '../../src/lib/xml/limits.ts';
import type { XmlElement } from '../../src/lib/xml/element.ts';
import { escapeText } from '../../src/lib/xml/text.ts';
import type { RecordRow, RecordTable } from '../../src/mapping/compile/model.ts';
import { EVERY_ACCOUNT } from '../../src/mapping/routes/routes.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { clockFrom } from '../support/clock.ts';
import { Sender } from '../support/http.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { RunningSandbox } from '../support/sandbox.ts';
import { jobSeed } from './jobSeed.ts';
import { API_KEY } from './lanes.ts';
import { studioSeed } from './seed.ts';
import { tradeSeed } from './tradeSeed.ts';

/**
 * Reading and writing back is harmless: whatever a program reads by one route and sends back unchanged by another changes
 * nothing in the service, be it taken or refused. What a route left empty because V2 does not tell it must not come back
 * as an element that somebody has emptied.
 */

/** The ways between a program and the service: by V1 itself, and over the bridge by V3, by V2 with V3 behind, and by V2. */
const ways = ['V1', 'V3', 'V2 and V3', 'V2 alone'] as const;
/** What V3 answers in the place of V2 is V3's. */
const readings = ways.filter((way) => way !== 'V2 and V3');
type Way = (typeof ways)[number];

/** What a program of the account can read and send back. */
interface Kind {
  readonly title: string;
  /** Reads, each with the names below `Response` down to the records; `{…}` is an element of a record of the first read. */
  readonly reads: readonly (readonly [path: string, ...names: string[]])[];
  readonly method: string;
  /** Verb and path; `{ID}` is an element of the record. */
  readonly write: string;
}

const kinds: readonly Kind[] = [
  {
    title: 'a client',
    reads: [
      ['client.api/list?detailed=true', 'Clients', 'Client'],
      ['client.api/search?detailed=true&query=e', 'Clients', 'Client'],
      ['client.api/get/{ID}', 'Client'],
    ],
    method: 'client.update',
    write: 'PUT client.api/update',
  },
  {
    title: 'a contact',
    reads: [
      ['client.api/list?detailed=true', 'Clients', 'Client', 'Contacts', 'Contact'],
      ['client.api/search?detailed=true&query=e', 'Clients', 'Client', 'Contacts', 'Contact'],
      ['client.api/contact/{ID}', 'Contact'],
    ],
    method: 'client.contact.update',
    write: 'PUT client.api/contact/{ID}',
  },
  {
    title: 'a supplier',
    reads: [
      ['supplier.api/list?detailed=true', 'Suppliers', 'Supplier'],
      ['supplier.api/get/{ID}', 'Supplier'],
    ],
    method: 'supplier.update',
    write: 'PUT supplier.api/update',
  },
  {
    title: 'a contact of a supplier',
    reads: [
      ['supplier.api/list?detailed=true', 'Suppliers', 'Supplier', 'Contacts', 'Contact'],
      ['supplier.api/contact/{ID}', 'Contact'],
    ],
    method: 'supplier.contact.update',
    write: 'PUT supplier.api/contact/{ID}',
  },
  {
    title: 'a job',
    reads: [
      ['job.api/list?detailed=true&from=20200101&to=20301231', 'Jobs', 'Job'],
      ['job.api/current?detailed=true', 'Jobs', 'Job'],
      ['job.api/get/{ID}', 'Job'],
    ],
    method: 'job.update',
    write: 'PUT job.api/update',
  },
  {
    title: 'a task of a job',
    reads: [['job.api/list?detailed=true&from=20200101&to=20301231', 'Jobs', 'Job', 'Tasks', 'Task']],
    method: 'job.task.update',
    write: 'PUT job.api/task',
  },
  {
    title: 'a cost of the catalogue',
    reads: [
      ['cost.api/list', 'Costs', 'Cost'],
      ['cost.api/get/{ID}', 'Cost'],
    ],
    method: 'cost.update',
    write: 'PUT cost.api/update',
  },
  {
    title: 'a member of staff',
    reads: [
      ['staff.api/list', 'StaffList', 'Staff'],
      ['staff.api/get/{ID}', 'Staff'],
    ],
    method: 'staff.update',
    write: 'PUT staff.api/update',
  },
  {
    title: 'a time entry',
    reads: [
      ['time.api/list?from=20200101&to=20301231', 'Times', 'Time'],
      ['time.api/get/{ID}', 'Time'],
    ],
    method: 'time.update',
    write: 'PUT time.api/update',
  },
];

/** Records whose parts are read by the record's own identifier, which the parts do not hold. */
const parts: readonly (Kind & { readonly of: readonly [path: string, ...names: string[]] })[] = [
  {
    title: 'a cost of a job',
    of: ['job.api/list?from=20200101&to=20301231', 'Jobs', 'Job'],
    reads: [['job.api/costs/{ID}', 'Costs', 'Cost']],
    method: 'job.cost.update',
    write: 'PUT job.api/cost',
  },
  ...(
    [
      ['client', ['client.api/list', 'Clients', 'Client'], 'client.api/get/{ID}', 'client.api/update/{ID}'],
      [
        'job',
        ['job.api/list?from=20200101&to=20301231', 'Jobs', 'Job'],
        'job.api/get/{ID}',
        'job.api/update/{ID}',
      ],
      [
        'time',
        ['time.api/list?from=20200101&to=20301231', 'Times', 'Time'],
        'time.api/get/{ID}',
        'time.api/update/{ID}',
      ],
      [
        'contact',
        ['client.api/list?detailed=true', 'Clients', 'Client', 'Contacts', 'Contact'],
        'client.api/contact/{ID}',
        'client.api/contact/{ID}',
      ],
    ] as const
  ).map(([kind, of, read, write]) => ({
    title: `the custom fields of a ${kind}`,
    of,
    reads: [[`${read}/customfield`, 'CustomFields']] as const,
    method: `customfield.${kind}.put`,
    write: `PUT ${write}/customfield`,
  })),
];

const all: readonly (Kind & { readonly of?: readonly [path: string, ...names: string[]] })[] = [
  ...kinds,
  ...parts,
];

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

interface Seed {
  readonly name: string;
  readonly accountKey: string;
  readonly users: readonly { readonly name: string }[];
}

/** What a record says: of its fields those that hold something, in one order. How a name is cut in two is no change of it. */
const saidIn = (fields: string, name: string): readonly (readonly [string, unknown])[] =>
  Object.entries(JSON.parse(fields) as Readonly<Record<string, unknown>>)
    .filter(([, value]) => value !== '' && value !== false && value !== null)
    .filter(([field, value]) => !(field === 'firstName' && name.startsWith(String(value))))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

class Service {
  readonly sandbox: RunningSandbox;
  readonly #database: DatabaseSync;
  readonly #bridges: readonly RunningBridge[];
  readonly #folder: string;
  readonly #senders: ReadonlyMap<Way, Sender>;
  readonly #key: string;

  private constructor(
    sandbox: RunningSandbox,
    folder: string,
    bridges: readonly [RunningBridge, RunningBridge, RunningBridge],
    key: string,
  ) {
    this.sandbox = sandbox;
    this.#folder = folder;
    this.#database = new DatabaseSync(join(folder, 'service.db'), { readOnly: true });
    this.#bridges = bridges;
    const roots = [`${sandbox.url}/v1/`, ...bridges.map(({ url }) => `${url}/`)];
    this.#senders = new Map(ways.map((way, at) => [way, new Sender(roots[at] ?? '')]));
    this.#key = key;
  }

  static async open(seed: Seed): Promise<Service> {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-round-trip-'));
    const ports = [await freePort(), await freePort(), await freePort()];
    const clock = clockFrom('2026-11-20T09:30:00Z');
    const sandbox = await RunningSandbox.start({
      clock,
      database: join(folder, 'service.db'),
      protocol: { limits: { perMinute: null } },
      redirectUris: ports.map((port) => `http://127.0.0.1:${String(port)}/_causeway/callback`),
    });
    await sandbox.seed([seed]);
    const opened = async (at: number, way: Way): Promise<RunningBridge> => {
      const hasV2 = way !== 'V3';
      const bridge = await RunningBridge.start({
        port: ports[at] ?? 0,
        sandbox: sandbox.url,
        clock,
        profile: {
          limits: { perMinute: 1_000_000 },
          v3: { pageSizes: { default: 100 }, standsInForV2: way !== 'V2 alone' },
        },
        env: hasV2 ? { CAUSEWAY_V2_BASE_URL: `${sandbox.url}/v2` } : {},
      });
      await bridge.add({
        name: seed.name,
        accountKey: seed.accountKey,
        apiKey: API_KEY,
        product: 'standard',
      });
      await bridge.migrate(seed.name, seed.users[0]?.name ?? '');
      const methods = mapping.methods.flatMap(({ id, v2 }) => (v2?.way === 'steps' ? id : []));
      if (hasV2) await bridge.services.store.routes.set(methods, EVERY_ACCOUNT, 'v2', 'test');
      return bridge;
    };
    const bridges = [
      await opened(0, 'V3'),
      await opened(1, 'V2 and V3'),
      await opened(2, 'V2 alone'),
    ] as const;
    return new Service(sandbox, folder, [bridges[0], bridges[1], bridges[2]], seed.accountKey);
  }

  async send(way: Way, verb: string, path: string, body?: string): Promise<XmlElement> {
    const joined = path.includes('?') ? '&' : '?';
    const root = way === 'V1' ? '/v1/' : '/';
    const target = `${root}${path}${joined}apiKey=${API_KEY}&accountKey=${this.#key}`;
    const sender = this.#senders.get(way);
    const answer = await sender?.send({ verb, target, body });
    return readDocument(answer?.text ?? '', { ...defaultLimits, elements: 1_000_000 });
  }

  /** The records that a read shows, by their place. */
  async records(way: Way, path: string, names: readonly string[]): Promise<readonly XmlElement[]> {
    const answer = await this.send(way, 'GET', path);
    return names.reduce<readonly XmlElement[]>(
      (all, name) => all.flatMap(({ children }) => children.filter((child) => child.name === name)),
      [answer],
    );
  }

  /** Every record of the service, without the moment of its last change. */
  stored(): readonly string[] {
    const rows = this.#database
      .prepare(
        'SELECT kind, uuid, number, code, name, owner, other, archived, deleted, created_at, search, fields, custom_values FROM records ORDER BY kind, number',
      )
      .all();
    return rows.map((row) =>
      JSON.stringify({ ...row, fields: saidIn(String(row.fields), String(row.name)) }),
    );
  }

  async close(): Promise<void> {
    for (const sender of this.#senders.values()) sender.close();
    for (const bridge of this.#bridges) await bridge.stop();
    this.#database.close();
    await this.sandbox.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** What differs, and what was sent that made it so. */
async function changes(
  service: Service,
  way: Way,
  requests: readonly { readonly verb: string; readonly path: string; readonly body: string }[],
): Promise<{ readonly taken: number; readonly changed: readonly string[] }> {
  let taken = 0;
  const changed: string[] = [];
  for (const { verb, path, body } of requests) {
    const before = service.stored();
    const answer = await service.send(way, verb, path, body);
    if (under(answer, 'Status')?.text === 'OK') taken += 1;
    const after = service.stored();
    const differing = after.flatMap((row, at) =>
      row === before[at] ? [] : `${String(before[at])}\n  is now ${row}`,
    );
    if (differing.length > 0) changed.push([`${verb} ${path} ${body}`, ...differing].join('\n  '));
  }
  return { taken, changed };
}

async function requestsOf(service: Service, way: Way, kind: Kind, only?: readonly XmlElement[]) {
  const [verb = '', path = ''] = kind.write.split(' ');
  const requests = new Map<string, { readonly verb: string; readonly path: string; readonly body: string }>();
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

describe.each(seeds)('of %s', (_title, seed) => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.open(seed);
  });

  afterAll(async () => {
    await service.close();
    expect(service.sandbox.complaints).toEqual([]);
  });

  describe.each(readings)('what was read by %s', (reading) => {
    describe.each(ways)('and is sent back by %s', (writing) => {
      it.each(all)('changes nothing of $title', async (kind) => {
        const only = kind.of && (await service.records('V1', kind.of[0], kind.of.slice(1)));
        const requests = await requestsOf(service, reading, kind, only);
        const { taken, changed } = await changes(service, writing, requests);
        expect(changed).toEqual([]);
        // What is refused changes nothing either; of V1 to V1 enough is taken to show what would be lost.
        if (reading === 'V1' && writing === 'V1' && requests.length > 0) expect(taken).toBeGreaterThan(0);
      });
    });
  });
});
