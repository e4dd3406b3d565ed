import type { Brand } from '../domain/brand.ts';
import type { Standing } from '../domain/consent.ts';
import type { Connected, Offer, Question } from '../migration/consent-parts.ts';

type Values = Readonly<Record<string, unknown>>;

const day = (at: number): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(at);

/** A text for the person who can approve, and a mail that holds it. `address`: of the page that asks. */
export function forwarding(account: string, brand: Brand, address: string): Values {
  const subject = `Please approve the connection of ${account}`;
  const text = [
    'Hello,',
    '',
    `${brand.name} asks for the approval of an administrator, so that the programs of ${account} can go on working with our data. I cannot give it myself. Could you please open this page and approve?`,
    '',
    address,
    '',
    'It takes two minutes. You need to be an administrator who holds the privilege “Authorise 3rd Party Full Access”; it is granted in the staff settings of the service, among the API access privileges. No password is entered on that page.',
    '',
    'Thank you!',
  ].join('\n');
  const body = encodeURIComponent(text.replaceAll('\n', '\r\n'));
  return { forward: text, mail: `mailto:?subject=${encodeURIComponent(subject)}&body=${body}` };
}

export function landingValues(
  { account, organisation, expected, expiresAt }: Offer,
  brand: Brand,
  address: string,
): Values {
  return {
    asker: brand.name,
    account: account.name,
    product: account.product,
    lost: account.life.stage === 'lost',
    again: organisation !== undefined,
    // A customer that never had the old keys has nothing to go on with.
    first: account.origin === 'issued',
    organisation: organisation?.name ?? expected,
    until: day(expiresAt),
    ...forwarding(account.name, brand, address),
  };
}

const remarks: Readonly<Record<Standing, string>> = {
  same: 'Matches the records of this account.',
  open: '',
  doubtful: 'Not what we expected: please make sure before you choose it.',
  foreign: 'Cannot be chosen: it knows none of the clients of this account.',
  other: 'Cannot be chosen: this account belongs to another organisation for good.',
  taken: 'Cannot be chosen: it is connected already.',
};

const choosable: ReadonlySet<Standing> = new Set(['same', 'open', 'doubtful']);

export function choiceValues(question: Question, brand: Brand, problem: string | undefined): Values {
  const { account, organisations, expected, companions, by } = question;
  const [only, ...more] = organisations;
  const covered = new Set(companions.map(({ organisation }) => organisation.id));
  const same = organisations.filter(({ standing, id }) => standing === 'same' && !covered.has(id));
  return {
    asker: brand.name,
    account: account.name,
    expected: expected === account.name ? undefined : expected,
    by,
    problem,
    single: only !== undefined && more.length === 0 ? only.name : undefined,
    organisations: organisations.map(({ id, name, standing }) => ({
      id,
      name,
      remark: covered.has(id) ? 'Belongs to the account below.' : remarks[standing],
      disabled: !choosable.has(standing),
      // What is beyond doubt is ticked; everything else takes a hand.
      checked: same.length === 1 && same[0]?.id === id,
    })),
    companions: companions.map((one) => ({
      id: one.id,
      account: one.account,
      organisation: one.organisation.name,
    })),
  };
}

export function successValues({ connections, by }: Connected, brand: Brand): Values {
  const [{ organisation }] = connections;
  return {
    title:
      connections.length === 1
        ? `Connected to ${organisation}`
        : `${connections.length} organisations connected`,
    connections,
    by,
    asker: brand.name,
    migrated: connections.every(({ migrated }) => migrated),
  };
}
