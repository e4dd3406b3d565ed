/** Returns a form that was typed into the console after its session had ended, so that it can be sent again. */
import type { Request } from 'express';
import { detailLabels } from '../accounts/edited.ts';

/** Never returned: secrets belong on no page. */
const SECRETS: ReadonlySet<string> = new Set(['apiKey', 'accountKey']);

/** Free-text fields with their labels; all other fields of a form are returned as hidden ones. */
const labels: Readonly<Record<string, string>> = {
  ...detailLabels,
  note: 'Outcome',
  reason: 'Reason',
};
const ON_ONE_LINE: ReadonlySet<string> = new Set(
  Object.keys(detailLabels).filter((name) => name !== 'notes'),
);
/** The prefix of fields that hold a text of the customers' pages and mails, followed by its path. */
const TEXT = 'text:';

/** A form to be shown once more. */
export interface KeptForm {
  /** The path that the form is sent to. */
  readonly path: string;
  readonly typed: readonly { readonly name: string; readonly label: string; readonly text: string }[];
  readonly hidden: readonly (readonly [name: string, value: string])[];
  readonly onOneLine: ReadonlySet<string>;
  /** A key was typed, and must be typed again. */
  readonly isShort: boolean;
}

/** Accepts only forms of the console's own pages: another site must not fill in a form for the user. */
export const isOurOwn = ({ headers }: Request): boolean => headers['sec-fetch-site'] === 'same-origin';

/** The form without its session's token and without keys. */
export function keptForm({ path, baseUrl }: Request, form: URLSearchParams): KeptForm {
  const fields = [...form].filter(([name]) => name !== 'csrf' && !SECRETS.has(name));
  return {
    path: baseUrl + path,
    typed: fields.flatMap(([name, text]) => {
      const label = labelOf(name);
      return label === undefined ? [] : [{ name, label, text }];
    }),
    hidden: fields.filter(([name]) => labelOf(name) === undefined),
    onOneLine: ON_ONE_LINE,
    isShort: [...SECRETS].some((name) => (form.get(name) ?? '') !== ''),
  };
}

function labelOf(name: string): string | undefined {
  if (name.startsWith(TEXT)) return name.slice(TEXT.length);
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}
