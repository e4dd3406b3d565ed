/**
 * The forms of `CAUSEWAY_REDIS_URL` (docs/deploy/instances.md#addresses-of-redis): one server, servers that Sentinels know, or a
 * cluster. `URL` cannot read an address with several hosts.
 */
import { withoutBrackets } from '../../../lib/net/network.ts';
import { decoded } from '../../../lib/text/address-text.ts';

/** A host and its port. */
export interface RedisHost {
  readonly host: string;
  readonly port: number;
}

interface Login {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

interface Common extends Login {
  /** With TLS, to every host. */
  readonly secure: boolean;
  readonly hosts: readonly RedisHost[];
}

/** Where Redis is. */
export type RedisAddress =
  | (Common & { readonly form: 'server' })
  | (Common & {
      readonly form: 'sentinel';
      /** The name under which the Sentinels know the servers. */
      readonly service: string;
      readonly database: number;
      /** The login at the Sentinels; the one before the hosts is for the servers. */
      readonly sentinel: Login;
    })
  | (Common & { readonly form: 'cluster' });

const FORM = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^@]*)@)?([^/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const PORTS = { server: 6_379, sentinel: 26_379, cluster: 6_379 } as const;
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;

/** Undefined: it has none of the forms. */
export function readRedisAddress(text: string): RedisAddress | undefined {
  const [, secured, form = 'server', login, list = '', path = '', query] = FORM.exec(text) ?? [];
  if (secured === undefined || !isForm(form)) return undefined;
  const hosts = hostsIn(list, PORTS[form]);
  const [user, password] = loginOf(login);
  if (hosts === undefined || user === null || password === null) return undefined;
  const common = { secure: secured === 's', hosts, username: user, password };
  return ofForm(form, common, path, new URLSearchParams(query));
}

function ofForm(
  form: RedisAddress['form'],
  common: Common,
  path: string,
  query: URLSearchParams,
): RedisAddress | undefined {
  switch (form) {
    case 'server':
      return common.hosts.length === 1 ? { form, ...common } : undefined;
    case 'cluster':
      return path === '' ? { form, ...common } : undefined;
    case 'sentinel':
      return sentinelOf(common, path, query);
  }
}

function sentinelOf(common: Common, path: string, query: URLSearchParams): RedisAddress | undefined {
  const [, service, database = '0'] = /^([\w.%-]+)(?:\/(\d{1,4}))?$/.exec(path) ?? [];
  if (service === undefined) return undefined;
  return {
    ...{ form: 'sentinel', ...common, service: decoded(service) ?? service, database: Number(database) },
    sentinel: {
      username: query.get('sentinel-user') ?? undefined,
      password: query.get('sentinel-password') ?? undefined,
    },
  };
}

const isForm = (text: string): text is keyof typeof PORTS => text in PORTS;

function hostsIn(list: string, usual: number): readonly RedisHost[] | undefined {
  const hosts = list.split(',').map((one) => hostOf(one, usual));
  const found = hosts.filter((one) => one !== undefined);
  return found.length < hosts.length ? undefined : found;
}

function hostOf(text: string, usual: number): RedisHost | undefined {
  const [, host, port] = HOST.exec(text) ?? [];
  const number = Number(port ?? usual);
  return host === undefined || number < 1 || number > 65_535
    ? undefined
    : { host: withoutBrackets(host), port: number };
}

/** User and password; null: it cannot be decoded. */
function loginOf(text = ''): readonly [string | null | undefined, string | null | undefined] {
  const colon = text.indexOf(':');
  const parts = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  const [user, password] = parts.map((part) => (part === '' ? undefined : (decoded(part) ?? null)));
  return [user, password];
}

/** Its passwords, which no message may show. */
export const passwordsIn = (address: RedisAddress | undefined): readonly string[] =>
  [address?.password, address?.form === 'sentinel' ? address.sentinel.password : undefined].filter(
    (one) => one !== undefined,
  );
