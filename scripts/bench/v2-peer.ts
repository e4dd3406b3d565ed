import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import type { FieldValue, RecordValue, Shape } from '../../src/lib/xml/shape.ts';
import { compileWriter } from '../../src/lib/xml/writer.ts';
import { CLIENT_TYPE_ROW, STAFF_ROW, type V2Client } from './v2-documents.ts';

// The lower bound for a list: pages of V2 parsed by JSON.parse, records written by a compiled writer, the next page
// requested meanwhile. No look-ups in the crosswalk or in lists of V2, no checks, log or counts. Argument: origin of
// the service. First line of output: the port.

const pool = new Pool(process.argv[2] ?? '', { connections: 2 });

const record = (...elements: readonly string[]): Shape => ({
  rows: elements.map((element) => ({ element, text: 'always' as const })),
});
const client: Shape = {
  rows: [
    ...record(
      ...['ID', 'Name', 'Email', 'Address', 'City', 'Region', 'PostCode', 'Country'],
      ...['PostalAddress', 'PostalCity', 'PostalRegion', 'PostalPostCode', 'PostalCountry'],
      ...['Phone', 'Fax', 'Website', 'ReferralSource', 'ExportCode', 'IsProspect', 'IsArchived', 'IsDeleted'],
    ).rows,
    { element: 'AccountManager', record: record('ID', 'Name') },
    { element: 'Type', record: record('Name', 'CostMarkup', 'PaymentTerm', 'PaymentDay') },
    {
      element: 'Contacts',
      list: {
        element: 'Contact',
        of: record('ID', 'Name', 'Position', 'Salutation', 'IsPrimary'),
      },
      empty: 'present',
    },
    {
      element: 'Notes',
      list: { element: 'Note', of: record('Title', 'Text', 'Folder', 'Date', 'CreatedBy') },
      empty: 'whenSet',
    },
  ],
};
const write = compileWriter('Client', client);

const yesNo = (value: boolean): string => (value ? 'Yes' : 'No');
const text = (value: string | null | undefined): FieldValue => value ?? undefined;

function valuesOf(one: V2Client): RecordValue {
  const { contactDetails: reach } = one;
  const place = one.addresses.find(({ type }) => type !== 'postal');
  const post = one.addresses.find(({ type }) => type === 'postal');
  return [
    ...[one.uuid, one.name, reach.email],
    ...[place?.address, place?.city, place?.state, place?.postalCode, place?.country],
    ...[post?.address, post?.city, post?.state, post?.postalCode, post?.country],
    ...[text(reach.phone), text(reach.fax), text(reach.website), one.referralSource, one.exportCode],
    ...[yesNo(one.prospect), yesNo(one.archived), 'No'],
    [one.clientManagerUUID, `${STAFF_ROW.firstName} ${STAFF_ROW.lastName}`],
    [
      CLIENT_TYPE_ROW.name,
      CLIENT_TYPE_ROW.markup.toFixed(2),
      CLIENT_TYPE_ROW.paymentTerm,
      String(CLIENT_TYPE_ROW.paymentDay),
    ],
    one.contacts.map((contact) => [
      contact.uuid,
      `${contact.firstName} ${contact.lastName}`,
      contact.position,
      contact.salutation,
      yesNo(contact.primary),
    ]),
    one.notes.map((note) => [
      note.title,
      note.description,
      text(note.phase),
      `${note.date}T00:00:00`,
      `${note.createdByFirstName} ${note.createdByLastName}`,
    ]),
  ];
}

interface Page {
  readonly data: readonly V2Client[];
  readonly meta: { readonly pagination: { readonly total_pages: number } };
}

async function pageOf(page: number): Promise<Page> {
  const { body } = await pool.request({ path: `/v2/clients?page=${page}`, method: 'GET' });
  return JSON.parse(Buffer.from(await body.arrayBuffer()).toString()) as Page;
}

async function list(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' });
  response.write('<?xml version="1.0" encoding="UTF-8"?>\r\n<Response><Status>OK</Status><Clients>');
  let next: Promise<Page> | undefined = pageOf(1);
  for (let page = 1; next !== undefined; page += 1) {
    const { data, meta }: Page = await next;
    next = page < meta.pagination.total_pages ? pageOf(page + 1) : undefined;
    let written = '';
    for (const one of data) written += write(valuesOf(one));
    if (!response.write(written)) await once(response, 'drain');
  }
  response.end('</Clients></Response>');
}

const server = createServer((_request, response) => {
  list(response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
