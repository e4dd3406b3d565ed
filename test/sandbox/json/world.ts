import { Playground, type Answer, type Organisation } from '../playground.ts';
import type { ProtocolChange } from '../../../src/sandbox/protocol.ts';

/** What every organisation of a world holds, by the name of its kind; the UUIDs of two organisations differ. */
const kinds = [
  'client',
  'contact',
  'group',
  'clientType',
  'category',
  'leadCategory',
  'jobStatus',
  'leadStatus',
  'template',
  'customField',
  'staff',
  'supplier',
  'supplierContact',
  'task',
  'cost',
  'job',
  'jobTask',
  'jobCost',
  'time',
  'lead',
  'invoice',
  'quote',
  'quoteCost',
  'purchaseOrder',
  'purchaseOrderCost',
] as const;
type SeededKind = (typeof kinds)[number];
export type Known = SeededKind | 'tax' | 'account' | 'role' | 'secondStaff' | 'secondClient' | 'doneStatus';

/** Of the first or the second organisation. */
export function uuidOf(kind: Known, organisation: 1 | 2 = 1): string {
  const all: readonly string[] = [...kinds, 'secondStaff', 'secondClient', 'doneStatus'];
  const index = String(all.indexOf(kind) + 1).padStart(12, '0');
  return `${String(organisation).repeat(8)}-0000-4000-8000-${index}`;
}

function seedOf(organisation: 1 | 2, extra: object): object {
  const uuid = (kind: Known): { readonly uuid: string } => ({ uuid: uuidOf(kind, organisation) });
  return {
    name: organisation === 1 ? 'Harbour Lane Studio' : 'Two Rivers',
    accountKey: `A${organisation}`,
    clientTypes: [{ ...uuid('clientType'), name: 'Standard', costMarkup: 10 }],
    categories: [{ ...uuid('category'), name: 'Residential' }],
    leadCategories: [{ ...uuid('leadCategory'), name: 'Web' }],
    jobStatuses: [
      { ...uuid('jobStatus'), name: 'Doing', type: 'in progress' },
      { ...uuid('doneStatus'), name: 'Done', type: 'completed' },
    ],
    leadStatuses: [
      { name: 'Current', type: 'open', probability: 50 },
      { ...uuid('leadStatus'), name: 'Won', type: 'won', probability: 100 },
    ],
    groups: [{ ...uuid('group'), name: 'Retainers', taxable: true }],
    customFieldDefinitions: [
      {
        ...uuid('customField'),
        name: 'Reference',
        type: 'Text',
        use: ['Client', 'Contact', 'Supplier', 'Job', 'Lead', 'JobTask', 'JobCost', 'JobTime'],
      },
    ],
    staff: [
      { ...uuid('staff'), name: 'Ada Maria Example', email: 'ada@studio.example' },
      { ...uuid('secondStaff'), name: 'Bo', email: 'bo@studio.example' },
    ],
    suppliers: [
      {
        ...uuid('supplier'),
        name: 'Harbour Timber',
        address: '1 Dock',
        contacts: [{ ...uuid('supplierContact'), name: 'Sal Trader', email: 'sal@timber.example' }],
        notes: [{ title: 'Terms', text: 'Thirty days', createdBy: 'Bo' }],
      },
    ],
    tasks: [{ ...uuid('task'), name: 'Design', description: 'As agreed', billableRate: 100 }],
    costs: [{ ...uuid('cost'), description: 'Paper', code: '007', unitCost: 1, unitPrice: 2 }],
    templates: [
      {
        ...uuid('template'),
        name: 'Small job',
        tasks: [{ name: 'Design', task: 'Design', estimatedMinutes: 30, folder: 'Start' }],
        milestones: [{ description: 'Handed over', daysAfterStart: 7 }],
        costs: [{ description: 'Prints', quantity: 2, unitCost: 1, unitPrice: 3 }],
        toDos: ['Call the client'],
      },
    ],
    clients: [
      {
        ...uuid('client'),
        name: 'Saffron & Co',
        email: 'office@saffron.example',
        address: '1 Quay Street',
        city: 'Nelson',
        postalAddress: 'PO Box 1',
        type: 'Standard',
        groups: ['Retainers'],
        accountManager: 'Bo',
        contacts: [
          { ...uuid('contact'), name: 'Ana de Reed', email: 'ana@saffron.example', isPrimary: true },
        ],
        notes: [{ title: 'First', text: 'Met', createdBy: 'Bo', date: '2025-11-03T09:00:00Z' }],
        documents: [
          { title: 'Letter', fileName: 'letter.txt', content: Buffer.from('Dear client').toString('base64') },
        ],
        customFields: [{ name: 'Reference', value: 'R-1' }],
      },
      {
        ...uuid('secondClient'),
        name: 'Second client',
        relationships: [{ type: 'Partner', relatedClient: 'Saffron & Co' }],
      },
    ],
    jobs: [
      {
        ...uuid('job'),
        number: 'J000123',
        name: 'Boat house',
        client: 'Saffron & Co',
        contact: uuidOf('contact', organisation),
        manager: 'Bo',
        state: 'Doing',
        category: uuidOf('category', organisation),
        startDate: '2026-02-01',
        dueDate: '2026-05-01',
        budget: 5_000,
        assigned: ['Bo'],
        tasks: [
          {
            ...uuid('jobTask'),
            name: 'Design',
            task: 'Design',
            estimatedMinutes: 60,
            folder: 'Ground floor',
            assigned: [{ staff: 'Bo', allocatedMinutes: 60 }],
          },
        ],
        costs: [
          {
            ...uuid('jobCost'),
            description: 'Timber',
            date: '2026-02-10',
            quantity: 2,
            unitCost: 10,
            unitPrice: 15,
            supplier: 'Harbour Timber',
          },
        ],
        milestones: [{ description: 'Roof on', date: '2026-03-01', completed: true }],
        toDos: ['Ring the builder'],
        notes: [
          { title: 'Site', text: 'Seen', createdBy: 'Bo', comments: [{ text: 'Good', createdBy: 'Bo' }] },
        ],
        documents: [
          { title: 'Plan', fileName: 'plan.txt', content: Buffer.from('Plan A').toString('base64') },
        ],
        customFields: [{ name: 'Reference', value: 'J-1' }],
      },
    ],
    times: [
      {
        ...uuid('time'),
        job: 'J000123',
        task: uuidOf('jobTask', organisation),
        staff: 'Bo',
        date: '2026-02-11',
        minutes: 90,
        note: 'Drawings',
        start: '09:00',
        end: '10:30',
      },
    ],
    leads: [{ ...uuid('lead'), name: 'Shed', client: 'Saffron & Co', owner: 'Bo', state: 'Current' }],
    invoices: [
      {
        ...uuid('invoice'),
        number: 'I-1',
        client: 'Saffron & Co',
        job: 'J000123',
        date: '2026-03-01',
        status: 'Approved',
        tasks: [{ name: 'Design', minutes: 60, billableRate: 100, taxRate: 15 }],
        costs: [{ description: 'Timber', quantity: 2, unitCost: 10, unitPrice: 15, taxRate: 15 }],
        payments: [{ date: '2026-03-02', amount: 50, reference: 'P-1' }],
      },
    ],
    quotes: [
      {
        ...uuid('quote'),
        number: 'Q-1',
        name: 'Boat house quote',
        client: 'Saffron & Co',
        job: 'J000123',
        date: '2026-01-10',
        tasks: [{ name: 'Design', estimatedMinutes: 120, baseRate: 40, billableRate: 100, taxRate: 15 }],
        costs: [{ ...uuid('quoteCost'), description: 'Crane', quantity: 1, unitCost: 300, unitPrice: 420 }],
      },
    ],
    purchaseOrders: [
      {
        ...uuid('purchaseOrder'),
        number: 'PO-1',
        supplier: 'Harbour Timber',
        job: 'J000123',
        date: '2026-02-05',
        state: 'Issued',
        costs: [{ ...uuid('purchaseOrderCost'), description: 'Boards', quantity: 10, unitCost: 12.5 }],
      },
    ],
    ...extra,
  };
}

export interface Call {
  readonly token?: string;
  readonly organisation?: string;
  readonly body?: unknown;
  /** Instead of `body`: the bytes as they are. */
  readonly raw?: string | Buffer | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A sandbox with two furnished organisations, and a token for the first. */
export class World {
  readonly sandbox: Playground;
  readonly token: string;

  private constructor(sandbox: Playground, token: string) {
    this.sandbox = sandbox;
    this.token = token;
  }

  static async open({
    protocol = {},
    switches = {},
    extra = {},
  }: {
    readonly protocol?: ProtocolChange;
    readonly switches?: object;
    readonly extra?: object;
  } = {}): Promise<World> {
    const sandbox = await Playground.open({ protocol: { limits: { perMinute: null }, ...protocol } }, [
      seedOf(1, { switches, ...extra }),
      seedOf(2, {}),
    ]);
    const { access } = await sandbox.connect([sandbox.one.id]);
    return new World(sandbox, access);
  }

  get one(): Organisation {
    return this.sandbox.one;
  }

  close(): Promise<void> {
    return this.sandbox.close();
  }

  /** `path` below `/v2`. */
  call(method: string, path: string, call: Call = {}): Promise<Answer> {
    const { token = this.token, organisation = this.one.id, body, raw, headers = {} } = call;
    const bytes = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    return this.sandbox.call(`/v2${path}`, {
      method,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(organisation !== '' && { 'account-id': organisation }),
        ...(bytes !== undefined && !(bytes instanceof FormData) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(bytes !== undefined && { body: bytes as RequestInit['body'] & {} }),
    });
  }

  /** The payload of a call that works; throws when it does not. */
  async data<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call(method, path, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.json.data as T;
  }

  async refused(method: string, path: string, body?: unknown): Promise<{ status: number; fields: string[] }> {
    const { status, json } = await this.call(method, path, body === undefined ? {} : { body });
    const errors = (json.errors ?? []) as readonly { readonly field: string }[];
    return { status, fields: errors.map(({ field }) => field) };
  }

  /** V1, with the keys of the first organisation. */
  v1(path: string, init: { readonly method?: string; readonly body?: string } = {}): Promise<Answer> {
    return this.sandbox.call(`/v1/${path}${path.includes('?') ? '&' : '?'}apiKey=k&accountKey=A1`, init);
  }
}

/** Puts UUIDs for the `{kinds}` of an example. */
export function filled(example: unknown, uuid: (kind: Known) => string): unknown {
  const text = JSON.stringify(example).replaceAll(/"\{(\w+)\}"/g, (_all, kind: string) =>
    JSON.stringify(uuid(kind as Known)),
  );
  return JSON.parse(text) as unknown;
}
