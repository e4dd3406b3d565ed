import { html, type Html } from '../../sandbox/screens/html.ts';
import { moveOf, moves, type Move } from '../clock/moves.ts';
import { headOf } from '../../sandbox/screens/page.ts';

/** The addresses of a demo. */
export interface DemoLinks {
  readonly bridge: string;
  readonly console: string;
  /** Opens the console. The page is served only to this computer. */
  readonly token: string;
  /** It has been revoked or has expired. */
  readonly isTokenOver?: boolean;
  readonly sandbox: string;
  readonly metrics: string;
  /** A shell command for a legacy call of a moved account. */
  readonly curl: string;
  /** The day on which V1 ends, `2026-12-31`, if the demo has one. */
  readonly v1End?: string | undefined;
}

/** The clock of a demo, and how to move it. */
export interface DemoTime {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Resolves once everything due meanwhile is done; false if the clock could not be moved. `passing`: called
   * with the number of each step when it begins, from 1.
   */
  move(move: Move, passing: (step: number) => void): Promise<boolean>;
}

/** The time shown on the start page. */
export interface ShownTime {
  readonly now: number;
  /** The effect of a button; undefined if none was pressed. */
  readonly passed: { readonly move: Move; readonly mails: number } | 'stuck' | undefined;
}

/** Reads the effect of a button from the address it leads to. */
export function passedOf(query: Readonly<Record<string, unknown>>): ShownTime['passed'] {
  const move = moveOf(query.passed);
  if (query.stuck !== undefined) return 'stuck';
  return move && { move, mails: Number(query.mails) || 0 };
}

interface Place {
  readonly name: string;
  readonly address: string;
  readonly what: string;
}

const placesOf = ({ bridge, console: admin, sandbox, metrics }: DemoLinks): readonly Place[] => [
  { name: 'Console', address: admin, what: 'Where the migration stands. Sign in with the token below.' },
  { name: 'Mailbox', address: '/', what: 'All mail that the bridge sends, with the invitations.' },
  { name: 'Sandbox', address: `${sandbox}/_sandbox/`, what: 'A local stand-in for the service.' },
  { name: 'Documentation', address: `${bridge}/_causeway/docs`, what: 'Served by the bridge itself.' },
  {
    name: 'API',
    address: `${bridge}/_causeway/api/openapi.json`,
    what: 'Every action of the console, for scripts.',
  },
  { name: 'Metrics', address: metrics, what: 'For Prometheus.' },
  { name: 'Bridge', address: `${bridge}/`, what: 'What people see when they open its address.' },
];

/** Frame of the demo's own pages. */
export const demoPage = (content: Html): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        ${headOf('Causeway demo', '/')}
      </head>
      <body class="start">
        ${content}
      </body>
    </html> `;

/** The start page for newcomers. */
export const startScreen = (links: DemoLinks, time?: ShownTime): Html =>
  demoPage(
    html`<header>
        <p class="name"><span class="mark" aria-hidden="true"></span>Causeway demo</p>
        <p class="soft">Nothing here leaves this computer.</p>
      </header>
      <main>
        <h1>Start here</h1>
        <ul class="places">
          ${placesOf(links).map(
            ({ name, address, what }) =>
              html`<li><a href="${address}">${name}</a><span class="soft">${what}</span></li>`,
          )}
        </ul>
        ${time !== undefined && clockPart(time, links)}
        <h2>Token for the console</h2>
        ${
          links.isTokenOver === true
            ? html`<p>The demo's token has been revoked or has expired. This makes a new one:</p>
                <pre tabindex="0" aria-label="Command">
npx causeway tokens create NAME --scope administer</pre>`
            : html`<pre tabindex="0" aria-label="Token">${links.token}</pre>`
        }
        <h2>A legacy call, in a terminal</h2>
        <p>The account has moved, so the reply comes through V3. The header X-Causeway-Source says so.</p>
        <pre tabindex="0" aria-label="Command">${links.curl}</pre>
      </main>`,
  );

/** The time of the demo, and its buttons. */
const clockPart = ({ now, passed }: ShownTime, { v1End }: DemoLinks): Html =>
  html`<h2 id="clock">The clock of this demo</h2>
    ${passed !== undefined && html`<p class="passed" role="status">${passedWords(passed)}</p>`}
    <p>
      It is <time datetime="${new Date(now).toISOString()}">${dayAndTime(now)}</time> for sandbox, mailbox and
      bridge. Everything that falls due in that time is done before this page comes back: reminders, expiring
      links, token renewals. With hundreds of accounts three days take half a minute or more.
      ${v1End !== undefined && endWords(v1End, now)} The console asks you to sign in again.
    </p>
    <form class="clock" method="post" action="/clock">
      ${Object.entries(moves).map(
        ([name, { words }]) => html`<button name="move" value="${name}">${words}</button>`,
      )}
    </form>`;

const endWords = (v1End: string, now: number): string =>
  `V1 ${now < Date.parse(`${v1End}T00:00:00Z`) ? 'ends' : 'ended'} on ${day(v1End)}.`;

/** Describes the effect of a button. */
export function passedWords(passed: Exclude<ShownTime['passed'], undefined>): string {
  if (passed === 'stuck') return 'The clock could not be moved: the log of the sandbox says why.';
  const mails = passed.mails === 1 ? '1 mail arrived' : `${passed.mails || 'no'} mails arrived`;
  return `${moves[passed.move].words}: ${mails}.`;
}

const shown = { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

/** In UTC, like all times of the demo. */
const dayAndTime = (millis: number): string =>
  `${new Intl.DateTimeFormat('en-GB', { ...shown, hour: '2-digit', minute: '2-digit' }).format(millis)} UTC`;

const day = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', shown).format(Date.parse(`${date}T00:00:00Z`));
