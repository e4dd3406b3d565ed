import type { Wording } from '../../src/features/campaign/mail/content.ts';
import { plainBrand, plainWording, formTargetsOf, Pages } from '../../src/http/customer/pages.ts';
import type { Brand } from '../../src/features/campaign/brand.ts';
import { systemRandom } from '../../src/lib/secret/random.ts';
import { CallerAddresses } from '../../src/http/server/caller-address.ts';
import { ConnectPages } from '../../src/http/customer/connect.ts';
import { Cookies } from '../../src/http/server/cookie.ts';
import { HomePage } from '../../src/http/customer/home.ts';
import { Throttle } from '../../src/http/server/throttle.ts';
import { Sender, type Answered } from '../support/http.ts';
import { addAccount, linkFor, openVillage, type Village, type VillageOptions } from '../features/harness.ts';
import { openTestServer, type TestServer } from './harness.ts';

export interface Setting {
  readonly village: Village;
  readonly services: TestServer;
  readonly link: string;
  readonly id: string;
  /** Links somebody wanted a fresh one for. */
  readonly wanted: readonly string[];
  /** `form`: fields, posted as a browser does. */
  send(
    verb: string,
    target: string,
    cookie?: string,
    form?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answered>;
}

export interface SettingOptions {
  readonly publicUrl?: string;
  readonly village?: VillageOptions;
  readonly name?: string;
  readonly brand?: Partial<Brand>;
  readonly wording?: Partial<Wording>;
  readonly withoutMail?: boolean;
}

/** The customer's pages on a real listener, with real store and migration behind them. */
export async function openSetting(options: SettingOptions = {}): Promise<Setting> {
  const { publicUrl = 'http://127.0.0.1:1', name } = options;
  const village = await openVillage(options.village);
  const brand = { ...plainBrand('Paper Trail'), ...options.brand };
  const wanted: string[] = [];
  const fresh = {
    freshLink: async (link: string): Promise<void> => {
      wanted.push(link);
    },
  };
  const wording = { ...plainWording(brand.name), brand, ...options.wording };
  const pages = new Pages(wording);
  const services = await openTestServer({
    make: ({ log }) => ({
      pages,
      home: new HomePage(pages, publicUrl),
      connect: new ConnectPages({
        consent: village.consent,
        fresh: options.withoutMail === true ? undefined : fresh,
        pages,
        cookies: new Cookies(publicUrl),
        seal: village.ring,
        random: systemRandom,
        clock: village.clock,
        log,
        publicUrl,
        formTargets: formTargetsOf(
          publicUrl.startsWith('https:') ? 'https://identity.example.com' : 'http://127.0.0.1:9',
        ),
        attemptSeconds: 600,
        callers: new CallerAddresses([{ address: '127.0.0.1', prefix: 32 }]),
        searching: new Throttle({ clock: village.clock, perAddress: 20, overall: Infinity }),
      }),
    }),
  });
  const { id } = await addAccount(village, name);
  const link = await linkFor(village, id);
  return {
    village,
    services,
    link: `/_causeway/connect/${link}`,
    id,
    wanted,
    send: (verb, target, cookie, form, headers) =>
      sent(services.port, { verb, target, cookie, form, headers }),
  };
}

/** An account that the bridge made the keys of: V1 never knew it. Its id. */
export async function addIssued(village: Village, name: string): Promise<string> {
  const { id } = await village.store.accounts.add({
    id: `issued-${name}`,
    name,
    product: 'standard',
    application: 'default',
    origin: 'issued',
    accountKeyIndex: 'index',
    accountKeySealed: 'sealed',
    now: village.clock.now(),
    actor: 'operator',
  });
  return id;
}

interface Sent {
  readonly verb: string;
  readonly target: string;
  readonly cookie: string | undefined;
  readonly form: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

async function sent(port: number, { verb, target, cookie, form, headers: more }: Sent): Promise<Answered> {
  const sender = new Sender(`http://127.0.0.1:${port}`);
  const headers = {
    ...more,
    ...(cookie === undefined ? {} : { Cookie: cookie }),
    ...(form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
  };
  try {
    return await sender.send({ verb, target, headers, body: form });
  } finally {
    sender.close();
  }
}

/** All cookies an answer sets, as a browser would send them back. */
export const cookiesOf = (...answers: readonly Answered[]): string => {
  const jar = new Map<string, string>();
  for (const { headers } of answers)
    for (const line of headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair);
    }
  return [...jar.values()].join('; ');
};

export const stateOf = ({ headers }: Answered): string =>
  new URL(headers.location ?? '').searchParams.get('state') ?? '';

export const stageOf = async ({ village, id }: Setting) =>
  (await village.store.accounts.byId(id))?.life.stage;

export interface Return {
  /** What the callback answered. */
  readonly back: Answered;
  readonly cookie: string;
  /** The page the browser ends on. */
  readonly page: Answered;
}

/** Presses the button, comes back with a code, and follows to the page behind. */
export async function consent(
  setting: Setting,
  query = 'code=CODE-CANARY',
  link = setting.link,
): Promise<Return> {
  const left = await setting.send('POST', link);
  const back = await setting.send(
    'GET',
    `/_causeway/callback?${query}&state=${stateOf(left)}`,
    cookiesOf(left),
  );
  const cookie = cookiesOf(left, back);
  const { location } = back.headers;
  return { back, cookie, page: location === undefined ? back : await setting.send('GET', location, cookie) };
}
