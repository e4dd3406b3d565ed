/** Returns a form that was typed into the console after its session had ended, so that it can be sent again. */
import type { Request } from 'express';
import type { ConsoleAction } from '../../../features/admin/actions/everywhere.ts';
import { actionNames, actions } from '../../../features/admin/actions/words.ts';
import { counted } from '../../../lib/text/counted.ts';
import { detailLabels } from '../accounts/edited.ts';

/** Labels of the fields of one form that are shown; all others are returned as hidden ones. */
export type KeptLabels = Readonly<Record<string, string>>;

/** Never returned: secrets belong on no page. */
const SECRETS: ReadonlySet<string> = new Set(['apiKey', 'accountKey']);

const reason = { reason: 'Reason' };
const named = { name: 'Name', ...reason };
const note = { note: 'Outcome' };

/**
 * The forms that are returned: those with something to type or to tick. Left out are imports, whose files contain keys;
 * the search of *Find*, where people paste keys; what a preview has shown, which may have changed since; and forms that
 * are one button.
 */
const keptForms: Readonly<Partial<Record<ConsoleAction, KeptLabels>>> = {
  '/accounts/new': detailLabels,
  '/accounts/:id/details': detailLabels,
  '/accounts/:id/talk': note,
  '/accounts/:id/watch': reason,
  '/accounts/:id/program': { name: 'Name' },
  '/accounts/:id/parity/accept': named,
  '/groups': { name: 'Name' },
  '/preview': { tags: 'Tags to add or remove' },
  '/writes/:id/preview': { number: 'Number' },
  '/routes/preview': { account: 'Account' },
  '/routes/drift': named,
  '/campaign/waves': {
    ...{ name: 'Name', tag: 'Tag', most: 'At most', start: 'Start (customer’s local time)' },
    ...{ hold: 'Hours good before the next wave', errors: 'Failed calls allowed (%)' },
    troubled: 'Accounts with problems allowed (%)',
  },
  '/campaign/report': { to: 'To' },
  '/campaign/phone': note,
  '/campaign/brownouts/preview': { tag: 'Tag', start: 'Start (UTC)', minutes: 'Minutes' },
  // The labels of its fields are their names: see `labelOf`.
  '/texts/edit': {},
  '/texts/languages': { language: 'Language' },
  '/texts/test': { to: 'To' },
  '/tokens': { name: 'Name' },
  '/grants/export': {
    accounts: 'Accounts (one name or id per line)',
    key: 'Recipient’s public key (PEM or JWK)',
  },
  '/trial': { query: 'Parameters of the legacy call', sample: 'Sample' },
};

/** The labels of a form that is returned; undefined if it is not. */
export const keptLabels = (action: ConsoleAction): KeptLabels | undefined => keptForms[action];

/** Labels of what was selected from a list, which is only named: it is changed on the form's own page. */
const selectLabels: Readonly<Record<string, string>> = {
  ...{
    method: 'Method',
    route: 'Serve from',
    scope: 'Scope',
    days: 'Expires after (days)',
    copyOf: 'Copy of',
  },
};

/** Fields of several lines; the texts of the customers' pages are others. */
const LONG: ReadonlySet<string> = new Set(['note', 'notes', 'reason', 'sample', 'accounts', 'key']);
/** The prefix of fields that hold a text of the customers' pages and mails, followed by its path. */
const TEXT = 'text:';

/** A form to be shown once more. */
export interface KeptForm {
  /** The path that the form is sent to, with its query: that of a list has the page to return to. */
  readonly path: string;
  /** What was ticked and selected, in words; undefined: nothing. */
  readonly chosen: string | undefined;
  readonly typed: readonly KeptField[];
  readonly hidden: readonly (readonly [name: string, value: string])[];
  /** A key was typed, and must be typed again. */
  readonly isShort: boolean;
}

/** A field that is shown. */
interface KeptField {
  readonly name: string;
  readonly label: string;
  readonly text: string;
  /** Whether it has several lines. */
  readonly isLong: boolean;
}

/** Accepts only forms of the console's own pages: another site must not fill in a form for the user. */
export const isOurOwn = ({ headers }: Request): boolean => headers['sec-fetch-site'] === 'same-origin';

/** The form without its session's token and without keys. */
export function keptForm(
  { path, baseUrl, originalUrl }: Request,
  form: URLSearchParams,
  labels: KeptLabels,
): KeptForm {
  const at = originalUrl.indexOf('?');
  const fields = [...form].filter(([name]) => name !== 'csrf' && !SECRETS.has(name));
  return {
    path: baseUrl + path + (at < 0 ? '' : originalUrl.slice(at)),
    chosen: chosenIn(form),
    typed: fields.flatMap(([name, text]) => {
      const label = labelOf(name, labels);
      const isLong = LONG.has(name) || name.startsWith(TEXT);
      return label === undefined ? [] : [{ name, label, text, isLong }];
    }),
    hidden: fields.filter(([name]) => labelOf(name, labels) === undefined),
    isShort: [...SECRETS].some((name) => (form.get(name) ?? '') !== ''),
  };
}

function labelOf(name: string, labels: KeptLabels): string | undefined {
  if (name.startsWith(TEXT)) return name.slice(TEXT.length);
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}

function chosenIn(form: URLSearchParams): string | undefined {
  const selected = [...form].flatMap(([name, value]) =>
    Object.hasOwn(selectLabels, name) ? [`${selectLabels[name] ?? name}: ${value || '–'}`] : [],
  );
  const action = actionNames.find((name) => name === form.get('action'));
  if (action === undefined) return selected.join('; ') || undefined;
  const isAll = form.get('all') === 'yes';
  const accounts = isAll ? 'all accounts found' : counted(form.getAll('account').length, 'account');
  return [`${actions[action].words}: ${accounts}`, ...selected].join('; ');
}
