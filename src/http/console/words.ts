import { wordsIn } from '../../lib/text/code.ts';
import {
  inviteNeeds,
  mailStates,
  shownStages,
  nextActions,
  stuckReasons,
} from '../../features/status/codes.ts';
import { type ReportedAccount } from '../../features/status/model.ts';
import { calledWords, refusedCount } from '../../features/usage/call-log.ts';
import type { WaveState } from '../../features/campaign/waves/model.ts';
import { messageKinds } from '../../features/campaign/outbox.ts';
import { tagsIn } from '../../features/accounts/details.ts';
import { refusedWords, type Source } from '../../lib/failure.ts';
import { evidenceText } from '../../mapping/evidence.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time/clock.ts';
import { stepWords } from '../../features/writes/steps.ts';
import { callerWords, isUnsettled } from '../../features/writes/words.ts';
import * as codes from '../../features/status/code-words.ts';
import { addressHtml, codeHtml } from './stamps.ts';
import { entryWords, shownTimeline } from '../../features/status/timeline.ts';
import { deedWords } from '../../features/status/deed-words.ts';
import {
  ago,
  assumedWords,
  dayIn,
  endWords,
  leftOutWords,
  minute,
  pacesWords,
  percent,
  proofTrend,
  proofWords,
  rate,
  missedWords,
  stateWords,
  verdictWords,
} from '../../features/status/report/words.ts';
import { grouped } from '../../lib/text/counted.ts';
import { filterLabels } from './accounts/choices.ts';
import { invitationWords, oneInvitationWords } from '../../features/status/report/invitation-words.ts';
import { parityPaint, verdictNames } from '../../features/cutover/parity/words.ts';
import { causeWords } from '../../features/cutover/parity/difference.ts';
import {
  rehearsalNames,
  rehearsalPaint,
  rehearsalStateNames,
} from '../../features/cutover/rehearsal/words.ts';
import { programWords, readinessWords } from '../../features/admin/usage/usage-words.ts';
import { methodWords } from '../../features/usage/names/account-use.ts';
import { sentenceOf } from '../../lib/text/sentence.ts';
import { localIn } from '../../lib/time/local.ts';
import { iso } from '../../lib/time/iso.ts';

/** Formats a time as `2026-11-20 16:20` UTC; a dash if there is none. */
const moment = (at: number | undefined): string => (at === undefined ? '–' : minute(iso(at)));

const sections: Readonly<Record<string, string>> = {
  service: 'Name of the service',
  shared: 'E-mail: shared texts',
  layout: 'Page: header and footer',
  home: 'Page: home page',
  connect: 'Page: invitation',
  forward: 'Page: text to forward',
  choose: 'Page: choice of organisation',
  connected: 'Page: connected',
  awaiting: 'Page: waiting for confirmation',
  status: 'Page: connection',
  gone: 'Page: this link no longer works',
  refused: 'Page: not approved, shared texts',
  unsubscribe: 'Page: unsubscribe',
  'letters.first': 'E-mail: Invitation for a new customer',
  'letters.first-reminder': 'E-mail: Reminder to a new customer',
};

/** `noPrivilege` in words. */
const apart = (code: string): string => code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** The page or e-mail that texts belong to: `letters.invitation`. */
const sectionWords = (section: string): string => {
  const [kind = '', name = ''] = section.split('.');
  const mail = messageKinds.find((one) => kind === 'letters' && one === name);
  if (mail !== undefined) return `E-mail: ${codes.messageKindWords(mail)}`;
  if (kind === 'messages') return `Page, message: ${apart(name)}`;
  if (kind === 'refusals') return `Page, not approved: ${apart(name)}`;
  return sections[section] ?? section;
};

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** Keeps the unit on the line of its figure. */
const millis = (value: number | undefined): string =>
  value === undefined ? '–' : `${value < 10 ? value.toFixed(1) : grouped(Math.round(value))}\u00a0ms`;

/** Display names of the sources of a reply. */
const sources = wordsIn<Source>({
  v1: 'V1',
  v2: 'V2',
  v3: 'V3',
  cache: 'cache',
  bridge: 'bridge',
});

/** The words before the name of an account's wave, on its page. */
const waveOfWords = wordsIn<WaveState>({
  planned: 'Planned for the wave',
  sent: 'Belongs to the wave',
  good: 'Went out with the wave',
  stopped: 'Belongs to the stopped wave',
});

/** The same in the list of accounts. */
const waveInListWords = wordsIn<WaveState>({
  planned: 'planned for',
  sent: 'is next in',
  good: 'in',
  stopped: 'held back by',
});

/** Rounded, so that an event in three days is not shown as `2 d` a minute later. */
function ahead(millis: number): string {
  const hours = millis / HOUR;
  if (hours < 1.5) return `${Math.round(millis / MINUTE)} min`;
  return hours < 47.5 ? `${Math.round(hours)} h` : `${Math.round(millis / DAY)} d`;
}

/** Formats a time relative to now: `in 3 d`, `3 d ago`; empty if there is none. */
function when(at: number | undefined, now: number): string {
  if (at === undefined) return '';
  if (Math.abs(at - now) < MINUTE) return at > now ? 'in a moment' : 'just now';
  return at > now ? `in ${ahead(at - now)}` : `${ago(iso(at), iso(now))} ago`;
}

const since = (account: ReportedAccount): string =>
  account.daysInStage === 0 ? 'today' : plural(account.daysInStage, 'day');

/** Functions for the templates, so that figures are written the same in every form of the report. */
export const words = {
  sectionWords,
  ...codes,
  addressHtml,
  codeHtml,
  deedWords,
  entryWords,
  shownTimeline,
  ago,
  dayIn,
  endWords,
  grouped,
  filterLabels,
  inviteNeeds,
  invitationWords,
  leftOutWords,
  oneInvitationWords,
  waveOfWords,
  waveInListWords,
  mailStates,
  shownStages,
  tagsIn,
  millis,
  minute,
  moment,
  nextActions,
  pacesWords,
  percent,
  plural,
  rate,
  calledWords,
  refusedCount,
  refusedWords,
  sentenceOf,
  since,
  sources,
  stateWords,
  stuckReasons,
  when,
  timeIn: (zone: string, at: number): string => localIn(zone, at).slice(11),
  verdictWords,
  missedWords,
  assumedWords,
  proofWords,
  proofTrend,
  verdictNames,
  parityPaint,
  causeWords,
  rehearsalNames,
  rehearsalPaint,
  rehearsalStateNames,
  evidenceText,
  methodWords,
  programWords,
  readinessWords,
  callerWords,
  isUnsettled,
  stepWords,
} as const;
