/**
 * Generates docs/troubleshoot/: every code and text with which the product reports a problem, each with its cause and
 * what to run. Codes come from the tables of the source, and texts from the source itself (source-texts.ts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { callAdvice } from '../../../src/features/usage/call-advice.ts';
import { refusals } from '../../../src/http/server/refusals.ts';
import { remedies } from '../../../src/app/health/remedies.ts';
import { checkNames } from '../../../src/features/cutover/checks.ts';
import { checkWords } from '../../../src/features/status/code-words.ts';
import { consentRefusals } from '../../../src/features/consent/model.ts';
import { stuckReasons } from '../../../src/features/status/codes.ts';
import { failures } from '../../../src/lib/failure.ts';
import type { Generator } from '../generator.ts';
import type { Advice } from './advice.ts';
import { alertCommands } from './alerts.ts';
import { apiCommands } from './api.ts';
import { areas, areaOf } from './areas.ts';
import { checkAdvice, consentCommands, lossAdvice, stuckCommands } from './customers.ts';
import { doubtAdvice, healthCauses } from './health.ts';
import { logAdvice } from './log-events.ts';
import { mappingTexts } from './mapping-texts.ts';
import { sourceTexts, type SourceTexts } from './source-texts.ts';

const rulesFile = join(import.meta.dirname, '..', '..', '..', 'docs', 'operate', 'alerts.yaml');

interface AlertRules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly labels: { readonly severity: string };
      readonly annotations: { readonly summary: string; readonly description?: string };
    }[];
  }[];
}

let read: SourceTexts | undefined;
/** Read once for all pages. */
const texts = (): SourceTexts => (read ??= sourceTexts());

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').trim();
const code = (text: string): string => `\`${cell(text)}\``;
/** A text of the product, without any Markdown or HTML. */
const said = (text: string): string =>
  cell(text)
    .replaceAll(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'))
    .replaceAll('*', '\\*');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

const adviceRows = (advice: Readonly<Record<string, Advice>>): readonly (readonly string[])[] =>
  Object.entries(advice).map(([name, { cause, command }]) => [code(name), cause, command]);

/** Code, the bridge's own text, and the remedy. */
const wordedRows = <Code extends string>(
  words: Readonly<Record<Code, string>>,
  commands: Readonly<Record<Code, string>>,
): readonly (readonly string[])[] =>
  (Object.keys(words) as Code[]).map((name) => [code(name), said(words[name]), commands[name]]);

const page = (name: string, title: string, ...parts: readonly string[]): string =>
  `${[
    `# ${title}`,
    `<!-- Written by \`npm run docs\` from the tables of the source and ${name.includes('/') ? name : `scripts/docs/troubleshoot/${name}`}. -->`,
    ...parts,
  ].join('\n\n')}\n`;

const refusedTexts = (): ReadonlySet<string> =>
  new Set([...(texts().failures.get('refused') ?? []), ...mappingTexts()]);

function callsPage(): string {
  const codes = Object.keys(failures) as (keyof typeof failures)[];
  const entries = codes.map((name) => {
    const { status, text } = failures[name];
    const { cause, remedy, more } = callAdvice[name];
    const toDo = [remedy, ...(more === undefined ? [] : [more])].join('. ');
    return [`## ${code(name)}`, `${status}: *${said(text)}*`, `${cause}.`, `**What to do:** ${toDo}.`].join(
      '\n\n',
    );
  });
  const worded = new Map([...texts().failures, ['refused', refusedTexts()] as const]);
  const others = [...worded].flatMap(([name, all]) =>
    [...all].map((text) => [said(text.slice(0, 1).toUpperCase() + text.slice(1)), code(name)]),
  );
  return page(
    'src/features/usage/call-advice.ts',
    'A call fails',
    `What a legacy program is answered, with the status, the code in the log's line \`call\` (\`failure\`) and the text in
\`ErrorDescription\`. \`X-Causeway-Source\` names who answered; what the service itself refuses comes with its own text. The log has the
call by \`X-Request-Id\`, and so have the console and \`GET /_causeway/api/accounts/NAME/calls?request=ID\` ([calls](../support/calls.md)).`,
    ...entries,
    '## Other texts',
    'A text that says more replaces the one of its code; cause and remedy are those of its code.',
    table(
      ['text', 'code'],
      others.toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
    ),
  );
}

const healthPage = (): string =>
  page(
    'health.ts',
    'Something is degraded',
    `\`/_causeway/health/ready\` names the codes, and so do the metric \`causeway_degraded{reason="…"}\`, the log's line \`health.degraded\` and the
console. [health](../operate/health.md#what-ready-says) says which calls are served meanwhile.`,
    table(['code', 'cause', 'what to do'], wordedRows(healthCauses, remedies)),
    '## The deployment is in doubt',
    'What `causeway deployment show` says, and `deployment` in `ready`.',
    table(['why', 'cause', 'what to do'], adviceRows(doubtAdvice)),
  );

const customersPage = (): string =>
  page(
    'customers.ts',
    'A customer is stuck',
    '`causeway status --stuck`, the console and the API give one reason for each account that does not go on by itself.',
    table(['reason', 'what it says', 'what to do'], wordedRows(stuckReasons, stuckCommands)),
    '## Consents that connected nothing',
    'In the log (`consent.refused`), the metric `causeway_consents_total{outcome}`, the timeline and the status report.',
    table(['reason', 'what it says', 'what to do'], wordedRows(consentRefusals, consentCommands)),
    'A customer who was asked to try again later has not reached the consent page: the timeline and the log (`consent.later`) say why. If V1 has answered nobody for an hour or more since the bridge started, customers whose numbers are all known are let on (two hours, if nothing but the hourly reading asks it). Of the others nothing would tell V1’s end from a fault: if V1 has ended, remove `CAUSEWAY_V1_BASE_URL` and restart; their accounts then wait at the check `identifiers`.',
    '## Checks before the move',
    table(
      ['check', 'fails because', 'what to do'],
      checkNames.map((name) => [
        `${checkWords(name)} (${code(name)})`,
        checkAdvice[name].cause,
        checkAdvice[name].command,
      ]),
    ),
    '## Why a consent ended',
    table(['reason', 'cause', 'what to do'], adviceRows(lossAdvice)),
  );

const apiPage = (): string =>
  page(
    'api.ts',
    'The API refuses',
    'The field `code` of a refusal. [messages](messages.md#console-and-api) has the texts in `message`.',
    table(
      ['status', 'code', 'what it says', 'what to do'],
      (Object.keys(refusals) as (keyof typeof refusals)[]).map((name) => [
        String(refusals[name].status),
        code(name),
        said(refusals[name].words),
        apiCommands[name],
      ]),
    ),
  );

function logPage(): string {
  const rows = [...texts().events].toSorted(([a], [b]) => a.localeCompare(b));
  return page(
    'log-events.ts',
    'A line of the log',
    'Every event, by name. A line has `level`, `time`, `event` and fields; never a key, a token or a query.',
    table(
      ['event', 'level', 'what happened', 'what to do'],
      rows.map(([name, levels]) => {
        const advice = logAdvice[name];
        if (advice === undefined) throw new Error(`scripts/docs/troubleshoot/log-events.ts lacks ${name}`);
        return [code(name), [...levels].join(', '), advice.cause, advice.command];
      }),
    ),
  );
}

function alertsPage(): string {
  const { groups } = parse(readFileSync(rulesFile, 'utf8')) as AlertRules;
  const rows = groups.flatMap(({ rules }) =>
    rules.map(({ alert, labels, annotations }) => {
      const command = alertCommands[alert];
      if (command === undefined) throw new Error(`scripts/docs/troubleshoot/alerts.ts lacks ${alert}`);
      const words = [annotations.summary, annotations.description ?? ''].join('. ');
      const plain = words.replaceAll(/\{\{.*?\}\}/g, '…').replace(/\. $/, '');
      return [code(alert), labels.severity, said(plain), command];
    }),
  );
  return page(
    'alerts.ts',
    'An alert fires',
    'The rules of [alerts.yaml](../operate/alerts.yaml).',
    table(['alert', 'severity', 'what it says', 'what to do'], rows),
  );
}

function messagesPage(): string {
  const all = texts().errors.map((error) => ({ ...error, area: areaOf(error.path) }));
  const sections = areas.map((area) => {
    const own = new Set(all.filter((one) => one.area === area).map(({ text }) => text));
    const listed = [...own].toSorted((a, b) => a.localeCompare(b)).map((text) => `- ${code(text)}`);
    return [`## ${area.title}`, area.cause, `\`\`\`\n${area.command}\n\`\`\``, listed.join('\n')].join(
      '\n\n',
    );
  });
  return page(
    'areas.ts',
    'What a message means',
    `Texts of the command line, of a start that fails, and of console and API, as the source has them; \`…\` is what the bridge fills in.
A text says what is wrong, with what, and what would do; the section says what to run to see more.`,
    '## Exit codes',
    table(
      ['', '0', '1', '2'],
      [
        [
          '`causeway start`, `npm start`',
          'stopped when asked',
          'could not start, or ended at once by a second signal',
          'the configuration cannot be used',
        ],
        [
          'any other command',
          'done',
          'refused or failed: the text says why',
          'used wrongly, or the configuration cannot be used',
        ],
      ],
    ),
    `A command whose output nobody reads any more (\`| head\`) finishes its work and exits with 141, like other programs whose pipe was
closed; if it fails, it exits with 1 or 2 as usual.`,
    ...sections,
  );
}

const generator = (name: string, write: () => string): Generator => ({
  path: `docs/troubleshoot/${name}.md`,
  write,
});

/** The generated pages of docs/troubleshoot/. */
export const troubleshootDocuments: readonly Generator[] = [
  generator('calls', callsPage),
  generator('health', healthPage),
  generator('customers', customersPage),
  generator('api', apiPage),
  generator('log', logPage),
  generator('alerts', alertsPage),
  generator('messages', messagesPage),
];
