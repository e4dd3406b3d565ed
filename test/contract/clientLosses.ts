import { type LossRow } from './case.ts';

type Words = Pick<LossRow, 'loss' | 'of'>;

const masked = (method: string, words: Words, ...elements: readonly string[]): readonly LossRow[] =>
  elements.map((mask) => ({ method, ...words, how: { mask } }));

const notProspect = (of: string): Words => ({ loss: 'request Client/IsProspect', of });
const bare: Words = {
  loss: 'Contacts come without mobile, e-mail, phone and addressee, or with those from before the move if CAUSEWAY_SNAPSHOT=all; client.get has them.',
};
const linkUntouched: Words = {
  loss: 'Position and IsPrimary are left out and stay unchanged: both belong to the link with a client, which the call does not name.',
  of: 'client.contact.update',
};

const linkOf = (of: string): Words => ({
  loss: "Position and IsPrimary are those from before the move, or what the account itself wrote since, because both belong to the client's list of contacts: they are left out of a contact added since, and one that was the primary contact stays it.",
  of,
});

/** V2 has no list of those who were deleted. */
export const deleted: LossRow = {
  method: 'client.list',
  loss: "Deleted clients are missing from V2's list.",
  how: { drop: 'Client', holding: '<IsDeleted>Yes</IsDeleted>' },
};

const archivedLast: LossRow = {
  method: 'client.list',
  loss: 'Archived clients come after all others.',
  how: { reordered: 'Client' },
};

const contactDetails = ['Mobile', 'Email', 'Phone', 'Addressee'].map(
  (element) => `Client/Contacts/${element}`,
);

export const longLosses: readonly LossRow[] = [
  deleted,
  archivedLast,
  { ...archivedLast, method: 'client.search' },
  ...masked('client.search', bare, ...contactDetails),
  ...masked('client.list', bare, ...contactDetails),
];

/** What the list of clients loses wherever it is asked for. */
export const lossesInLists: readonly LossRow[] = [
  deleted,
  archivedLast,
  ...masked('client.list', bare, ...contactDetails),
];

/** Clients that V1 finds by something else than their names. */
const notFound = (says: string, holding: string, ...calls: readonly number[]): readonly LossRow[] =>
  calls.map((call) => ({
    case: says,
    call,
    method: 'client.search',
    loss: 'V2 searches names only; V1 also searches contacts, e-mail, phone and export code.',
    how: { drop: 'Client', holding },
  }));

const searches: readonly LossRow[] = [
  ...notFound('a search by name, contact, mail, phone and export code, in any case', '<ID>', 1, 2, 3, 4),
  ...notFound('a client with every element is added and read back', '<ID>', 2),
  ...notFound('values that are none', '<Name>Old Hand</Name>', 5),
  ...notFound('a contact is added to a client and becomes its primary one', '<ID>', 4),
];

/** Nothing is known of their link with the client. */
const addedSince = [
  'of several contacts sent together the last primary one is the primary',
  'a contact is added to a client and becomes its primary one',
].flatMap((says) =>
  masked('client.contact.get', linkOf('client.contact.get'), 'Contact/Position').map((row) => ({
    ...row,
    case: says,
  })),
);

export const clientLosses: readonly LossRow[] = [
  ...lossesInLists,
  ...masked('client.search', bare, ...contactDetails),
  ...masked('client.add', notProspect('client.add'), 'Client/IsProspect'),
  ...masked('client.get', notProspect('client.add'), 'Client/IsProspect'),
  ...masked('client.list', notProspect('client.add'), 'Client/IsProspect'),
  ...masked('client.update', notProspect('client.update'), 'Client/IsProspect'),
  ...masked('client.get', linkUntouched, 'Client/Contacts/IsPrimary'),
  ...masked('client.contact.update', linkUntouched, 'Contact/IsPrimary'),
  ...masked('client.contact.get', linkUntouched, 'Contact/IsPrimary'),
  ...addedSince,
  ...masked(
    'client.contact.delete',
    linkOf('client.contact.delete'),
    'Contact/Position',
    'Contact/IsPrimary',
  ),
  ...searches,
];

/** Without practice management V1 shows none of its numbers. */
export const practiceLosses: readonly LossRow[] = masked(
  'client.add',
  { loss: 'The practice management numbers appear in every organisation that has them.' },
  'Client/TaxNumber',
);

/** What is lost of a document. */
export const documentLosses: readonly LossRow[] = [
  ...masked(
    'client.documents',
    { loss: 'request Document/Folder', of: 'client.document.add' },
    'Document/Folder',
  ),
  ...masked(
    'client.documents',
    {
      loss: 'CreatedBy of a document that a legacy program uploaded is the person who connected the account.',
    },
    'Document/CreatedBy',
  ),
];
