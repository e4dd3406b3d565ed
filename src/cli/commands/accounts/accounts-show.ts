/**
 * `causeway accounts show`: everything an operator can know about one account: stage, details, grant,
 * identifiers, messages and timeline. Prints no key and no token. Only reads, and works while the bridge is
 * running.
 */
import { Command } from 'commander';
import { grantOf, type Account, type AccountEvent } from '../../../features/accounts/account.ts';
import type { AccountDetails } from '../../../features/accounts/details.ts';
import { EARLY } from '../../../features/admin/account-page.ts';
import { v1Events } from '../../../features/identifiers/learning.ts';
import type { CampaignFacts } from '../../../features/campaign/model.ts';
import type { Run } from '../../../features/campaign/outbox.ts';
import type { ReportedAccount } from '../../../features/status/model.ts';
import {
  detailWords,
  fateWords,
  heldBackWords,
  messageKindWords,
} from '../../../features/status/code-words.ts';
import { entryWords, shownTimeline } from '../../../features/status/timeline.ts';
import { terminalText } from '../../../lib/text/plain-text.ts';
import type { Grant } from '../../../tokens/grant.ts';
import type { Tools } from '../../../app/tools/model.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, moment, print, type Format, type Records } from '../../records.ts';
import { findAccount, withTools } from '../../work.ts';
import { refusedFacts } from './refused-facts.ts';
import { stageFact, stuckFacts } from './status-facts.ts';

/** Builds `causeway accounts show`. */
export function show(parts: CliParts): Command {
  return new Command('show')
    .description('One account: its stage, its organisation, its identifiers and its timeline')
    .argument('<account>', 'name or id')
    .addOption(formatOption())
    .action(async (idOrName: string, { format }: { readonly format: Format }) => {
      const text = await withTools(parts, async (tools) => shown(tools, idOrName, format));
      parts.terminal.out(text);
    });
}

async function shown(tools: Tools, asked: string, format: Format): Promise<string> {
  const account = await findAccount(tools.accounts, asked);
  const timeline = await tools.accounts.timeline(account.id);
  const kinds = await tools.crosswalk.report(account.id);
  const mailing = await tools.messages.facts(account);
  const grantId = grantOf(account.life);
  const grant = grantId === undefined ? undefined : await tools.grants.find(grantId);
  const line = await tools.statusOf(account);
  const facts = {
    ...factsOf(account),
    ...(line === undefined ? {} : stuckFacts(line, asked)),
    ...(account.life.stage === 'legacy' ? v1Facts(timeline) : {}),
    ...earlyFacts(await tools.isServedEarly(account)),
    ...refusedFacts(await tools.refusedCalls(account.id)),
    ...grantFacts(grant),
    ...detailFacts(mailing),
  };
  const mails = mailRecords(mailing, line?.next ?? null, format);
  if (format === 'json')
    return `${JSON.stringify({ ...facts, identifiers: kinds, mails, timeline: timeline.map((event) => ({ ...event, at: moment(event.at) })) }, null, 2)}\n`;
  const events: Records = timeline.map(({ at, kind, actor, detail }) => ({
    at: moment(at),
    kind,
    actor,
    detail,
  }));
  if (format === 'csv') return print(events, ['at', 'kind', 'actor', 'detail'], format, '');
  const shownFacts: Readonly<Record<string, string | undefined>> = {
    ...facts,
    stage: stageFact(account, facts.stage),
  };
  const given = Object.entries(shownFacts).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as const],
  );
  const widest = Math.max(...given.map(([name]) => name.length));
  return [
    given.map(([name, value]) => `${name.padEnd(widest)}  ${terminalText(value)}\n`).join(''),
    print(
      kinds.map((kind) => ({ ...kind })),
      ['kind', 'learned', 'allotted', 'unlearned', 'complete'],
      format,
      unlearnedWords(account),
    ),
    print(mails, mailColumns, format, 'No e-mail has been written yet: causeway invite does that.'),
    print(timelineRecords(timeline), ['at', 'what', 'actor', 'detail'], format, 'Nothing has happened yet.'),
  ].join('\n');
}

const unlearnedWords = ({ origin }: Account): string =>
  `No identifiers are known yet: ${origin === 'issued' ? 'it was never on V1' : 'causeway crosswalk learn reads them from V1'}.`;

/** The timeline in the console's words, oldest first. */
const timelineRecords = (timeline: readonly AccountEvent[]): Records =>
  shownTimeline(timeline.toReversed())
    .toReversed()
    .map(({ at, kind, actor, detail }) => ({
      at: moment(at),
      what: entryWords({ kind, detail }),
      actor,
      detail: detailWords(detail),
    }));

/** V1's refusals of the account's keys matter, because its programs need V1 until consent. */
function v1Facts(timeline: readonly AccountEvent[]): Readonly<Record<string, string>> {
  const last = timeline.findLast(({ kind }) => kind === v1Events.refused || kind === v1Events.accepted);
  return last?.kind === v1Events.refused ? { v1: `has refused its keys since ${moment(last.at) ?? ''}` } : {};
}

const earlyFacts = (isEarly: boolean): Readonly<Record<string, string>> => (isEarly ? { v1: EARLY } : {});

const mailColumns = ['queued', 'kind', 'to', 'state', 'detail'];

/** A table shows the console's labels, the other formats the codes. */
const mailRecords = (
  mailing: CampaignFacts | undefined,
  next: ReportedAccount['next'],
  format: Format,
): Records =>
  (mailing?.messages ?? []).map(({ queuedAt, kind, to, fate }) => ({
    queued: moment(queuedAt),
    kind: format === 'table' ? messageKindWords(kind) : kind,
    to,
    state: format === 'table' ? fateWords(fate.state) : fate.state,
    detail: heldBackWords({ kind, fate }, next) ?? ('reason' in fate ? fate.reason : undefined),
  }));

const expectedWords = ({ name, id }: AccountDetails['expected']): string | undefined =>
  name === undefined || id === undefined ? (name ?? id) : `${name} (${id})`;

function detailFacts(mailing: CampaignFacts | undefined): Readonly<Record<string, string | undefined>> {
  if (mailing === undefined) return {};
  const { details, run, suppression } = mailing;
  return {
    expected: expectedWords(details.expected),
    contact: details.contactName,
    email: details.email,
    mail: suppression && `${suppression.reason} since ${moment(suppression.at) ?? ''}: ${suppression.detail}`,
    phone: details.phone,
    language: details.language,
    zone: details.zone,
    tags: details.tags,
    notes: details.notes?.replaceAll(/\s+/g, ' '),
    campaign: run && runWords(run),
  };
}

/** The user who consented, and the state of the tokens, which expire after 60 days without a refresh. */
function grantFacts(grant: Grant | undefined): Readonly<Record<string, string | undefined>> {
  if (grant === undefined) return {};
  const { name, email, userId } = grant.consenter;
  const who = name === undefined ? (email ?? userId) : name + (email === undefined ? '' : ` <${email}>`);
  return { consentedBy: `${who}, ${moment(grant.createdAt) ?? ''}`, tokens: tokenWords(grant) };
}

function tokenWords(grant: Grant): string {
  switch (grant.state) {
    case 'held':
      return `held, renewed ${moment(grant.renewedAt) ?? ''}`;
    case 'unresolved':
      return `a refresh has had no answer since ${moment(grant.since) ?? ''}; it is tried again`;
    case 'lost':
      return `lost (${grant.reason}) since ${moment(grant.at) ?? ''}: its customer must authorise again`;
  }
}

const runWords = (run: Run): string =>
  run.state === 'running'
    ? `${run.cause} ${moment(run.beganAt) ?? ''}, next reminder ${moment(run.nextAt) ?? ''}`
    : `${run.cause} ${moment(run.beganAt) ?? ''}, over since ${moment(run.at) ?? ''}: ${run.reason === 'done' ? 'every reminder was sent' : run.reason}`;

function factsOf(account: Account): Readonly<Record<string, string | undefined>> {
  const { life } = account;
  const binding = 'binding' in life ? life.binding : undefined;
  const proposal = life.stage === 'awaiting-operator' ? life.proposal : undefined;
  return {
    name: account.name,
    id: account.id,
    stage: life.stage === 'lost' ? `lost (${life.reason})` : life.stage,
    since: moment(account.stageSince),
    product: account.product,
    application: account.application,
    origin: account.origin,
    organisation:
      binding === undefined ? undefined : `${binding.organisation.name} (${binding.organisation.id})`,
    ...(proposal === undefined
      ? {}
      : { approved: `${proposal.organisation.name} (${proposal.organisation.id}), not confirmed` }),
    grant: grantOf(life),
    lastCall: moment(account.lastCallAt) ?? 'never',
  };
}
