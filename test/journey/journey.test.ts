import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { giveConsent } from '../../src/replay/consent.ts';
import { eventually } from '../support/clock.ts';
import { API_KEY, countOf, LegacyProgram, textIn } from '../support/legacy.ts';
import { RunningDemo } from './demo.ts';
import { issuedSecrets, leaks } from './secrets.ts';

const keys = {
  harbourLane: 'A0000000000000000000000000000001',
  twoRivers: 'A0000000000000000000000000000002',
  oldMill: 'A0000000000000000000000000000003',
  northgate: 'A0000000000000000000000000000004',
};
const HARBOUR_LANE = 'Harbour Lane Studio';
const TWO_RIVERS = 'Two Rivers Accounting';
const AGAIN = 'must be authorised again';
/** Longer than an access token lives, in seconds. */
const LATER = 1_860;

let demo: RunningDemo;
let programs: Record<keyof typeof keys, LegacyProgram>;

beforeAll(async () => {
  demo = await RunningDemo.start();
  const program = (key: string): LegacyProgram => new LegacyProgram(demo.bridge, key);
  programs = {
    harbourLane: program(keys.harbourLane),
    twoRivers: program(keys.twoRivers),
    oldMill: program(keys.oldMill),
    northgate: program(keys.northgate),
  };
});

afterAll(async () => {
  for (const program of Object.values(programs)) program.close();
  await demo.end();
});

const source = ({ headers }: { readonly headers: Record<string, unknown> }): unknown =>
  headers['x-causeway-source'];
const dataAt = async (path: string): Promise<unknown> =>
  ((await (await fetch(`${demo.mailbox}${path}`)).json()) as { readonly data: unknown }).data;
interface Mail {
  readonly id: string;
  readonly subject: string;
  readonly to: readonly { readonly name: string }[];
}
const mails = async () => (await dataAt('/api/messages')) as readonly Mail[];
/** The link of a mail that the mailbox caught. */
async function mailedLink(id: string): Promise<string> {
  const { links } = (await dataAt(`/api/messages/${id}`)) as { readonly links: readonly string[] };
  return links.find((link) => link.startsWith(`${demo.bridge}/_causeway/connect/`)) ?? '';
}
/** The link that the guide shows for an account; empty where it shows none. */
const printedLink = (name: string): string =>
  new RegExp(`${name}\\s+(http\\S+/_causeway/connect/\\S+)`).exec(demo.process.output)?.[1] ?? '';
const idIn = (xml: string): string => textIn(xml, 'ID') ?? '';

describe('the demo', () => {
  it('prints a curl line that lists the three clients of Harbour Lane Studio through V3', async () => {
    const url = /curl -i '([^']+)'/.exec(demo.process.output)?.[1] ?? '';
    const answer = await fetch(url);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-causeway-source')).toBe('v3');
    expect(countOf(text, '<Client><ID>')).toBe(3);
    expect(text).toContain('<ID>1000000</ID><Name>Kōwhai &amp; Daughters Bakery</Name>');
  });

  it('shows for the other accounts: V3 with practice fields, V1, authorise again, unknown', async () => {
    const twoRivers = await programs.twoRivers.get('client.api/list');
    expect([twoRivers.status, source(twoRivers)]).toEqual([200, 'v3']);
    expect(twoRivers.text).toContain('<TaxNumber>********782</TaxNumber>');

    const oldMill = await programs.oldMill.get('client.api/list');
    expect([oldMill.status, source(oldMill)]).toEqual([200, 'v1']);
    expect(oldMill.text).toContain('<ID>3000000</ID><Name>Southern Pump &amp; Valve</Name>');

    const northgate = await programs.northgate.get('client.api/list');
    expect([northgate.status, source(northgate)]).toEqual([403, 'bridge']);
    expect(northgate.text).toContain(AGAIN);
    expect(northgate.text).toContain('<Response api-method="List"><Status>ERROR</Status><ErrorDescription>');

    const unknownKey = new LegacyProgram(demo.bridge, 'F'.repeat(32));
    const unknown = await unknownKey.get('client.api/list');
    unknownKey.close();
    expect([unknown.status, source(unknown)]).toEqual([401, 'bridge']);
  });

  it('has a mailbox with the invitation of Old Mill, whose link opens the invitation page', async () => {
    expect(demo.process.output).toContain(`Mailbox  ${demo.mailbox}`);
    // Beside it are receipts and notices of the consents that the demo has given.
    const asking = (await mails()).filter(({ subject }) => subject.startsWith('Please'));
    expect(asking).toMatchObject([{ to: [{ name: 'Tama Wiremu', address: 'tama@oldmill.example' }] }]);
    const page = await fetch(await mailedLink(asking[0]?.id ?? ''));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Old Mill Engineering');
  });

  it('tells the contacts of the two accounts that have moved who approved', async () => {
    const told = async () => {
      const notices = (await mails()).filter(({ subject }) => subject.endsWith('has been authorised'));
      return notices.length < 2 ? undefined : notices.flatMap(({ to }) => to.map(({ name }) => name));
    };
    const names = await eventually('both notices', told);
    expect(names.toSorted()).toEqual(['Diane Ropata', 'Lena Hartmann']);
  });

  it('prints a link for Northgate, and none beside the one that Old Mill was sent', () => {
    expect(printedLink('Northgate Legal')).toContain(`${demo.bridge}/_causeway/connect/`);
    expect(printedLink('Old Mill Engineering')).toBe('');
  });
});

describe('the work of a legacy program, through V3', () => {
  it('adds, reads back, updates, archives and deletes a client', async () => {
    const { harbourLane } = programs;
    const added = await harbourLane.post(
      'client.api/add',
      '<Client><Name>Brücke &amp; Söhne 🍞</Name><Contacts><Contact><Name>Uli</Name><IsPrimary>Yes</IsPrimary></Contact></Contacts></Client>',
    );
    const id = idIn(added.text);
    expect([added.status, source(added)]).toEqual([200, 'v3']);
    expect(Number(id)).toBeGreaterThan(1_000_002);

    const read = await harbourLane.get(`client.api/get/${id}`);
    expect(read.text).toBe(added.text.replace('"Add"', '"Get"'));

    const updated = await harbourLane.put(
      'client.api/update',
      `<Client><ID>${id}</ID><Name>Brücke</Name><City>Ōamaru</City></Client>`,
    );
    expect(updated.text).toContain(`<ID>${id}</ID><Name>Brücke</Name>`);

    const archived = await harbourLane.put('client.api/archive', `<Client><ID>${id}</ID></Client>`);
    expect(textIn(archived.text, 'IsArchived')).toBe('Yes');

    const deleted = await harbourLane.post('client.api/delete', `<Client><ID>${id}</ID></Client>`);
    expect(deleted.text).toContain('<Response api-method="Delete"><Status>OK</Status></Response>');
    expect((await harbourLane.get(`client.api/get/${id}`)).text).toContain('Invalid client identifier');
  });

  it('keeps contacts, custom fields and documents, whose links open without a token', async () => {
    const { harbourLane } = programs;
    const contact = await harbourLane.post(
      'client.api/contact',
      '<Contact><Client><ID>1000001</ID></Client><Name>Nia</Name></Contact>',
    );
    expect((await harbourLane.get(`client.api/contact/${idIn(contact.text)}`)).text).toContain(
      '<Name>Nia</Name>',
    );
    expect((await harbourLane.delete(`client.api/contact/${idIn(contact.text)}`)).text).toContain(
      '<Name>Nia</Name>',
    );

    await harbourLane.put(
      'client.api/update/1000001/customfield',
      '<CustomFields><CustomField><ID>503</ID><Number>41</Number></CustomField></CustomFields>',
    );
    expect((await harbourLane.get('client.api/get/1000001/customfield')).text).toContain(
      '<Number>41</Number>',
    );

    const content = Buffer.from('Grundriß').toString('base64');
    await harbourLane.post(
      'client.api/document',
      `<Document><ClientID>1000001</ClientID><Title>Plan</Title><FileName>plan.txt</FileName><Content>${content}</Content></Document>`,
    );
    const list = await harbourLane.get('client.api/documents/1000001');
    const link = textIn(list.text, 'URL') ?? '';
    expect(link.startsWith(`${demo.bridge}/_causeway/documents/`)).toBe(true);
    expect(await (await fetch(link)).text()).toBe('Grundriß');
  });

  it('makes one client of a practice a relation of another', async () => {
    const { twoRivers } = programs;
    await twoRivers.post(
      'client.api/addrelationship',
      '<Relationship><ClientID>2000001</ClientID><RelatedClientID>2000000</RelatedClientID><Type>Settlor</Type></Relationship>',
    );
    const client = await twoRivers.get('client.api/get/2000001');
    expect(client.text).toContain('<Type>Settlor</Type><RelatedClient><ID>2000000</ID>');
  });
});

const tokenCalls = async (): Promise<number> =>
  (await demo.control.requests()).filter(({ path }) => path === '/connect/token').length;

describe('the tokens of the demo', () => {
  beforeAll(() => demo.control.calm());

  it('are refreshed after they expire, unnoticed by the program', async () => {
    const before = await demo.control.family(HARBOUR_LANE);
    await demo.control.advance(LATER);
    const answer = await programs.harbourLane.get('client.api/get/1000000');
    expect([answer.status, source(answer)]).toEqual([200, 'v3']);
    const after = await demo.control.family(HARBOUR_LANE);
    expect(after.generations).toHaveLength(before.generations.length + 1);
  });

  it("are refreshed on the operator's request", async () => {
    const before = await demo.control.family(TWO_RIVERS);
    expect(await demo.said('grants', 'refresh', TWO_RIVERS)).toContain(TWO_RIVERS);
    const after = await demo.control.family(TWO_RIVERS);
    expect(after.generations).toHaveLength(before.generations.length + 1);
    expect((await programs.twoRivers.get('client.api/get/2000000')).status).toBe(200);
  });

  it('are refreshed exactly once for fifty parallel calls at the expiry', async () => {
    const before = await tokenCalls();
    await demo.control.advance(LATER);
    const calls = Array.from({ length: 50 }, () => programs.harbourLane.get('client.api/get/1000000'));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 50 }, () => 200));
    expect(await tokenCalls()).toBe(before + 1);
  });

  it('recover from a lost reply on a quiet account, without a consent or a call', async () => {
    const { id } = await demo.control.organisation(TWO_RIVERS);
    const before = (await demo.control.family(TWO_RIVERS)).generations.length;
    const calls = async (): Promise<number> =>
      (await demo.control.requests()).filter(({ path }) => !path.startsWith('/connect/')).length;
    const quiet = await calls();
    await demo.control.fault({ on: { surface: 'token', accountId: id }, do: 'reset-after' });
    // The refresh is begun by a process that dies before it could try again.
    const begun = demo.tool('grants', 'refresh', TWO_RIVERS);
    await eventually('the answer is lost', async () =>
      (await demo.control.struck()) > 0 ? true : undefined,
    );
    await begun.kill();

    const held = await eventually('the grant is held again', async () => {
      const grants = JSON.parse(await demo.said('grants', 'list', '--format', 'json')) as readonly {
        readonly accounts: string;
        readonly state: string;
        readonly generation: number;
      }[];
      return grants.find(
        ({ accounts, state, generation }) =>
          accounts === TWO_RIVERS && state === 'held' && generation > before,
      );
    });
    expect(held.generation).toBe(before + 1);
    expect(await calls()).toBe(quiet);
    expect((await demo.control.family(TWO_RIVERS)).revoked).toBeNull();
    await demo.control.calm();
    expect((await programs.twoRivers.get('client.api/get/2000000')).status).toBe(200);
  });
});

describe('a write whose reply is lost', () => {
  it('is sent once, and answered with what the service shows of it', async () => {
    const sent = async (): Promise<number> =>
      (await demo.control.requests()).filter(({ path }) => path === '/3.0/client.api/add').length;
    const before = await sent();
    const { id } = await demo.control.organisation(HARBOUR_LANE);
    await demo.control.fault({
      on: { surface: 'v3', operation: 'client.add', accountId: id },
      do: 'reset-after',
    });
    const answer = await programs.harbourLane.post(
      'client.api/add',
      '<Client><Name>Lost in between</Name></Client>',
    );
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('<Name>Lost in between</Name>');
    expect(await sent()).toBe(before + 1);
    await demo.control.calm();
    const found = await programs.harbourLane.get('client.api/search?query=Lost+in+between');
    expect(countOf(found.text, '<Name>Lost in between</Name>')).toBe(1);
  });
});

describe('a consent in the demo', () => {
  it.each([
    ['Old Mill Engineering', 'Ana Whitcombe', 'oldMill', '3000000'],
    ['Northgate Legal', 'Ana Whitcombe', 'northgate', '4000000'],
  ] as const)('moves %s to V3, with its former numbers', async (name, person, program, number) => {
    const before = await programs[program].get('client.api/list');
    const link = name === 'Old Mill Engineering' ? await mailedLink('1') : printedLink(name);
    await giveConsent({ link, person, organisation: name });
    const after = await eventually(`${name} is served by V3`, async () => {
      const answer = await programs[program].get('client.api/list');
      return source(answer) === 'v3' ? answer : undefined;
    });
    expect(after.status).toBe(200);
    expect(after.text).toContain(`<Client><ID>${number}</ID>`);
    if (before.status === 200) expect(after.text).toBe(before.text);
  });

  it('leaves a used link that offers nothing', async () => {
    expect((await fetch(await mailedLink('1'))).status).toBe(404);
  });
});

describe('a grant that the service revokes', () => {
  it('leads to a 403 in the legacy form, for writes as for reads', async () => {
    const { id } = await demo.control.organisation(TWO_RIVERS);
    await demo.control.fault({ on: { surface: 'v3', accountId: id }, do: 'revoke' });
    const refused = [
      await programs.twoRivers.get('client.api/list'),
      await programs.twoRivers.post('client.api/add', '<Client><Name>X</Name></Client>'),
    ];
    await demo.control.calm();
    for (const answer of refused) {
      expect(answer.status).toBe(403);
      expect(answer.headers['content-type']).toBe('text/xml; charset=utf-8');
      expect(answer.text).toContain(AGAIN);
    }
    expect((await programs.harbourLane.get('client.api/get/1000000')).status).toBe(200);
  });
});

describe('the end of the demo', () => {
  it('shows no secret in any output', async () => {
    const basic = Buffer.from('causeway-demo:causeway-demo-secret').toString('base64');
    const secrets = [
      API_KEY,
      ...Object.values(keys),
      'F'.repeat(32),
      'causeway-demo-secret',
      basic,
      await demo.encryptionKey(),
      ...issuedSecrets(join(demo.folder, 'sandbox.db')),
      ...[printedLink('Northgate Legal'), await mailedLink('1')].map((link) => link.split('/').at(-1) ?? ''),
    ];
    await demo.said('accounts', 'list');
    await demo.said('accounts', 'show', HARBOUR_LANE);
    const outputs = await demo.outputs();
    expect(outputs).toContain('"client.list"');
    expect(secrets.every((secret) => secret.length > 15)).toBe(true);
    expect(secrets.length).toBeGreaterThan(20);
    expect(leaks(secrets, outputs)).toEqual([]);
    expect(outputs).not.toMatch(/eyJ[\w-]+\.[\w-]+\./);
    expect(outputs).not.toContain('123-456-782');
    expect(leaks(secrets, await demo.database())).toEqual([]);
  });

  it('lets a running call finish and stops everything within 30 seconds after SIGTERM', async () => {
    await demo.control.fault({ on: { surface: 'v3', operation: 'client.get' }, do: 'latency', ms: 1_500 });
    const call = programs.harbourLane.get('client.api/get/1000002');
    await eventually('the call is under way', async () =>
      (await demo.control.struck()) > 0 ? true : undefined,
    );
    demo.process.signal('SIGTERM');
    const answer = await call;
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('<ID>1000002</ID>');
    expect(await demo.process.endsWithin(30)).toEqual({ code: 0, signal: null });
    await expect(fetch(`${demo.bridge}/_causeway/health/live`)).rejects.toThrow();
  });
});
