/**
 * How each block of commands in README.md and `docs/` is checked: the program that runs it unchanged, or why none does.
 * A test compares the table with the pages, so that every new block needs one of them. A row without `holds` is for all
 * blocks of its page that no other row names.
 */
export interface BlockRow {
  readonly page: string;
  /** A text that only the blocks of this row contain. */
  readonly holds?: string;
  /** The file of the project that runs it. */
  readonly ranBy?: string;
  /** The reason why it is not run unchanged. */
  readonly notRun?: string;
}

/** The row's blocks are run on a demo, as this file defines page by page. */
export const ON_A_DEMO = 'scripts/docs-commands/pages.ts';

const SETTINGS = 'settings for a file, with values of your own; their names are checked';
const USAGE = 'shows how to call a command, with places to fill in; commands and options are checked';

/** Every page with commands. */
export const blockRows: readonly BlockRow[] = [
  {
    page: 'README.md',
    holds: 'npm ci',
    notRun:
      'needs a registry of packages, and goes on until it is stopped; scripts/docs-commands.ts starts the same demo',
  },
  { page: 'README.md', holds: 'curl', ranBy: ON_A_DEMO },
  { page: 'docs/campaign/campaign.md', holds: 'CAUSEWAY_MAIL_HOURS', notRun: SETTINGS },
  { page: 'docs/campaign/campaign.md', notRun: USAGE },
  {
    page: 'docs/operate/verify.md',
    notRun: 'takes minutes, for the limit of the service; test/proof/verify.test.ts does the same',
  },
  {
    page: 'docs/campaign/grants.md',
    notRun:
      'needs refresh tokens of a script, and ends grants; test/cli/grants.test.ts runs the same commands',
  },
  { page: 'docs/reference/mappings.md', holds: 'mappings try', notRun: USAGE },
  {
    page: 'docs/reference/mappings.md',
    holds: 'diff -ru',
    notRun: 'needs an edited copy and the folders of two releases',
  },
  { page: 'docs/campaign/drift.md', holds: '--acknowledge', notRun: USAGE },
  { page: 'docs/campaign/drift.md', ranBy: ON_A_DEMO },
  { page: 'docs/campaign/forecast.md', ranBy: ON_A_DEMO },
  { page: 'docs/campaign/mail.md', holds: 'campaign bounce', notRun: USAGE },
  { page: 'docs/campaign/mail.md', holds: 'campaign mailbox', notRun: USAGE },
  { page: 'docs/campaign/mail.md', notRun: SETTINGS },
  { page: 'docs/campaign/leaving.md', holds: 'causeway client', ranBy: ON_A_DEMO },
  { page: 'docs/campaign/leaving.md', holds: 'node --test', ranBy: 'test/proof/client.test.ts' },
  { page: 'docs/campaign/migration.md', holds: 'CAUSEWAY_PUBLIC_URL', notRun: SETTINGS },
  { page: 'docs/campaign/migration.md', ranBy: 'test/journey/migration-guide.test.ts' },
  { page: 'docs/campaign/parity.md', ranBy: ON_A_DEMO },
  { page: 'docs/campaign/recordings.md', ranBy: ON_A_DEMO },
  { page: 'docs/campaign/rehearsal.md', ranBy: ON_A_DEMO },
  { page: 'docs/campaign/routes.md', ranBy: ON_A_DEMO },
  { page: 'docs/campaign/status-page.md', holds: 'curl', ranBy: ON_A_DEMO },
  { page: 'docs/campaign/status-page.md', notRun: SETTINGS },
  { page: 'docs/campaign/texts.md', holds: 'causeway texts', ranBy: ON_A_DEMO },
  { page: 'docs/campaign/texts.md', notRun: SETTINGS },
  { page: 'docs/campaign/usage.md', ranBy: ON_A_DEMO },
  { page: 'docs/deploy/applications.md', holds: 'CAUSEWAY_APPLICATIONS_FILE', notRun: SETTINGS },
  {
    page: 'docs/deploy/applications.md',
    notRun: 'needs a second application; test/journey/applications.test.ts does the same',
  },
  { page: 'docs/deploy/compose.md', ranBy: 'scripts/compose-check.ts' },
  { page: 'docs/deploy/executable.md', ranBy: 'scripts/bare-root/follow.ts' },
  {
    page: 'docs/deploy/install.md',
    holds: 'docker',
    notRun: 'needs Docker; scripts/image-check.ts builds and runs the image by buildah and podman',
  },
  { page: 'docs/deploy/install.md', ranBy: 'scripts/bare-root/follow.ts' },
  {
    page: 'docs/deploy/postgresql.md',
    notRun: SETTINGS,
  },
  {
    page: 'docs/deploy/kubernetes.md',
    notRun: 'needs a cluster; test/docs/kustomize.test.ts renders and checks what is applied',
  },
  { page: 'docs/deploy/systemd.md', ranBy: 'scripts/bare-root/follow.ts' },
  { page: 'docs/operate/backup.md', ranBy: ON_A_DEMO },
  { page: 'docs/operate/disaster.md', ranBy: ON_A_DEMO },
  { page: 'docs/operate/doctor.md', ranBy: ON_A_DEMO },
  {
    page: 'docs/operate/performance.md',
    notRun: 'takes many minutes, and measures; its figures are for reading',
  },
  {
    page: 'docs/operate/scale.md',
    notRun: 'takes minutes; test/simulate/scale.test.ts plays a smaller one, and the release check all of it',
  },
  { page: 'docs/operate/traces.md', notRun: SETTINGS },
  { page: 'docs/operate/upgrade.md', ranBy: ON_A_DEMO },
  { page: 'docs/reference/api.md', holds: 'tokens create nightly', ranBy: ON_A_DEMO },
  { page: 'docs/reference/api.md', ranBy: 'test/http/api-docs.test.ts' },
  { page: 'docs/reference/commands.md', notRun: USAGE },
  { page: 'docs/reference/events.md', notRun: SETTINGS },
  { page: 'docs/reference/sandbox.md', ranBy: 'test/sandbox/docs.test.ts' },
  { page: 'docs/secure/sign-in.md', holds: 'CAUSEWAY_OPENID', notRun: SETTINGS },
  { page: 'docs/secure/sign-in.md', notRun: USAGE },
  { page: 'docs/support/calls.md', ranBy: ON_A_DEMO },
  { page: 'docs/support/console.md', ranBy: ON_A_DEMO },
  { page: 'docs/support/unsettled-writes.md', ranBy: ON_A_DEMO },
  { page: 'docs/troubleshoot/messages.md', ranBy: ON_A_DEMO },
];

/** A fenced block of commands. */
export interface ShellBlock {
  readonly page: string;
  readonly line: number;
  readonly text: string;
}

const COMMAND = /^(npx |npm |node |curl |causeway|docker |kubectl |systemctl |apt-get )/;

/** The blocks of a page that are marked as shell, or not marked and begin with a command. */
export function shellBlocksOf(page: string, text: string): readonly ShellBlock[] {
  return Array.from(text.matchAll(/^( *)```(\w*)[^\n]*\n(.*?)^ *```/gms), (found) => {
    const [, , language = '', block = ''] = found;
    const line = text.slice(0, found.index).split('\n').length;
    const isShell = ['sh', 'bash', 'shell', 'console'].includes(language);
    return isShell || (language === '' && COMMAND.test(block.trim())) ? [{ page, line, text: block }] : [];
  }).flat();
}

/** The row of a block; undefined: it is missing in the table. */
export function rowOf(block: ShellBlock, rows = blockRows): BlockRow | undefined {
  const ofPage = rows.filter(({ page }) => page === block.page);
  return (
    ofPage.find(({ holds }) => holds !== undefined && block.text.includes(holds)) ??
    ofPage.find(({ holds }) => holds === undefined)
  );
}
