import { inHtml } from '../lib/text/html-text.ts';
import { formsOf, type PageForm } from './pages.ts';

/** A consent did not continue as it would for a person. */
export class ConsentStuck extends Error {
  /** Status of a page without the form to continue; undefined if something else was missing. */
  readonly status: number | undefined;

  constructor(where: string, page: string, status?: number) {
    const words = page
      .replaceAll(/<style.*?<\/style>|<[^>]*>/gs, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    super(`the consent stopped at ${where}: ${words.slice(0, 300)}`);
    this.name = 'ConsentStuck';
    this.status = status;
  }
}

interface Page {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
}

const MOST_REDIRECTS = 10;

/** A minimal browser: cookies by host, redirects, plain HTML forms. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  async open(url: URL, form?: URLSearchParams): Promise<Page> {
    let [at, body] = [url, form];
    for (let redirects = 0; redirects < MOST_REDIRECTS; redirects += 1) {
      const answer = await fetch(at, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: { cookie: this.#cookieHeader(at), ...(body === undefined ? {} : { origin: at.origin }) },
        ...(body === undefined ? {} : { body }),
      });
      this.#remember(at, answer.headers.getSetCookie());
      const next = answer.headers.get('location');
      if (next === null) return { url: at, status: answer.status, html: await answer.text() };
      await answer.body?.cancel();
      [at, body] = [new URL(next, at), undefined];
    }
    throw new ConsentStuck(at.pathname, 'too many redirects');
  }

  submit(page: Page, form: PageForm, chosen: readonly (readonly [string, string])[]): Promise<Page> {
    const fields = new URLSearchParams(
      [...form.fields, ...chosen].map(([name, value]): [string, string] => [name, value]),
    );
    return this.open(new URL(form.action === '' ? page.url.href : form.action, page.url), fields);
  }

  #cookieHeader({ host }: URL): string {
    return Array.from(this.#cookies.get(host) ?? [], ([name, value]) => `${name}=${value}`).join('; ');
  }

  #remember({ host }: URL, lines: readonly string[]): void {
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    for (const line of lines) {
      const [pair = ''] = line.split(';');
      const name = pair.slice(0, pair.indexOf('=')).trim();
      const gone = /;\s*max-age=0\b/i.test(line);
      if (gone) jar.delete(name);
      else jar.set(name, pair.slice(pair.indexOf('=') + 1).trim());
    }
    this.#cookies.set(host, jar);
  }
}

export interface Consenting {
  /** Link of the invitation. */
  readonly link: string;
  /** Name of the administrator who signs in, as shown on the sign-in page. */
  readonly person: string;
  /** Name of the organisation to select. */
  readonly organisation: string;
}

/** Completes the consent over HTTP as the customer's administrator would. Throws `ConsentStuck`. */
export async function giveConsent({ link, person, organisation }: Consenting): Promise<void> {
  const browser = new Browser();
  const invitation = await browser.open(new URL(link));
  const signIn = await browser.submit(invitation, theForm(invitation, 'the invitation'), []);
  const listed = await findPerson(browser, signIn, person);
  const consent = await browser.submit(listed, theForm(listed, 'the sign-in page'), [choice(listed, person)]);
  const end = await browser.submit(consent, theForm(consent, 'the consent page'), [
    choice(consent, organisation),
    ['decision', 'approve'],
  ]);
  if (end.url.origin !== invitation.url.origin || end.status !== 200)
    throw new ConsentStuck('its end', end.html);
}

/** Finds a user on the sign-in page, by its search if the page does not list the user. */
function findPerson(browser: Browser, page: Page, person: string): Promise<Page> {
  const search = formsOf(page.html).find(({ method }) => method === 'GET');
  if (search === undefined || page.html.includes(inHtml(person))) return Promise.resolve(page);
  const fields = new URLSearchParams(search.fields.map(([name, value]): [string, string] => [name, value]));
  fields.set('find', person);
  return browser.open(new URL(`${search.action}?${fields.toString()}`, page.url));
}

/** The form to continue with: the first one sent by POST. */
function theForm(page: Page, where: string): PageForm {
  const form = formsOf(page.html).find(({ method }) => method === 'POST');
  if (page.status !== 200 || form === undefined)
    throw new ConsentStuck(`${where} (${page.status})`, page.html, page.status);
  return form;
}

function choice(page: Page, words: string): readonly [string, string] {
  const found = formsOf(page.html)
    .flatMap(({ choices }) => choices)
    .find((one) => one.words.includes(words));
  if (found === undefined) throw new ConsentStuck(`the choice of ${words}`, page.html);
  return [found.name, found.value];
}
