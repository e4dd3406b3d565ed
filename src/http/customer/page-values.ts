import type { AccountOrigin } from '../../features/accounts/account.ts';
import type { Brand } from '../../features/campaign/brand.ts';
import type { Standing } from '../../features/consent/model.ts';
import type { Awaiting, Connected, Offer, Question } from '../../features/consent/parts.ts';
import type { ServiceName } from '../../features/texts/service-name.ts';
import type { Words } from '../../features/texts/words.ts';

type Values = Readonly<Record<string, unknown>>;

/** A customer that never had V1 keys has no programs to carry on with: its programs start here. */
const isFirst = (origin: AccountOrigin): boolean => origin === 'issued';

/**
 * A text for the person who can approve, and a mailto link that contains it. `address`: that of the invitation page.
 */
export function forwarding(words: Words, account: string, brand: Brand, address: string): Values {
  const names = { account, address, asker: brand.name };
  const text = words.lines('forward.text', names).join('\n\n');
  const subject = encodeURIComponent(words.say('forward.subject', names));
  const body = encodeURIComponent(text.replaceAll('\n', '\r\n'));
  return { forward: text, mail: `mailto:?subject=${subject}&body=${body}` };
}

/** The contents of the invitation page besides its offer. */
export interface LandingParts {
  readonly brand: Brand;
  readonly service: ServiceName;
  /** The page's own address, to be passed on to the person who can approve. */
  readonly address: string;
}

/** Values for the invitation page. */
export function landingValues(
  words: Words,
  { account, organisation, expected, awaiting, expiresAt }: Offer,
  { brand, service, address }: LandingParts,
): Values {
  return {
    account: account.name,
    product: account.product,
    lost: account.life.stage === 'lost',
    again: organisation !== undefined,
    first: isFirst(account.origin),
    organisation: organisation?.name ?? expected,
    awaiting: awaiting?.name,
    until: words.lastMoment(expiresAt),
    announcement: service.announcement,
    ...forwarding(words, account.name, brand, address),
  };
}

const choosable: ReadonlySet<Standing> = new Set(['same', 'likely', 'open', 'doubtful']);

/** Values for the question. `problem`: key of the fault in the answer, below `choose`. */
export function choiceValues(words: Words, question: Question, problem: string | undefined): Values {
  const { account, organisations, expected, companions, by } = question;
  const [only, ...more] = organisations;
  const covered = new Set(companions.map(({ organisation }) => organisation.id));
  const free = organisations.filter(({ id }) => !covered.has(id));
  const same = free.filter(({ standing }) => standing === 'same');
  const likely = same.length > 0 ? same : free.filter(({ standing }) => standing === 'likely');
  const remark = (standing: Standing): string =>
    standing === 'open' ? '' : words.say(standing === 'other' ? 'choose.elsewhere' : `choose.${standing}`);
  return {
    account: account.name,
    expected: expected === account.name ? undefined : expected,
    by,
    problem: problem && words.say(`choose.${problem}`),
    single: only !== undefined && more.length === 0 ? only.name : undefined,
    organisations: organisations.map(({ id, name, standing }) => ({
      id,
      name,
      remark: covered.has(id) ? words.say('choose.below') : remark(standing),
      disabled: !choosable.has(standing),
      // An organisation that is beyond doubt, or the only one with the name, is preselected; the customer ticks all
      // others.
      checked: likely.length === 1 && likely[0]?.id === id,
    })),
    companions: companions.map((one) => ({
      id: one.id,
      account: one.account,
      organisation: one.organisation.name,
    })),
  };
}

/** Values for an approved account that waits for the integrator's confirmation. */
export const awaitingValues = (
  words: Words,
  { account, organisation, origin, by, at, connections }: Awaiting,
  brand: Brand,
): Values => ({
  account,
  organisation,
  first: isFirst(origin),
  by,
  when: words.moment(at),
  connections,
  asker: brand.name,
});

/** Values for the page of a connected account, with every account this consent connected. */
export function successValues(words: Words, { connections, by, at, mailed }: Connected): Values {
  const [{ organisation }] = connections;
  return {
    title:
      connections.length === 1
        ? words.say('connected.title', { organisation })
        : words.count('connected.titleMany', connections.length),
    connections,
    by,
    when: words.moment(at),
    mailed,
    first: connections.every(({ origin }) => isFirst(origin)),
    migrated: connections.every(({ migrated }) => migrated),
  };
}
