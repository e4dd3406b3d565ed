import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { formsOf, type PageForm } from '../../src/replay/pages.ts';
import { consentRefusals, type ConsentRefusal } from '../../src/features/consent/model.ts';
import { openTools } from '../../src/app/tools/tools.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { API_KEY, LegacyProgram } from '../support/legacy.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const ana = { name: 'Ana', email: 'ana@x.example', administrator: true, privilege: true };
const ben = { name: 'Ben', email: 'ben@x.example', administrator: true, privilege: false };
const eve = { name: 'Eve', email: 'eve@x.example', administrator: true, privilege: true };
const names = ['Old Mill Engineering', 'Old Mill Holdings', 'Northgate Legal'] as const;
const [MILL, HOLDINGS, LEGAL] = names;

const keyOf = (index: number): string => `C${String(index).padStart(31, '0')}`;

const organisations = names.map((name, index) => ({
  name,
  accountKey: keyOf(index),
  apiKeys: [API_KEY],
  practice: false,
  users: name === HOLDINGS ? [ana, ben] : [ana, ben, eve],
  clients: [{ number: 1_000 + index, name: `Client of ${name}` }],
}));

interface Page {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
}

/** Cookies by host, redirects, forms: what a browser does without scripts. */
class Person {
  readonly #jar = new Map<string, Map<string, string>>();

  async open(address: string | URL, fields?: readonly (readonly [string, string])[]): Promise<Page> {
    let [url, body] = [
      new URL(address),
      fields && new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
    ];
    for (let hops = 0; hops < 10; hops += 1) {
      const jar = this.#jar.get(url.host) ?? new Map<string, string>();
      this.#jar.set(url.host, jar);
      const cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: { cookie },
        ...(body === undefined ? {} : { body }),
      });
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      const html = await answer.text();
      const next = answer.headers.get('location');
      if (next === null) return { url, status: answer.status, html };
      [url, body] = [new URL(next, url), undefined];
    }
    throw new Error('too many redirects');
  }

  press(page: Page, ...more: readonly (readonly [string, string])[]): Promise<Page> {
    const form = postForm(page);
    return this.open(new URL(form.action === '' ? page.url.href : form.action, page.url), [
      ...form.fields,
      ...more,
    ]);
  }

  /** To the consent page of the service. */
  async toService(link: string, who: string): Promise<Page> {
    const signIn = await this.press(await this.open(link));
    return this.press(signIn, choiceOf(signIn, who));
  }

  async consent(link: string, who: string, ...ticked: readonly string[]): Promise<Page> {
    const page = await this.toService(link, who);
    return this.press(page, ...ticked.map((name) => choiceOf(page, name)), ['decision', 'approve']);
  }
}

function postForm({ html, status }: Page): PageForm {
  const form = formsOf(html).find(({ method }) => method === 'POST');
  if (form === undefined) throw new Error(`no form on the page (${String(status)}): ${html.slice(0, 500)}`);
  return form;
}

function choiceOf(page: Page, words: string): readonly [string, string] {
  const found = postForm(page).choices.find((choice) => choice.words.startsWith(words));
  if (found === undefined) throw new Error(`nothing on the page says ${words}: ${page.html.slice(0, 2_000)}`);
  return [found.name, found.value];
}

/** Value of the radio button in front of a label. */
function radioOf({ html }: Page, label: string): string {
  const found = new RegExp(`id="([\\w-]+)" value="([^"]*)"[^>]*>\\s*<label for="\\1">${label}</label>`).exec(
    html,
  );
  if (found === null) throw new Error(`no ${label} to choose: ${html.slice(0, 2_000)}`);
  return found[2] ?? '';
}

let sandbox: RunningSandbox;
let bridge: RunningBridge;
let port: number;

beforeAll(async () => {
  port = await freePort();
  sandbox = await RunningSandbox.start({
    redirectUris: [`http://127.0.0.1:${String(port)}/_causeway/callback`],
  });
});

beforeEach(async () => {
  await sandbox.seed(organisations);
});

afterAll(async () => {
  await sandbox.close();
});

async function withBridge(
  work: () => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  bridge = await RunningBridge.start({ port, sandbox: sandbox.url, env });
  try {
    for (const [index, name] of names.entries())
      await bridge.add({ name, accountKey: keyOf(index), apiKey: API_KEY, product: 'standard' });
    await work();
  } finally {
    await bridge.stop();
  }
}

const invite = async (name: string): Promise<string> =>
  bridge.url + (await bridge.services.accounts.invite(name)).path;

const viewOf = async (name: string) => {
  const view = await bridge.services.accounts.show(name);
  if (view === undefined) throw new Error(`no account ${name}`);
  return view;
};

const stageOf = async (name: string): Promise<string> => (await viewOf(name)).account.life.stage;

const lastOf = async (name: string): Promise<string> => {
  const { timeline } = await viewOf(name);
  const line = timeline.findLast(({ kind }) => kind.startsWith('consent'));
  return `${line?.kind ?? ''} ${line?.detail ?? ''}`;
};

/** How the families of an organisation's tokens stand at the service. */
async function familiesOf(name: string): Promise<readonly string[]> {
  const all = (await sandbox.control('GET', 'organisations')) as readonly { id: string; name: string }[];
  const id = all.find((one) => one.name === name)?.id;
  const families = (await sandbox.control('GET', 'oracle')) as readonly {
    accountId: string;
    revoked: { by: string } | null;
  }[];
  return families.filter(({ accountId }) => accountId === id).map(({ revoked }) => revoked?.by ?? 'held');
}

describe('a consent at the service', () => {
  it('connects the account after scanners have opened and submitted everything', () =>
    withBridge(async () => {
      const link = await invite(MILL);
      const scanner = new Person();
      for (let times = 0; times < 3; times += 1) await scanner.press(await scanner.open(link));
      const page = await new Person().consent(link, 'Ana', MILL);
      expect(page.url.pathname).toBe('/_causeway/result');
      expect(page.url.search).toBe('');
      expect(page.html).toContain(`Connected to ${MILL}`);
      expect(page.html).toContain('Ana');
      expect(await stageOf(MILL)).toBe('migrated');
      expect((await viewOf(MILL)).grant).toMatchObject({ consenter: { name: 'Ana' } });
      expect(await lastOf(MILL)).toBe(`consented ${MILL} connected by Ana`);
    }));

  it('for another organisation is refused by its clients, released, and can be corrected', () =>
    withBridge(async () => {
      const link = await invite(MILL);
      const person = new Person();
      const page = await person.consent(link, 'Ana', HOLDINGS);
      expect(page.status).toBe(409);
      for (const words of ['You approved', HOLDINGS, 'We expected', 'Back to the invitation'])
        expect(page.html).toContain(words);
      expect(await stageOf(MILL)).toBe('legacy');
      expect(await lastOf(MILL)).toBe('consentRefused foreignOrganisation');
      expect(await familiesOf(HOLDINGS)).toEqual(['user']);
      expect((await person.consent(link, 'Ana', MILL)).html).toContain(`Connected to ${MILL}`);
    }));

  it('for several organisations asks which one; the others stay unchanged', () =>
    withBridge(async () => {
      const link = await invite(MILL);
      const person = new Person();
      const question = await person.consent(link, 'Ana', ...names);
      expect(question.html).toContain('Which organisation is it?');
      expect(await stageOf(MILL)).toBe('legacy');
      const end = await person.press(question, ['organisation', radioOf(question, MILL)]);
      expect(end.html).toContain(`Connected to ${MILL}`);
      expect([await stageOf(MILL), await stageOf(LEGAL)]).toEqual(['migrated', 'legacy']);
    }));

  it('for an organisation that another account has is refused, without affecting that account', () =>
    withBridge(async () => {
      await new Person().consent(await invite(MILL), 'Ana', MILL);
      const page = await new Person().consent(await invite(LEGAL), 'Ana', MILL);
      expect(page.html).toContain('connected already');
      expect(await familiesOf(MILL)).toEqual(['held', 'held']);
      expect(await stageOf(MILL)).toBe('migrated');
    }));

  it('that is declined or not permitted says what was missing and leads back', () =>
    withBridge(async () => {
      const link = await invite(MILL);
      const person = new Person();
      const declined = await person.press(await person.toService(link, 'Ana'), ['decision', 'deny']);
      expect(declined.html).toContain('was not approved');
      const turnedAway = await person.toService(link, 'Ben');
      expect(turnedAway.status).toBe(403);
      const back = /href="([^"]+error=access_denied[^"]*)"/.exec(turnedAway.html)?.[1] ?? '';
      const page = await person.open(back.replaceAll('&amp;', '&'));
      expect(page.html).toContain('Authorise 3rd Party Full Access');
      expect(page.html).toContain(`href="${new URL(link).pathname}"`);
      expect(await lastOf(MILL)).toBe('consentRefused denied');
      expect((await person.consent(link, 'Ana', MILL)).html).toContain('Connected to');
    }));

  it('that is refused has one reason, the same in log, metric, timeline and status report', () =>
    withBridge(async () => {
      const reasons: readonly (readonly [ConsentRefusal, (link: string) => Promise<Page>])[] = [
        [
          'denied',
          async (link) => {
            const person = new Person();
            return person.press(await person.toService(link, 'Ana'), ['decision', 'deny']);
          },
        ],
        ['foreignOrganisation', (link) => new Person().consent(link, 'Ana', HOLDINGS)],
      ];
      for (const [reason, walk] of reasons) {
        await walk(await invite(MILL));
        const logged = bridge.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
        expect(logged.findLast(({ event }) => event === 'consent.refused')).toMatchObject({ reason });
        const metrics = await (await fetch(bridge.metrics)).text();
        expect(metrics).toContain(`causeway_consents_total{outcome="${reason}"} 1`);
        expect(await lastOf(MILL)).toBe(`consentRefused ${reason}`);
        const tools = await openTools(bridge.services.settings);
        try {
          const { accounts } = await tools.view({});
          const { stuck } = accounts.find(({ name }) => name === MILL) ?? {};
          expect(stuck).toMatchObject({ reason: 'consent-failed', detail: consentRefusals[reason] });
        } finally {
          await tools.close();
        }
      }
    }));

  it('by another person replaces the first, and restores a lost account', () =>
    withBridge(async () => {
      await new Person().consent(await invite(MILL), 'Ana', MILL);
      const { grant } = await viewOf(MILL);
      await sandbox.control('POST', 'faults', { on: { surface: 'token' }, do: 'revoke' });
      const { vault } = bridge.services.oauth ?? {};
      await vault?.renewAfter(grant?.id ?? '', 99).catch(() => undefined);
      await eventually('the account is lost', async () =>
        (await stageOf(MILL)) === 'lost' ? true : undefined,
      );
      const page = await new Person().consent(await invite(MILL), 'Eve', MILL);
      expect(page.html).toContain(`Connected to ${MILL}`);
      expect(await stageOf(MILL)).toBe('migrated');
      expect((await viewOf(MILL)).grant).toMatchObject({ state: 'held', consenter: { name: 'Eve' } });
    }));

  it('keeps the API keys that V1 accepted, and allows no other once the account has moved', () =>
    withBridge(async () => {
      const organisation = { name: 'Keyless', accountKey: keyOf(99), apiKeys: [API_KEY], users: [ana] };
      await sandbox.seed([{ ...organisation, practice: false, clients: [{ number: 1_099, name: 'One' }] }]);
      const { id } = await bridge.services.accounts.add({
        name: 'By its calls',
        accountKey: new Secret(keyOf(99)),
      });
      const ask = async (apiKey: string): Promise<string> => {
        const program = new LegacyProgram(bridge.url, keyOf(99), apiKey);
        const { status, headers } = await program.get('client.api/list');
        program.close();
        return `${String(status)} ${String(headers['x-causeway-source'])}`;
      };
      expect(await ask(API_KEY)).toBe('200 v1');
      expect(await ask('F'.repeat(32))).toBe('403 bridge');
      const page = await new Person().consent(await invite('By its calls'), 'Ana', 'Keyless');
      expect(page.html).toContain('Connected to Keyless');
      await eventually('it has moved', async () =>
        (await bridge.services.store.accounts.byId(id))?.life.stage === 'migrated' ? true : undefined,
      );
      expect(await ask(API_KEY)).toBe('200 v3');
      expect(await ask('F'.repeat(32))).toBe('401 bridge');
    }));

  it('waits for the operator if so configured, and shows the evidence', () =>
    withBridge(
      async () => {
        const page = await new Person().consent(await invite(MILL), 'Ana', MILL);
        expect(page.html).toContain('as soon as its checks have passed');
        expect(await stageOf(MILL)).toBe('consented');
        const tools = await openTools(bridge.services.settings);
        try {
          const account = await tools.accounts.find(MILL);
          if (account === undefined) throw new Error('no account');
          const checks = await tools.cutoverChecks(account);
          expect(checks.map(({ name, result }) => `${name} ${result}`)).toEqual([
            'token passed',
            'scopes passed',
            'organisation passed',
            'v3 passed',
            'readers passed',
            'v2 skipped',
            'api-key passed',
            'identifiers passed',
            'samples passed',
            'parity skipped',
          ]);
          expect(await tools.cutover(account, { acceptUnlearned: false })).toEqual({ verdict: 'migrated' });
        } finally {
          await tools.close();
        }
        expect(await stageOf(MILL)).toBe('migrated');
      },
      { CAUSEWAY_CUTOVER: 'manual' },
    ));
});
