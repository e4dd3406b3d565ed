/**
 * The filters for a list of accounts. This one table yields the options of the command line, the parameters of the
 * API, the choices of the console and the text of a saved group.
 *
 * Each filter takes several values, of which an account must have one; an account must meet all given filters.
 */
import { parityVerdicts } from '../../cutover/parity/model.ts';
import { products } from '../../../upstream/organisation.ts';
import {
  invitationStates,
  inviteNeedNames,
  mailStateNames,
  nextActionNames,
  shownStages,
  stuckReasonNames,
} from '../codes.ts';
import { type ReportedAccount } from '../model.ts';

interface AccountFilter {
  /** For the help of the command line and the API's document: `only accounts` precedes it. */
  readonly describe: string;
  /** Undefined: any text. */
  readonly choices: readonly [string, ...string[]] | undefined;
  /** Ignores case. */
  readonly isMet: (account: ReportedAccount, wanted: string) => boolean;
}

/** The filters by name; the name is the same everywhere. */
export const accountFilters = {
  stage: {
    describe: 'in these stages',
    choices: shownStages,
    isMet: ({ stage }, wanted) => stage === wanted,
  },
  reason: {
    describe: 'stuck for this reason',
    choices: stuckReasonNames,
    isMet: ({ stuck }, wanted) => stuck?.reason === wanted,
  },
  next: {
    describe: 'whose next step it is',
    choices: nextActionNames,
    isMet: ({ next }, wanted) => next?.action === wanted,
  },
  product: {
    describe: 'of this product',
    choices: products,
    isMet: ({ product }, wanted) => product === wanted,
  },
  application: {
    describe: 'of this OAuth application',
    choices: undefined,
    isMet: ({ application }, wanted) => application === wanted,
  },
  language: {
    describe: 'whose e-mails are in this language',
    choices: undefined,
    isMet: ({ language }, wanted) => language === wanted || language.startsWith(`${wanted}-`),
  },
  tag: {
    describe: 'with this tag',
    choices: undefined,
    isMet: ({ tags }, wanted) => tags.includes(wanted),
  },
  invitation: {
    describe: 'whose invitation is in this state',
    choices: invitationStates,
    isMet: ({ invitation }, wanted) => invitation.state === wanted,
  },
  wave: {
    describe: 'in this wave: they went out with it, or it would invite them next',
    choices: undefined,
    isMet: ({ wave }, wanted) => wave?.name.toLowerCase() === wanted,
  },
  mail: {
    describe: 'whose e-mail is in this state',
    choices: mailStateNames,
    isMet: ({ mail }, wanted) => mail === wanted,
  },
  ready: {
    describe: 'that are ready to be invited, or not',
    choices: ['yes', 'no'],
    isMet: ({ inviteReady }, wanted) => inviteReady?.ready === (wanted === 'yes'),
  },
  lacks: {
    describe: 'that lack this before they can be invited',
    choices: inviteNeedNames,
    isMet: ({ inviteReady }, wanted) => inviteReady?.lacks.some((need) => need === wanted) === true,
  },
  flagged: {
    describe: 'in which something has changed since the move, or nothing has',
    choices: ['yes', 'no'],
    isMet: ({ watch }, wanted) => ((watch?.words ?? null) !== null) === (wanted === 'yes'),
  },
  refused: {
    describe: 'for whose account key calls were refused within a day, or not',
    choices: ['yes', 'no'],
    isMet: ({ refused24h }, wanted) => refused24h > 0 === (wanted === 'yes'),
  },
  parity: {
    describe: 'whose comparison of V3 with V1 says this',
    choices: parityVerdicts,
    isMet: ({ parity }, wanted) => (parity?.verdict ?? 'none') === wanted,
  },
} as const satisfies Readonly<Record<string, AccountFilter>>;

/** A filter by its name. */
export type FilterName = keyof typeof accountFilters;
/** The names of all filters, in order. */
export const filterNames = Object.keys(accountFilters) as readonly FilterName[];

/** The wanted values by filter; absent or empty ones do not filter. */
export type Wanted = Readonly<Partial<Record<FilterName, readonly string[] | undefined>>>;

/** The values a filter can have; undefined: any text. */
export const choicesOf = (name: FilterName): readonly [string, ...string[]] | undefined =>
  accountFilters[name].choices;

/** Whether the account meets every filter. */
export const meets = (account: ReportedAccount, wanted: Wanted): boolean =>
  filterNames.every((name) => {
    const values = wanted[name] ?? [];
    const { isMet }: AccountFilter = accountFilters[name];
    return values.length === 0 || values.some((value) => isMet(account, value.toLowerCase()));
  });
