import { parentPort, workerData } from 'node:worker_threads';

/**
 * An operator's browser and script in a thread of their own: signs in to the console, and sends the requests one after
 * the other.
 */

export interface OperatorAsks {
  /** Below `/_causeway`. */
  readonly path: string;
  /** Fields of a form; the session's token is added. */
  readonly form?: readonly (readonly [name: string, value: string])[];
  /** A file sent with the form. */
  readonly file?: string;
  /** For the API. */
  readonly json?: string;
  /** Sends the second form of the latest page, as a person who has read it. */
  readonly confirm?: boolean;
}

export interface OperatorAnswer {
  readonly status: number;
  readonly bytes: number;
}

const { port, token } = workerData as { readonly port: number; readonly token: string };
const root = `http://127.0.0.1:${port}/_causeway`;
let [cookie, page] = ['', ''];

const hidden = (name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';

interface Init {
  readonly method?: string;
  readonly body?: string | URLSearchParams | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

async function fetched(path: string, init: Init = {}): Promise<OperatorAnswer> {
  const response = await fetch(`${root}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { cookie, ...init.headers },
  });
  for (const set of response.headers.getSetCookie()) cookie = `${cookie}; ${set.split(';')[0] ?? ''}`;
  const text = await response.text();
  if (response.headers.get('content-type')?.startsWith('text/html') === true) page = text;
  return { status: response.status, bytes: text.length };
}

async function signIn(): Promise<void> {
  await fetched('/console/sign-in');
  await fetched('/console/sign-in', {
    method: 'POST',
    body: new URLSearchParams({ csrf: hidden('csrf'), token }),
  });
  await fetched('/console/accounts');
}

function initOf({ form, file, json, confirm = false }: OperatorAsks): Init {
  if (json !== undefined)
    return {
      method: 'POST',
      body: json,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    };
  if (file !== undefined) {
    const body = new FormData();
    body.set('csrf', hidden('csrf'));
    body.set('file', new Blob([file]), 'accounts.csv');
    return { method: 'POST', body };
  }
  const shown = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  const fields = confirm
    ? shown.map(([, name = '', value = '']): [string, string] => [name, value])
    : form &&
      [['csrf', hidden('csrf')], ...form].map(([name = '', value = '']): [string, string] => [name, value]);
  return fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) };
}

parentPort?.on('message', (asks: OperatorAsks) => {
  fetched(asks.path, initOf(asks)).then(
    (answer) => parentPort?.postMessage(answer),
    (error: unknown) => {
      throw error;
    },
  );
});
await signIn();
parentPort?.postMessage('ready');
