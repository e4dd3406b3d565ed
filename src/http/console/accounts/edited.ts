/**
 * The form with the details of an account. It carries the values it showed, so that an untouched field never reverts a
 * change that another person has saved meanwhile.
 */
import type { AccountPage } from '../../../features/admin/account-page.ts';
import { NameTaken, type AdminRefusal } from '../../../features/admin/refusal.ts';
import { clashWords, shownIn } from '../shown-values.ts';

/** The details that an account can be added with, in the order of the forms. */
export const detailFields = [
  'contactName',
  'email',
  'language',
  'zone',
  'phone',
  'organisationName',
  'tags',
  'notes',
] as const;

/** The fields that are plain text. */
const texts = ['name', ...detailFields, 'organisationId'] as const;
/** The fields with a list to choose from; the form has them only where they can be changed. */
const choices = ['product', 'application'] as const;
const fields = [...texts, ...choices] as const;
type Field = (typeof fields)[number];
type Fields = Readonly<Record<Field, string>>;

/** The labels of the text fields on the page. */
export const detailLabels: Readonly<Record<(typeof texts)[number], string>> = {
  ...{ name: 'Name', contactName: 'Contact', email: 'E-mail', language: 'Language', zone: 'Time zone' },
  ...{ phone: 'Phone', organisationName: 'Expected organisation', organisationId: 'Organisation id' },
  ...{ tags: 'Tags', notes: 'Notes' },
};
const labels: Readonly<Record<Field, string>> = {
  ...detailLabels,
  ...{ product: 'Product', application: 'Application' },
};

/** The fields of the form as they are stored. */
export function storedFields({ account, details }: Pick<AccountPage, 'account' | 'details'>): Fields {
  const { contactName, email, language, zone, phone, expected, tags, notes } = details;
  const stored = {
    ...{ name: account.name, contactName, email, language, zone, phone, tags, notes },
    ...{ organisationName: expected.name, organisationId: expected.id },
    ...{ product: account.product, application: account.application },
  };
  return everyField((name) => stored[name] ?? '');
}

/**
 * The fields changed in the form; `clash` names those that another person has changed as well. An address that is
 * submitted is retried, so an untouched one is submitted only if the form asks for that.
 */
export function changedFields(
  form: URLSearchParams,
  stored: Fields,
): { readonly changed: Partial<Fields>; readonly clash: string | undefined } {
  const shown = shownFields(form, stored);
  const isAbsent = (name: Field): boolean => choices.some((one) => one === name) && !form.has(name);
  const given = everyField((name) =>
    isAbsent(name) ? shown[name] : (form.get(name) ?? '').replaceAll('\r\n', '\n'),
  );
  const clashes = fields.filter(
    (name) => given[name] !== shown[name] && stored[name] !== shown[name] && stored[name] !== given[name],
  );
  const again = form.get('tryAgain') === 'yes' && given.email === stored.email;
  const changed = fields.filter((name) => given[name] !== shown[name] || (again && name === 'email'));
  return {
    changed: Object.fromEntries(changed.map((name) => [name, given[name]])),
    clash:
      clashes.length === 0
        ? undefined
        : clashWords(
            'this',
            clashes.map((name) => [labels[name], stored[name] === '' ? 'empty' : stored[name]]),
          ),
  };
}

/** The value with which the form shows the tick that confirms the name of another account. */
export const askedBy = (error: AdminRefusal): Readonly<Record<string, string>> =>
  error instanceof NameTaken ? { taken: 'yes' } : {};

/** The values that the form showed; a form that does not contain them is taken as it is. */
function shownFields(form: URLSearchParams, stored: Fields): Fields {
  const shown = shownIn(form);
  return everyField((name) => {
    const value = shown[name];
    return typeof value === 'string' ? value : stored[name];
  });
}

const everyField = (value: (name: Field) => string): Fields =>
  Object.fromEntries(fields.map((name) => [name, value(name)])) as Record<Field, string>;
