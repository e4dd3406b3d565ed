import { expect } from '@jest/globals';
import { Sender, type Answered, type Sent } from '../support/http.ts';
import type { Call, Case, Expected, Table } from './case.ts';

export interface Keys {
  readonly apiKey: string;
  readonly accounts: Readonly<Record<Case['organisation'], string | undefined>>;
}

/** Where a program's calls go. */
export interface Way {
  /** The base address, with a slash at the end. */
  readonly root: string;
  /** Who must answer what the bridge does not answer itself; undefined: there is no bridge. */
  readonly source: SourceOf | undefined;
  /** Whose the links in answers are. */
  readonly links: string;
  /** Whether answers are held against the cases' own words; else they are only held against V1's answers. */
  readonly checks: boolean;
  /** Every read is made twice, on the general path and, where that serves it, on the fast path. */
  readonly isTwice?: boolean;
  /** Of reads made twice, the second may be answered by what is kept of the first. */
  readonly keeps?: boolean;
}

/** Undefined: whoever it is. */
export type SourceOf = (call: Call, organisation: Case['organisation']) => 'v1' | 'v2' | 'v3' | undefined;

/** An answer in the form in which lanes are compared: new numbers and links by name, all else byte for byte. */
export interface Line {
  readonly call: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** A moment of the run: the clock of a lane begins at 09:30 and goes on. */
const NOW = />2026-11-20T09:[345]\d:\d\d</g;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\r\n';

/** Elements whose `ID` may be that of a record made meanwhile, with the kind of the record. */
const kinds: Readonly<Record<string, string>> = {
  Client: 'Client',
  RelatedClient: 'Client',
  BillingClient: 'Client',
  Contact: 'Contact',
  Relationship: 'Relationship',
  Staff: 'Staff',
  AccountManager: 'Staff',
  Task: 'Task',
  Cost: 'Cost',
  Note: 'Note',
  Comment: 'Comment',
  Group: 'Group',
  Lead: 'Lead',
  Time: 'Time',
  Supplier: 'Supplier',
};

/** Lists of a seed, with the kind of their records. */
const seeds: Readonly<Record<string, string>> = {
  clients: 'Client',
  contacts: 'Contact',
  relationships: 'Relationship',
  staff: 'Staff',
  jobs: 'Job',
  tasks: 'Task',
  costs: 'Cost',
  notes: 'Note',
  comments: 'Comment',
  groups: 'Group',
  leads: 'Lead',
  times: 'Time',
  suppliers: 'Supplier',
};

/** A legacy program: it knows base address and keys, and no more of where its calls go. */
export class Program {
  readonly #root: string;
  readonly #source: SourceOf | undefined;
  readonly #links: string;
  readonly #checks: boolean;
  readonly #isTwice: boolean;
  readonly #keeps: boolean;
  /** Family and method of the reads that were answered by what was kept. */
  readonly kept = new Set<string>();
  readonly #keys: Keys;
  readonly #sender: Sender;
  readonly #seeded: ReadonlySet<string>;
  readonly #names = new Map<string, string>();
  readonly #latest = new Map<string, string>();

  constructor(
    { root, source, links, checks, isTwice = false, keeps = false }: Way,
    keys: Keys,
    table: Table,
  ) {
    this.#root = root;
    this.#source = source;
    this.#links = new URL(links).origin;
    this.#checks = checks;
    this.#isTwice = isTwice;
    this.#keeps = keeps;
    this.#keys = keys;
    this.#sender = new Sender(root);
    this.#seeded = numbersIn(table);
  }

  /** Makes the calls of a case, checks each, and gives what they were answered. */
  async run({ organisation, calls }: Case): Promise<readonly Line[]> {
    const lines: Line[] = [];
    for (const call of calls) lines.push(...(await this.#make(call, organisation)));
    return lines;
  }

  close(): void {
    this.#sender.close();
  }

  async #make(call: Call, organisation: Case['organisation']): Promise<readonly Line[]> {
    const path = this.#filled(call.path);
    const body = typeof call.body === 'string' ? this.#filled(call.body) : call.body;
    const target = `${new URL(this.#root).pathname}${this.#withKeys(path, call, organisation)}`;
    const sent = { verb: call.verb, target, headers: call.headers, body };
    const answer =
      this.#isTwice && isPlainRead(sent) ? await this.#both(sent) : await this.#sender.send(sent);
    const told = `${call.verb} ${call.path}`;
    if (this.#checks) this.#check(told, call.expected, answer, path);
    expect(answer.headers['content-type']).toBe('text/xml; charset=utf-8');
    this.#checkSource(call, organisation, answer);
    const text = this.#named(answer.text, path);
    const line = {
      call: told,
      status: answer.status,
      contentType: answer.headers['content-type'],
      body: text,
    };
    return [line, ...(await this.#follow(answer.text))];
  }

  /** The general path serves whatever announces a body. */
  async #both(sent: Sent): Promise<Answered> {
    const general = await this.#sender.send({ ...sent, headers: { ...sent.headers, 'Content-Length': '0' } });
    const fast = await this.#sender.send(sent);
    const [first, second] = this.#keeps ? [asRead(general), asRead(fast)] : [general, fast];
    expect(comparable(second)).toEqual(comparable(first));
    return fast;
  }

  #withKeys(path: string, { keys }: Call, organisation: Case['organisation']): string {
    const { apiKey, accounts } = this.#keys;
    const accountKey = accounts[organisation] ?? '';
    const [plain = '', query = ''] = path.split('?', 2);
    const pairs = {
      behind: `apiKey=${apiKey}&accountKey=${accountKey}`,
      before: `apiKey=${apiKey}&accountKey=${accountKey}`,
      'lower case': `apikey=${apiKey}&accountkey=${accountKey}`,
      'upper case': `APIKEY=${apiKey}&ACCOUNTKEY=${accountKey}`,
      none: '',
      'no API key': `accountKey=${accountKey}`,
      'wrong API key': `apiKey=${'F'.repeat(32)}&accountKey=${accountKey}`,
      'unknown account': `apiKey=${apiKey}&accountKey=${'E'.repeat(32)}`,
    }[keys];
    const parts = (keys === 'before' ? [pairs, query] : [query, pairs]).filter((part) => part !== '');
    return parts.length === 0 ? plain : `${plain}?${parts.join('&')}`;
  }

  #check(told: string, expected: Expected, answer: Answered, path: string): void {
    const open = `${DECLARATION}<Response${apiMethod(path)}>`;
    const seen = { call: told, status: answer.status, body: answer.text };
    if (expected.is === 'failure') {
      const body = `${open}<Status>ERROR</Status><ErrorDescription>${expected.words}</ErrorDescription></Response>`;
      expect(seen).toEqual({ call: told, status: expected.status, body });
    } else if (expected.is === 'exactly') {
      expect(seen).toEqual({
        call: told,
        status: 200,
        body: `${open}<Status>OK</Status>${expected.rest}</Response>`,
      });
    } else {
      expect(seen).toEqual({
        call: told,
        status: 200,
        body: expect.stringContaining(`${open}<Status>OK</Status>`),
      });
      for (const fragment of expected.holds) expect(answer.text).toContain(fragment);
      for (const fragment of expected.lacks) expect(answer.text).not.toContain(fragment);
    }
  }

  #checkSource(call: Call, organisation: Case['organisation'], answer: Answered): void {
    const source = answer.headers['x-causeway-source'];
    if (this.#source === undefined) return;
    const failed = answer.text.includes('<Status>ERROR</Status>');
    if (this.#keeps && isKept(answer)) {
      this.kept.add(/[a-z]+\.api\/[a-z]+/i.exec(call.path)?.[0].toLowerCase() ?? '');
      if (source === 'cache') return;
    }
    const expected = this.#source(call, organisation) ?? source;
    expect(source).toBe(failed && source === 'bridge' ? 'bridge' : expected);
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  }

  /** A link in an answer opens without any header, whoever made it; its file is compared, too. */
  async #follow(text: string): Promise<readonly Line[]> {
    const lines: Line[] = [];
    for (const [, link = ''] of text.matchAll(/<URL>([^<]*)<\/URL>/g)) {
      const url = new URL(link.replaceAll('&amp;', '&'));
      expect(url.origin).toBe(this.#links);
      const answer = await fetched(url);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-disposition']).toMatch(/^attachment/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      const contentType = answer.headers['content-type'];
      lines.push({
        call: 'the link',
        status: answer.status,
        contentType,
        body: answer.bytes.toString('base64'),
      });
    }
    return lines;
  }

  /** Where V2 has not made what V1 made, there is no number. */
  #filled(text: string): string {
    const none = (whole: string): string => (this.#checks ? whole : '0');
    return text.replace(/\{new (\w+)\}/g, (whole, kind: string) => this.#latest.get(kind) ?? none(whole));
  }

  /** Gives new numbers and links the names by which lanes are compared, in the order in which they first appear. */
  #named(text: string, path: string): string {
    return text
      .replace(/<(\w+)><ID>(\d+)<\/ID>/g, (whole, element: string, number: string) => {
        const kind = kinds[element];
        if (kind === undefined || this.#seeded.has(`${kind} ${number}`)) return whole;
        return `<${element}><ID>${this.#nameOf(kind, number)}</ID>`;
      })
      .replace(/(<Status>OK<\/Status>)<ID>(\d+)<\/ID>/, (_, status: string, number: string) => {
        return `${status}<ID>${this.#nameOf(methodOf(path) ?? 'Record', number)}</ID>`;
      })
      .replace(/<InternalID>(\d+)<\/InternalID>/g, (whole, number: string) =>
        this.#seeded.has(`Job ${number}`) ? whole : `<InternalID>${this.#nameOf('Job', number)}</InternalID>`,
      )
      .replace(/<URL>([^<]*)<\/URL>/g, '<URL>[link]</URL>')
      .replace(NOW, '>[now]<');
  }

  #nameOf(kind: string, number: string): string {
    const key = `${kind} ${number}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const count = Array.from(this.#names.values()).filter((name) => name.startsWith(`[${kind} `)).length;
    const name = `[${kind} ${String(count + 1)}]`;
    this.#names.set(key, name);
    this.#latest.set(kind, number);
    return name;
  }
}

const isPlainRead = ({ verb, headers = {}, body }: Sent): boolean =>
  verb === 'GET' && body === undefined && !('Content-Length' in headers) && !('Transfer-Encoding' in headers);

/**
 * Without what differs from call to call: links hold the time, and a list whose identifiers have to be looked up first is
 * sent in pieces.
 */
const comparable = ({ status, headers, text }: Answered): object => {
  const length = headers['content-length'];
  const differing = ['x-request-id', 'date', 'content-length', 'transfer-encoding'];
  const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => !differing.includes(name)));
  expect(length === undefined || Number(length) === Buffer.byteLength(text)).toBe(true);
  return { status, rest, text: text.replace(/<URL>[^<]*<\/URL>/g, '').replace(NOW, '') };
};

const isKept = ({ headers }: Answered): boolean =>
  headers['x-causeway-source'] === 'cache' || headers['x-causeway-age'] !== undefined;

/** The same reply, as if nothing of it had been kept. */
const asRead = (answer: Answered): Answered => {
  const told = new Set(['x-causeway-age', 'x-causeway-source']);
  const headers = Object.entries(answer.headers).filter(([name]) => !told.has(name));
  return { ...answer, headers: Object.fromEntries(headers) };
};

async function fetched(url: URL): Promise<Answered> {
  const sender = new Sender(url.origin);
  try {
    return await sender.send({ verb: 'GET', target: `${url.pathname}${url.search}` });
  } finally {
    sender.close();
  }
}

/** ` api-method="List"` by the rule of the wire: the segment behind `.api/`, first letter upper case. */
function apiMethod(path: string): string {
  const method = methodOf(path);
  return method === undefined ? '' : ` api-method="${method}"`;
}

function methodOf(path: string): string | undefined {
  const method = /^\/?[a-z]+\.api\/([a-z]+)(?=[/?]|$)/i.exec(path)?.[1]?.toLowerCase();
  return method === undefined ? undefined : method.slice(0, 1).toUpperCase() + method.slice(1);
}

/** The numbers that stand in the seed, by kind: they are the same on every lane. */
const numbersIn = (table: Table): ReadonlySet<string> =>
  new Set(table.seed.flatMap((organisation) => numbersOf(organisation)));

function numbersOf(record: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(record).flatMap(([list, records]) =>
    Array.isArray(records) ? records.flatMap((one: unknown) => numbersOfOne(seeds[list], one)) : [],
  );
}

function numbersOfOne(kind: string | undefined, record: unknown): readonly string[] {
  if (typeof record !== 'object' || record === null) return [];
  const { number, internalId } = record as { readonly number?: unknown; readonly internalId?: unknown };
  const own = [number, internalId].filter((one) => typeof one === 'number');
  return [
    ...(kind === undefined ? [] : own.map((one) => `${kind} ${String(one)}`)),
    ...numbersOf(record as Readonly<Record<string, unknown>>),
  ];
}
