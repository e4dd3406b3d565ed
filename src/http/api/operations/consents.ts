import { z } from 'zod';
import { products } from '../../../upstream/organisation.ts';
import { findingNames, findingOf, type ConsentFinding } from '../../../features/consent/findings.ts';
import type { WeighedConsent } from '../../../features/consent/model.ts';
import { csvFile } from '../csv-list.ts';
import { consentColumns, reasonsOf } from '../../../features/consent/awaiting.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { orNull, perhaps } from '../shapes.ts';
import { iso, moment } from '../../../lib/time/iso.ts';

const consentSchema = z.strictObject({
  id: z.string().describe('Id of the consent; another consent of the same account has a different one'),
  account: z.strictObject({ id: z.string(), name: z.string(), product: z.enum(products) }),
  contact: z.strictObject({ name: perhaps(z.string()), email: perhaps(z.string()) }),
  expected: z.strictObject({ id: perhaps(z.string()), name: perhaps(z.string()) }),
  organisation: z.strictObject({ id: z.string(), name: z.string() }).describe('The one that was approved'),
  by: z.strictObject({ userId: z.string(), name: perhaps(z.string()), email: perhaps(z.string()) }),
  since: moment,
  findings: z
    .array(
      z.strictObject({
        finding: z.enum(findingNames as [ConsentFinding, ...ConsentFinding[]]),
        speaks: z.enum(['for', 'against']),
      }),
    )
    .describe('What was found when it came'),
  for: z.array(z.string()).describe('Evidence for it, in words'),
  against: z.array(z.string()).describe('Current evidence against it, in words'),
});

const consentOf = (consent: WeighedConsent): z.infer<typeof consentSchema> => {
  const reasons = reasonsOf(consent);
  return {
    id: consent.id,
    account: { id: consent.accountId, name: consent.account, product: consent.product },
    contact: { name: orNull(consent.contact), email: orNull(consent.contactEmail) },
    expected: { id: orNull(consent.expected.id), name: orNull(consent.expected.name) },
    organisation: consent.organisation,
    by: { userId: consent.by.userId, name: orNull(consent.by.name), email: orNull(consent.by.email) },
    since: iso(consent.since),
    findings: consent.findings.map((finding) => ({ finding, speaks: findingOf(finding).speaks })),
    for: [...reasons.for],
    against: [...reasons.against],
  };
};

const list = endpoint({
  id: 'listConsents',
  verb: 'GET',
  path: '/consents',
  area: 'Consents',
  summary: 'Lists consents without proof that wait for an operator, oldest first',
  notes:
    'Decide on them with the actions confirm and refuse, by account id; these take `consents`, the ids listed here.',
  scope: 'read',
  reply: { name: 'ConsentList', schema: z.strictObject({ consents: z.array(consentSchema) }) },
  handle: async ({ admin }) => ({ consents: (await admin.consents()).map(consentOf) }),
});

export const consentOperations: readonly Endpoint[] = [
  list,
  csvFile({
    ...{ id: 'listConsentsCsv', path: '/consents.csv', area: 'Consents' },
    ...{ name: 'ConsentCsv', file: 'consents.csv', columns: consentColumns },
    rows: ({ admin }) => admin.consents(),
  }),
];
