/** The service's fixed answers and the replies that the bridge must make from them, byte for byte. */

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\r\n';
const CLIENTS_FROM = 1_000_000;
export const STAFF = 7;
export const PAGE_SIZE = 500;

/** How identifiers are printed: numbers on V1, UUIDs on V3. */
type Ids = 'number' | 'uuid';

const uuidOf = (prefix: string, number: number): string =>
  `${prefix}000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const clientNumber = (index: number): number => CLIENTS_FROM + index;
export const clientUuid = (index: number): string => uuidOf('c1', clientNumber(index));
export const contactNumber = (index: number): number => 2 * CLIENTS_FROM + index;
export const contactUuid = (index: number): string => uuidOf('c2', contactNumber(index));
export const staffUuid = uuidOf('5a', STAFF);

const id = (ids: Ids, number: number, uuid: string): string =>
  ids === 'uuid' ? `<UUID>${uuid}</UUID>` : `<ID>${number}</ID>`;

/** About 1.4 KB: three identifiers, an escaped name, two notes. */
function client(index: number, ids: Ids): string {
  const place = `<Address>${index} Quay Street</Address><City>Dunedin</City><Region>Otago</Region><PostCode>9016</PostCode><Country>New Zealand</Country>`;
  const post =
    '<PostalAddress>PO Box 11</PostalAddress><PostalCity>Dunedin</PostalCity><PostalRegion>Otago</PostalRegion><PostalPostCode>9054</PostalPostCode><PostalCountry>New Zealand</PostalCountry>';
  const note = (text: string): string =>
    `<Note><Title>${text}</Title><Text>Agreed on the telephone, to be confirmed in writing by the end of the month.</Text><Folder></Folder><Date>2026-03-14T09:26:53</Date><CreatedBy>Ada Example</CreatedBy></Note>`;
  return (
    `<Client>${id(ids, clientNumber(index), clientUuid(index))}<Name>Harbour &amp; Sons ${index}</Name><Email>office${index}@example.org</Email>` +
    `${place}${post}<Phone>+64 3 555 0100</Phone><Fax></Fax><Website>https://harbour${index}.example.org</Website><ReferralSource>Radio</ReferralSource><ExportCode>H${index}</ExportCode>` +
    `<IsProspect>No</IsProspect><IsArchived>No</IsArchived><IsDeleted>No</IsDeleted>` +
    `<AccountManager>${id(ids, STAFF, staffUuid)}<Name>Ada Example</Name></AccountManager>` +
    `<Contacts><Contact>${id(ids, contactNumber(index), contactUuid(index))}<Name>Zoë Müller</Name><Mobile>021 555 010</Mobile><Email>zoe${index}@example.org</Email><Phone></Phone><Position>Owner</Position><Salutation>Zoë</Salutation><Addressee>Ms Z Müller</Addressee><IsPrimary>Yes</IsPrimary></Contact></Contacts>` +
    `<Notes>${note('First talk')}${note('Fees')}</Notes></Client>`
  );
}

const clients = (from: number, to: number, ids: Ids): string =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => client(from + at, ids)).join('');

/** The reply of `client.get`, as V1 gives it and as the legacy program must get it. */
export const smallLegacy = (): string =>
  `${DECLARATION}<Response api-method="Get"><Status>OK</Status>${client(1, 'number')}</Response>`;

export const smallV3 = (): string =>
  `${DECLARATION}<Response><Status>OK</Status>${client(1, 'uuid')}</Response>`;

/** The reply of `client.update`: the changed client. */
export const updatedLegacy = (): string => smallLegacy().replace('"Get"', '"Update"');
export const updatedV3 = smallV3;

export const listLegacy = (count: number): string =>
  `${DECLARATION}<Response api-method="List"><Status>OK</Status><Clients>${clients(0, count, 'number')}</Clients></Response>`;

/** One page of the list in V3; `page` counts from 1. */
export const pageV3 = (page: number, size: number, count: number): string =>
  `${DECLARATION}<Response><Status>OK</Status><TotalRecords>${count}</TotalRecords><Page>${page}</Page><PageSize>${size}</PageSize>` +
  `<Clients>${clients((page - 1) * size, Math.min(page * size, count), 'uuid')}</Clients></Response>`;
