/**
 * The customers' pages with sample values, for editors of their texts. One table lists, for each section of the texts,
 * the pages that show them; values come from the same functions as those of the real pages.
 */
import { DEFAULT_APPLICATION } from '../../upstream/application.ts';
import { DAY } from '../../lib/time/clock.ts';
import type { Brand } from '../../features/campaign/brand.ts';
import type { ConnectionView, OldKeys } from '../../features/connection/model.ts';
import type { JudgedOrganisation, Standing } from '../../features/consent/model.ts';
import type { StageName } from '../../features/accounts/account.ts';
import type { ServiceName } from '../../features/texts/service-name.ts';
import type { Words } from '../../features/texts/words.ts';
import { connectionValues, isConnected, mayApproveAgain } from './connection-values.ts';
import { awaitingValues, choiceValues, forwarding, successValues } from './page-values.ts';
import type { PageName } from './page-names.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a preview needs. */
export interface PreviewFacts {
  readonly words: Words;
  readonly brand: Brand;
  readonly service: ServiceName;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A variant of a page. */
export interface PagePreview {
  /** What is special about the variant, for a choice between several. */
  readonly label: string;
  readonly page: PageName;
  readonly values: (facts: PreviewFacts) => Values;
}

// Names that cannot be taken for a customer's.
const ACCOUNT = 'Example Ltd';
const ORGANISATION = 'Example Group';
const BY = 'Sam Example (sam@example.com)';
const ADDRESS = 'https://bridge.example.com/_causeway/connect/preview';

/** The page behind the link of an invitation. */
const invitation =
  (differing: Values) =>
  ({ words, brand, service, now }: PreviewFacts): Values => ({
    account: ACCOUNT,
    product: 'standard',
    organisation: ORGANISATION,
    until: words.lastMoment(now + 30 * DAY),
    announcement: service.announcement,
    ...forwarding(words, ACCOUNT, brand, ADDRESS),
    ...differing,
  });

/** One for each kind of customer who opens the link. */
const connect: readonly PagePreview[] = [
  { label: 'Invited', page: 'connect', values: invitation({}) },
  { label: 'Organisation unknown', page: 'connect', values: invitation({ organisation: undefined }) },
  { label: 'Authorise again', page: 'connect', values: invitation({ again: true, lost: true }) },
  {
    label: 'New customer of the practice product',
    page: 'connect',
    values: invitation({ first: true, product: 'practice' }),
  },
  { label: 'Approved, not yet confirmed', page: 'connect', values: invitation({ awaiting: ORGANISATION }) },
];

const organisation = (id: string, name: string) => ({ id, name });

const judged = (id: string, name: string, standing: Standing): JudgedOrganisation => ({
  ...organisation(id, name),
  ...{ standing, proved: false, findings: [] },
});

/** The question about the organisation; `problem`: the fault in an answer. */
const question =
  (several: boolean, problem?: string) =>
  ({ words, now }: PreviewFacts): Values =>
    choiceValues(
      words,
      {
        account: { id: 'a', name: ACCOUNT },
        expected: ORGANISATION,
        organisations: several
          ? [
              judged('1', ORGANISATION, 'likely'),
              judged('2', 'Example Abroad', 'doubtful'),
              judged('3', 'Somebody Else Ltd', 'foreign'),
            ]
          : [judged('1', 'Example Abroad', 'doubtful')],
        companions: several
          ? [{ account: 'Second Ltd', id: 's', organisation: organisation('4', 'Second Group') }]
          : [],
        by: BY,
        expiresAt: now + DAY,
      },
      problem,
    );

const connection = (account: string, migrated: boolean) =>
  ({ account, organisation: ORGANISATION, origin: 'added', migrated }) as const;

/** The page after an approval. */
const receipt =
  (...connections: readonly ReturnType<typeof connection>[]) =>
  ({ words, now }: PreviewFacts): Values => {
    const [first = connection(ACCOUNT, true), ...more] = connections;
    return successValues(words, {
      outcome: 'connected',
      connections: [first, ...more],
      by: BY,
      at: now,
      mailed: true,
    });
  };

/** The page after an approval that the operator has to confirm. */
const waiting = ({ words, brand, now }: PreviewFacts): Values =>
  awaitingValues(
    words,
    {
      outcome: 'awaiting',
      account: ACCOUNT,
      organisation: ORGANISATION,
      origin: 'added',
      by: BY,
      at: now,
      connections: [connection('Second Ltd', true)],
    },
    brand,
  );

/** The page of a connection. */
const state =
  (stage: StageName, keys: OldKeys, more: Values = {}) =>
  ({ words, now }: PreviewFacts): Values => {
    const view: ConnectionView = {
      accountId: 'a',
      account: ACCOUNT,
      product: 'standard',
      application: DEFAULT_APPLICATION,
      language: words.language,
      zone: undefined,
      stage,
      organisation: stage === 'legacy' ? undefined : ORGANISATION,
      lastCallAt: stage === 'legacy' ? undefined : now - DAY,
      keys,
      at: now,
    };
    const [again, connected] = [mayApproveAgain(view), isConnected(view)];
    return { ...connectionValues(words, view), again, connected, ...more };
  };

const end = '2026-12-31';

/** One for each state that a connection can be in. */
const status: readonly PagePreview[] = [
  { label: 'Works', page: 'connection', values: state('migrated', { state: 'moved' }) },
  {
    label: 'Not authorised',
    page: 'connection',
    values: state('legacy', { state: 'until', day: end, daysLeft: 30 }),
  },
  { label: 'Waiting', page: 'connection', values: state('awaiting-operator', { state: 'open' }) },
  { label: 'Authorised', page: 'connection', values: state('consented', { state: 'open' }) },
  {
    label: 'Ended',
    page: 'connection',
    values: state('lost', { state: 'ended', day: end }, { said: 'ended' }),
  },
  { label: 'Closed', page: 'connection', values: state('closed', { state: 'none' }) },
  {
    label: 'Signed in',
    page: 'connection',
    values: (facts) => ({
      ...state('migrated', { state: 'moved' })(facts),
      approval: { by: BY, when: facts.words.moment(facts.now - DAY) },
    }),
  },
  {
    label: 'Signed in before the move',
    page: 'connection',
    values: (facts) => ({
      ...state('consented', { state: 'until', day: end, daysLeft: 30 })(facts),
      approval: { by: BY, when: facts.words.moment(facts.now - DAY) },
    }),
  },
];

/** The page after a consent that connected nothing. */
const refusal =
  (reason: string) =>
  ({ words, brand }: PreviewFacts): Values => ({
    reason,
    found: [],
    expected: ORGANISATION,
    back: '#',
    canForward: true,
    account: ACCOUNT,
    ...forwarding(words, ACCOUNT, brand, ADDRESS),
  });

/** A page with a single message. */
const message = (name: string): PagePreview => ({
  label: 'Page',
  page: 'message',
  values: () => ({ message: name }),
});

/** The page at the bridge's address. */
const home: PagePreview = {
  label: 'Page',
  page: 'home',
  values: () => ({ example: 'https://bridge.example.com/client.api/list?apiKey=…&accountKey=…' }),
};

/** Sections that have pages of their own; sections of messages and refusals are named after their page. */
const bySection: Readonly<Record<string, readonly PagePreview[]>> = {
  connect,
  service: connect,
  forward: connect,
  layout: [home],
  home: [home],
  choose: [
    { label: 'Several', page: 'choose', values: question(true) },
    { label: 'One', page: 'choose', values: question(false) },
    { label: 'After a mistake', page: 'choose', values: question(true, 'problemNone') },
  ],
  connected: [
    { label: 'One', page: 'connected', values: receipt(connection(ACCOUNT, true)) },
    {
      label: 'Several',
      page: 'connected',
      values: receipt(connection(ACCOUNT, false), connection('Second Ltd', true)),
    },
  ],
  awaiting: [{ label: 'Page', page: 'awaiting', values: waiting }],
  status,
  gone: [
    { label: 'New link possible', page: 'gone', values: () => ({ canSend: true }) },
    { label: 'No new link', page: 'gone', values: () => ({ canSend: false }) },
  ],
  refused: [
    { label: 'Denied', page: 'refused', values: refusal('denied') },
    { label: 'No privilege', page: 'refused', values: refusal('noPrivilege') },
  ],
  unsubscribe: [{ label: 'Page', page: 'unsubscribe', values: () => ({}) }],
};

/** The pages that show the texts of a section; empty if the texts belong to e-mails. */
export function previewsOf(section: string): readonly PagePreview[] {
  const [kind = '', name = ''] = section.split('.');
  if (kind === 'messages') return [message(name)];
  if (kind === 'refusals') return [{ label: 'Page', page: 'refused', values: refusal(name) }];
  return bySection[section] ?? [];
}
