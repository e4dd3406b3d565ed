import { html, type Html } from '../../sandbox/screens/html.ts';
import { headOf } from '../../sandbox/screens/page.ts';

/** Where everything of a demo is. */
export interface DemoLinks {
  readonly bridge: string;
  readonly console: string;
  /** Opens the console. The page is served to this computer alone. */
  readonly token: string;
  readonly sandbox: string;
  readonly metrics: string;
  /** A legacy call of a moved account, for a terminal. */
  readonly curl: string;
}

interface Place {
  readonly name: string;
  readonly address: string;
  readonly what: string;
}

const placesOf = ({ bridge, console: admin, sandbox, metrics }: DemoLinks): readonly Place[] => [
  { name: 'Console', address: admin, what: 'Where the migration stands. Sign in with the token below.' },
  { name: 'Mailbox', address: '/', what: 'All mail that the bridge sends, with the invitations.' },
  { name: 'Sandbox', address: `${sandbox}/_sandbox/`, what: 'The service, played locally.' },
  { name: 'Documentation', address: `${bridge}/_causeway/docs`, what: 'Served by the bridge itself.' },
  {
    name: 'API',
    address: `${bridge}/_causeway/api/openapi.json`,
    what: 'Every action of the console, for scripts.',
  },
  { name: 'Metrics', address: metrics, what: 'For Prometheus.' },
  { name: 'Bridge', address: `${bridge}/`, what: 'What a person sees who opens its address.' },
];

/** The page on which a newcomer to the demo starts. */
export const startScreen = (links: DemoLinks): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        ${headOf('Causeway demo', '/')}
      </head>
      <body class="start">
        <header>
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
          <h2>Token for the console</h2>
          <pre tabindex="0" aria-label="Token">${links.token}</pre>
          <h2>A legacy call, in a terminal</h2>
          <p>The account has moved, so the answer comes through V3. The header X-Causeway-Source says so.</p>
          <pre tabindex="0" aria-label="Command">${links.curl}</pre>
        </main>
      </body>
    </html> `;
