/** Registers an OAuth application, as a developer portal does: the secret is shown once. */
import { randomBytes } from 'node:crypto';
import { check } from '../control/json.ts';
import { applicationSchema, type Application } from '../identity/application.ts';
import { html, type Html } from './html.ts';
import type { Page } from './page.ts';

/** Asks for a name, an address and a redirect address (V2 specification, "Prerequisites", rule 1). */
export const registrationForm: Html = html`<form method="post" action="/_sandbox/screens/applications">
  <div class="grid">
    <div class="field">
      <label for="app-name">Name</label><input id="app-name" name="name" type="text" required />
    </div>
    <div class="field">
      <label for="app-address">Address of the company or application</label
      ><input id="app-address" name="address" type="text" required />
    </div>
    <div class="field">
      <label for="app-redirect">Redirect address</label
      ><input id="app-redirect" name="redirectUri" type="text" placeholder="https://…" required />
    </div>
    <div class="field">
      <label for="app-practice">Practice scope</label
      ><select id="app-practice" name="practice">
        <option value="false">not given</option>
        <option value="true">given on request</option>
      </select>
    </div>
  </div>
  <div class="actions"><button>Register an application</button></div>
</form>`;

/** Creates the application described by the form, with a new id and secret. Throws `ControlRefusal`. */
export const newApplication = (form: URLSearchParams): Application =>
  check(applicationSchema, {
    id: `app-${randomBytes(8).toString('hex')}`,
    name: form.get('name') ?? '',
    address: form.get('address') ?? '',
    secrets: [randomBytes(24).toString('base64url')],
    redirectUris: [form.get('redirectUri') ?? ''],
    practice: form.get('practice') === 'true',
  });

/** Shows Client ID and Client Secret, only once. */
export const registeredPage = ({ id, name, secrets, redirectUris }: Application): Page => ({
  title: 'Application registered',
  layout: 'wide',
  main: html`<p><a href="/_sandbox/">All organisations</a></p>
    <h1>${name} is registered</h1>
    <section class="card">
      <p>Client ID <code>${id}</code></p>
      <p>Client Secret <code>${secrets.join(' ')}</code></p>
      <p>Redirect address <code>${redirectUris.join(' ')}</code></p>
      <p class="alert">Keep both. The secret is not shown again.</p>
    </section>`,
});
