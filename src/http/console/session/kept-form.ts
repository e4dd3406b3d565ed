/** What somebody typed into a form of the console while the session had ended elsewhere: it comes back, to be sent again. */
import type { Request } from 'express';
import { detailLabels } from '../accounts/edited.ts';

/** Never given back: they belong on no page. */
const SECRETS: ReadonlySet<string> = new Set(['apiKey', 'accountKey']);

/** What is typed as free text, with its label; everything else of a form goes back unseen. */
const labels: Readonly<Record<string, string>> = {
  ...detailLabels,
  note: 'What came of it',
  reason: 'Reason',
};
const ON_ONE_LINE: ReadonlySet<string> = new Set(
  Object.keys(detailLabels).filter((name) => name !== 'notes'),
);
/** Names of fields that hold a text of the customers' pages and mails, with its path. */
const TEXT = 'text:';

/** A form as it is shown once more. */
export interface KeptForm {
  /** Where it is sent to. */
  readonly path: string;
  readonly typed: readonly { readonly name: string; readonly label: string; readonly text: string }[];
  readonly hidden: readonly (readonly [name: string, value: string])[];
  readonly onOneLine: ReadonlySet<string>;
  /** A key was typed, and must be typed again. */
  readonly isShort: boolean;
}

/** Only what our own pages sent: another site must not put words into anybody's mouth. */
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
