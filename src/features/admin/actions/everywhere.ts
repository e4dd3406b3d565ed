/**
 * All actions, with their addresses in console and API and their commands: each action is available in all three.
 *
 * The console takes its forms from here (`ConsoleAction`), so that an action without a row does not compile, and a test
 * checks all three against this table (test/features/admin/everywhere.test.ts). Where the console first shows a
 * preview, the command does so without `--yes`, or with `--dry-run`.
 */

import type { ActionName } from './words.ts';

/** One action. */
interface Action {
  /** The console's forms that send it, below its root. */
  readonly console: readonly string[];
  /** Operations of the API, below its root. */
  readonly api: readonly string[];
  /** Commands, with the options that select this action. */
  readonly commands: readonly string[];
}

/** The command of each action on several accounts. */
const commandsOf: Readonly<Record<ActionName, string>> = {
  invite: 'invite',
  remind: 'remind',
  withdraw: 'withdraw',
  tag: 'accounts tag',
  untag: 'accounts untag',
  'notices-on': 'accounts notices',
  'notices-off': 'accounts notices',
  confirm: 'consents confirm',
  refuse: 'consents refuse',
  cutover: 'cutover --despite',
  'accept-numbers': 'cutover --accept-unlearned',
  disconnect: 'accounts disconnect',
  close: 'accounts close',
};

export const everywhere = [
  { console: ['/accounts/new'], api: ['POST /accounts'], commands: ['accounts add'] },
  {
    console: ['/accounts/import', '/accounts/import/take'],
    api: ['POST /accounts/import'],
    commands: ['accounts import --dry-run'],
  },
  { console: ['/accounts/:id/details'], api: ['PATCH /accounts/{account}'], commands: ['accounts set'] },
  { console: ['/accounts/:id/link'], api: ['POST /accounts/{account}/link'], commands: ['invite'] },
  {
    console: ['/accounts/:id/learn'],
    api: ['POST /accounts/{account}/crosswalk/learn'],
    commands: ['crosswalk learn'],
  },
  {
    console: ['/accounts/:id/renew'],
    api: ['POST /accounts/{account}/grant/renew'],
    commands: ['grants refresh'],
  },
  {
    console: ['/accounts/:id/program'],
    api: ['PUT /accounts/{account}/usage/programs/{program}'],
    commands: ['usage name'],
  },
  {
    console: ['/accounts/:id/usage'],
    api: ['PATCH /accounts/{account}/usage'],
    commands: ['usage on', 'usage off'],
  },
  {
    console: ['/accounts/:id/watch'],
    api: ['POST /accounts/{account}/watch/dismissal'],
    commands: ['watch --dismiss --reason'],
  },
  {
    console: ['/accounts/:id/parity/compare'],
    api: ['POST /accounts/{account}/parity/comparison'],
    commands: ['parity'],
  },
  {
    console: ['/accounts/:id/parity/accept'],
    api: ['POST /accounts/{account}/parity/acceptances'],
    commands: ['parity accept'],
  },
  {
    console: ['/accounts/:id/parity/values'],
    api: ['POST /accounts/{account}/parity/values'],
    commands: ['parity --values'],
  },
  {
    console: ['/accounts/:id/rehearsal'],
    api: ['POST /accounts/{account}/rehearsal'],
    commands: ['rehearse'],
  },
  {
    console: ['/preview'],
    api: ['POST /actions/{action}/preview'],
    commands: ['invite --dry-run', 'remind --dry-run', 'withdraw --dry-run'],
  },
  {
    console: ['/perform'],
    api: ['POST /actions/{action}'],
    commands: Object.values(commandsOf),
  },
  { console: ['/groups'], api: ['PUT /groups/{name}'], commands: ['groups save'] },
  { console: ['/groups/remove'], api: ['DELETE /groups/{name}'], commands: ['groups remove'] },
  { console: ['/find'], api: ['POST /find'], commands: ['find'] },
  {
    console: ['/grants/import', '/grants/import/take'],
    api: ['POST /grants/import'],
    commands: ['grants import --dry-run --yes'],
  },
  {
    console: ['/grants/choose'],
    api: ['POST /grants/imports/{account}/choose'],
    commands: ['grants choose'],
  },
  {
    console: ['/grants/discard'],
    api: ['POST /grants/imports/{account}/discard'],
    commands: ['grants discard'],
  },
  {
    console: ['/grants/export', '/grants/export/take'],
    api: ['POST /grants/export'],
    commands: ['grants export --yes'],
  },
  {
    console: ['/events/again'],
    api: ['POST /deliveries/redeliver'],
    commands: ['deliveries again --given-up'],
  },
  {
    console: ['/events/:id/again'],
    api: ['POST /deliveries/{delivery}/redeliver'],
    commands: ['deliveries again'],
  },
  {
    console: ['/writes/:id/preview', '/writes/:id/settle'],
    api: ['POST /writes/{write}/settle'],
    commands: ['writes settle --yes'],
  },
  { console: ['/routes/preview'], api: ['POST /routes/{method}/preview'], commands: ['route set'] },
  { console: ['/routes/set'], api: ['PUT /routes/{method}'], commands: ['route set'] },
  {
    console: ['/routes/drift'],
    api: ['POST /drift/{change}/acknowledgement'],
    commands: ['drift --acknowledge --name --reason'],
  },
  { console: ['/campaign/waves'], api: ['PUT /waves/{name}'], commands: ['waves add --replace'] },
  {
    console: ['/campaign/waves/decide'],
    api: ['POST /waves/{name}/{deed}', 'DELETE /waves/{name}'],
    commands: ['waves start', 'waves stop', 'waves resume', 'waves go-on', 'waves remove'],
  },
  {
    console: ['/campaign/mailbox/read'],
    api: ['POST /campaign/mailbox/read'],
    commands: ['campaign mailbox --read'],
  },
  { console: ['/campaign/report'], api: ['POST /report/send'], commands: ['report send'] },
  {
    console: ['/campaign/phone', '/accounts/:id/talk'],
    api: ['POST /accounts/{account}/talks'],
    commands: ['campaign talk'],
  },
  {
    console: ['/campaign/brownouts/preview'],
    api: ['POST /brownouts/preview'],
    commands: ['brownouts plan'],
  },
  { console: ['/campaign/brownouts/plan'], api: ['POST /brownouts'], commands: ['brownouts plan --yes'] },
  {
    console: ['/campaign/brownouts/stop'],
    api: ['POST /brownouts/{brownout}/stop'],
    commands: ['brownouts stop'],
  },
  {
    console: ['/texts/test'],
    api: ['POST /accounts/{account}/letters/{kind}/test'],
    commands: ['campaign test'],
  },
  {
    console: ['/texts/edit'],
    api: ['PATCH /texts/{language}'],
    commands: ['texts set', 'texts reset'],
  },
  {
    console: ['/texts/restore'],
    api: ['POST /texts/{language}/{path}/restore'],
    commands: ['texts restore'],
  },
  { console: ['/texts/languages'], api: ['PUT /texts/{language}'], commands: ['texts add-language'] },
  {
    console: ['/texts/languages/remove'],
    api: ['DELETE /texts/{language}'],
    commands: ['texts remove-language'],
  },
  { console: ['/trial'], api: ['POST /mappings/{method}/try'], commands: ['mappings try'] },
  { console: ['/tokens'], api: ['POST /tokens'], commands: ['tokens create'] },
  { console: ['/tokens/admit'], api: ['POST /tokens/{token}/admit'], commands: ['tokens admit'] },
  { console: ['/tokens/revoke'], api: ['DELETE /tokens/{token}'], commands: ['tokens revoke'] },
] as const satisfies readonly Action[];

/** Actions of the console that only browsers need. */
export const ofBrowsers = ['/sign-in', '/sign-out'] as const;

/** Actions of programs that no person enters in a form. */
export const ofPrograms = [
  { api: 'POST /accounts/{account}/status-token', command: 'accounts status-token' },
  { api: 'POST /accounts/{account}/crosswalk', command: 'crosswalk import' },
  { api: 'POST /campaign/bounces', command: 'campaign bounce' },
] as const;

/** Pages of the console that preview a change; API and command line have these previews, too. */
export const previews = [
  {
    console: '/texts/letter',
    api: 'GET /accounts/{account}/letters/{kind}',
    command: 'campaign preview',
  },
  {
    console: '/texts/sample',
    api: 'GET /texts/{language}/preview/{section}',
    command: 'texts preview',
  },
] as const;

/** A form of the console. */
export type ConsoleAction = (typeof everywhere)[number]['console'][number] | (typeof ofBrowsers)[number];
