/**
 * Further OAuth applications, from the file that `CAUSEWAY_APPLICATIONS_FILE` names; the settings themselves are the
 * default one.
 *
 * Each application has its name and below it the keys that differ, with the names and forms of the settings file:
 * `client.id` and `client.secret`, or `client.secret.file`, are required. Everything else, such as the addresses of the
 * service, is the same for all. Faults are collected with those of the settings, and none contains a secret.
 */
import { DEFAULT_APPLICATION } from '../../upstream/application.ts';
import { products, type Product } from '../../upstream/organisation.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import { nearest } from '../../lib/text/nearest.ts';
import type { ApplicationSettings } from './model.ts';
import { flatten, hint, readDocument, reason, secretIn, type Given, type ReadText } from './sources.ts';
import { table, type Name, type Values } from './table.ts';

const FILE = 'CAUSEWAY_APPLICATIONS_FILE';

/** The name appears in addresses, labels of metrics and columns of lists. */
const nameForm = /^[a-z][a-z0-9-]{0,31}$/;

/** The settings that an application may override, by their key. */
const own = {
  'client.id': 'CAUSEWAY_CLIENT_ID',
  'client.secret': 'CAUSEWAY_CLIENT_SECRET',
  scope: 'CAUSEWAY_SCOPE',
  'practice.scope': 'CAUSEWAY_PRACTICE_SCOPE',
  'brand.name': 'CAUSEWAY_BRAND_NAME',
} as const satisfies Readonly<Record<string, Name>>;

const SECRET_FILE = 'client.secret.file';
const PRODUCTS = 'products';
const keys: readonly string[] = [...Object.keys(own), SECRET_FILE, PRODUCTS];

/** The contents of the file, and the collector of faults. */
interface Reading {
  readonly origin: string;
  readonly readText: ReadText;
  readonly faults: string[];
}

/** The applications besides the default one; none without a file. Adds faults to `faults`. */
export function furtherApplications(
  values: Values,
  given: ReadonlyMap<Name, Given>,
  readText: ReadText,
  faults: string[],
): readonly ApplicationSettings[] {
  const path = values[FILE];
  if (path === undefined) return [];
  const reading = { origin: given.get(FILE)?.origin ?? FILE, readText, faults };
  const document = readDocument({ path, variable: reading.origin, readText, faults });
  if (document === undefined) return [];
  if (!isMapping(document) || Object.keys(document).length === 0) {
    faults.push(`${reading.origin}: ${path} must hold the names of applications, each with its keys`);
    return [];
  }
  const found = Object.entries(document).flatMap(([name, entry]) =>
    applicationOf(name, entry, values, reading),
  );
  faults.push(...clashes(found, values).map((fault) => `${reading.origin}: ${fault}`));
  return found;
}

function applicationOf(
  name: string,
  entry: unknown,
  values: Values,
  { origin, readText, faults }: Reading,
): readonly ApplicationSettings[] {
  const mine: string[] = [];
  const fault = (words: string): void => {
    mine.push(`${origin}: the application ${JSON.stringify(name.slice(0, 40))} ${words}`);
  };
  if (!nameForm.test(name)) fault('must be named by at most 32 small letters, digits and hyphens');
  if (name === DEFAULT_APPLICATION) fault('is the one of the settings themselves: choose another name');
  const texts = textsOf(entry, fault);
  const secret = secretText(texts, readText, fault);
  const clientId = read('client.id', texts, fault);
  const clientSecrets = read('client.secret', { ...texts, 'client.secret': secret }, fault);
  const application = {
    name,
    clientId: clientId ?? '',
    clientSecrets: clientSecrets ?? [],
    scopes: {
      standard: read('scope', texts, fault) ?? values.CAUSEWAY_SCOPE,
      practice: read('practice.scope', texts, fault) ?? values.CAUSEWAY_PRACTICE_SCOPE,
    },
    products: productsOf(texts[PRODUCTS], fault),
    brandName: read('brand.name', texts, fault),
  };
  if (texts['client.id'] === undefined) fault('lacks client.id');
  if (secret === undefined) fault(`lacks client.secret or ${SECRET_FILE}`);
  faults.push(...mine);
  return mine.length > 0 ? [] : [application];
}

type Fault = (words: string) => void;
type Texts = Readonly<Partial<Record<string, string>>>;

/** The values of an application by key, as texts. */
function textsOf(entry: unknown, fault: Fault): Texts {
  if (!isMapping(entry)) {
    fault('must have keys and values');
    return {};
  }
  const texts: Record<string, string> = {};
  for (const [key, value] of flatten(entry, '')) {
    if (!keys.includes(key)) fault(`has the unknown key ${key}${hint(nearest(key, keys))}`);
    else if (key === PRODUCTS && Array.isArray(value)) texts[key] = value.map(String).join(',');
    else if (typeof value === 'string') texts[key] = value;
    else if (value !== null) fault(`has a ${key} that is no single value`);
  }
  return texts;
}

/** The secret itself, or the content of the file named for it. */
function secretText(texts: Texts, readText: ReadText, fault: Fault): string | undefined {
  const { 'client.secret': plain, [SECRET_FILE]: path } = texts;
  if (path === undefined) return plain;
  if (plain !== undefined) fault(`has both client.secret and ${SECRET_FILE}`);
  try {
    return secretIn(path, readText);
  } catch (error) {
    fault(`has a ${SECRET_FILE} that cannot be read (${reason(error)})`);
    return plain ?? '-';
  }
}

/** The value that the setting of that key would have. */
function read<Key extends keyof typeof own>(
  key: Key,
  texts: Texts,
  fault: Fault,
): Values[(typeof own)[Key]] | undefined {
  const text = texts[key];
  if (text === undefined) return undefined;
  const parsed = table[own[key]].type.safeParse(text);
  if (parsed.success && text !== '') return parsed.data as Values[(typeof own)[Key]];
  fault(`has a ${key} that cannot be used: ${parsed.error?.issues[0]?.message ?? 'it is empty'}`);
  return undefined;
}

function productsOf(text: string | undefined, fault: Fault): readonly Product[] {
  return (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .flatMap((one) => {
      const product = products.find((known) => known === one);
      if (product === undefined) fault(`has products other than ${products.join(' and ')}`);
      return product === undefined ? [] : [product];
    });
}

/**
 * Reports values that two applications cannot share: their identity at the service, and the products whose accounts
 * they get by default.
 */
function clashes(
  found: readonly ApplicationSettings[],
  { CAUSEWAY_CLIENT_ID: clientId }: Values,
): readonly string[] {
  const mine = clientId === undefined ? [] : [{ name: DEFAULT_APPLICATION, clientId, products: [] }];
  return [...mine, ...found].flatMap((one, index, all) =>
    all
      .slice(0, index)
      .flatMap((other) => [
        ...(one.clientId === other.clientId
          ? [`the applications ${other.name} and ${one.name} have the same client.id`]
          : []),
        ...one.products
          .filter((product) => (other.products as readonly Product[]).includes(product))
          .map(
            (product) => `the applications ${other.name} and ${one.name} both have the product ${product}`,
          ),
      ]),
  );
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The application that the settings themselves describe. */
export const defaultApplication = (
  clientId: string,
  clientSecrets: readonly Secret[],
  values: Values,
): ApplicationSettings => ({
  name: DEFAULT_APPLICATION,
  clientId,
  clientSecrets,
  scopes: { standard: values.CAUSEWAY_SCOPE, practice: values.CAUSEWAY_PRACTICE_SCOPE },
  products: [],
  brandName: undefined,
});
