/**
 * The filters of the list of accounts, as lists to choose from. The table of filters defines them and their tests; here
 * are the words for people.
 */
import {
  inviteNeeds,
  inviteNeedNames,
  invitationStates,
  mailStates,
  mailStateNames,
  nextActionNames,
  nextActions,
  shownStages,
  stuckReasonNames,
  stuckReasons,
} from '../../../features/status/codes.ts';
import { type StatusReport } from '../../../features/status/model.ts';
import { invitationStateWords, stageWords } from '../../../features/status/code-words.ts';
import type { FilterName, Wanted } from '../../../features/status/report/filters.ts';
import { parityVerdicts } from '../../../features/cutover/parity/model.ts';
import { verdictNames } from '../../../features/cutover/parity/words.ts';
import { products } from '../../../upstream/organisation.ts';

/** A filter as a list to choose from. */
export interface Choice {
  readonly name: FilterName;
  readonly label: string;
  readonly options: readonly (readonly [value: string, words: string])[];
}

const sorted = (values: Iterable<string>): readonly string[] => [...new Set(values)].sort();
const plain = (values: readonly string[]): Choice['options'] => values.map((value) => [value, value]);

/**
 * The filters of the list of accounts, with the words for people; the stages have links of their own. Tags and
 * languages are those that occur. Several values chosen at once, by a link, become one more choice, so that a form sent
 * again keeps them.
 */
export const choicesFor = ({ accounts }: StatusReport, chosen: Wanted = {}): readonly Choice[] =>
  choicesOf(accounts).map((choice) => withChosen(choice, chosen[choice.name] ?? []));

function withChosen(choice: Choice, chosen: readonly string[]): Choice {
  const value = chosen.join(',');
  if (value === '' || choice.options.some(([one]) => one === value)) return choice;
  const words = new Map(choice.options);
  return {
    ...choice,
    options: [...choice.options, [value, chosen.map((one) => words.get(one) ?? one).join(', ')]],
  };
}

const choicesOf = (accounts: StatusReport['accounts']): readonly Choice[] => [
  {
    name: 'reason',
    label: 'Stuck',
    options: [['any', 'for any reason'], ...stuckReasonNames.map(stuckOption)],
  },
  { name: 'tag', label: 'Tag', options: plain(sorted(accounts.flatMap(({ tags }) => tags))) },
  {
    name: 'ready',
    label: 'Ready to invite',
    options: [
      ['yes', 'ready'],
      ['no', 'not yet'],
    ],
  },
  {
    name: 'lacks',
    label: 'Not ready because',
    options: inviteNeedNames.map((need) => [need, inviteNeeds[need]]),
  },
  {
    name: 'invitation',
    label: 'Invitation',
    options: invitationStates.map((state) => [
      state,
      state === 'none' ? 'none' : invitationStateWords(state),
    ]),
  },
  ...waveChoice(accounts),
  { name: 'mail', label: 'E-mail', options: mailStateNames.map((state) => [state, mailStates[state]]) },
  {
    name: 'next',
    label: 'Next step',
    options: nextActionNames.map((next) => [next, nextActions[next].words]),
  },
  ...watchedChoices,
  {
    name: 'parity',
    label: 'Proof',
    options: parityVerdicts.map((verdict) => [verdict, verdictNames(verdict)]),
  },
  ...belongingChoices(accounts),
];

const watchedChoices: readonly Choice[] = [
  {
    name: 'flagged',
    label: 'Since the move',
    options: [
      ['yes', 'something differs'],
      ['no', 'nothing differs'],
    ],
  },
  {
    name: 'refused',
    label: 'Calls refused, 24 h',
    options: [
      ['yes', 'some'],
      ['no', 'none'],
    ],
  },
];

/** Empty if there is no wave. Filters are in lower case. */
function waveChoice(accounts: StatusReport['accounts']): readonly Choice[] {
  const names = sorted(accounts.flatMap(({ wave }) => (wave === null ? [] : [wave.name])));
  const options = names.map((name) => [name.toLowerCase(), name] as const);
  return names.length === 0 ? [] : [{ name: 'wave', label: 'Wave', options }];
}

/** Empty if there is only one OAuth application. */
function belongingChoices(accounts: StatusReport['accounts']): readonly Choice[] {
  const applications = sorted(accounts.map(({ application }) => application));
  const choice: Choice = { name: 'application', label: 'Application', options: plain(applications) };
  return [
    { name: 'product', label: 'Product', options: plain(products) },
    ...(applications.length > 1 ? [choice] : []),
    { name: 'language', label: 'Language', options: plain(sorted(accounts.map(({ language }) => language))) },
  ];
}

const stuckOption = (reason: (typeof stuckReasonNames)[number]): readonly [string, string] => [
  reason,
  stuckReasons[reason],
];

/** Filters that are no list to choose from on the page, or only where there is something to choose. */
const otherLabels: Readonly<Record<string, string>> = {
  ...{ application: 'Application', search: 'Search', stage: 'Stage', stuck: 'Stuck', wave: 'Wave' },
};

/** A stored filter in the words of these lists: `Tag: pilot; Invitation: sent, expired`. */
export function filterLabels(query: string): string {
  const choices = new Map<string, Choice>(choicesOf([]).map((choice) => [choice.name, choice]));
  const wordsOf = (name: string, value: string): string => {
    const stage = shownStages.find((one) => name === 'stage' && one === value);
    if (stage !== undefined) return stageWords(stage);
    if (name === 'stuck') return 'for any reason';
    return choices.get(name)?.options.find(([one]) => one === value)?.[1] ?? value;
  };
  return Array.from(new URLSearchParams(query), ([name, values]) => {
    const words = values.split(',').map((value) => wordsOf(name, value));
    return `${choices.get(name)?.label ?? otherLabels[name] ?? name}: ${words.join(', ')}`;
  }).join('; ');
}
