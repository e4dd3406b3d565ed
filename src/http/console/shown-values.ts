/**
 * The values that a form showed, which it carries in its field `shown`, so that nobody overwrites unseen what another person
 * has changed meanwhile.
 */

/** By name; none if the form does not carry them. */
export function shownIn(form: URLSearchParams): Readonly<Record<string, unknown>> {
  try {
    const shown: unknown = JSON.parse(form.get('shown') ?? '');
    return typeof shown === 'object' && shown !== null ? { ...shown } : {};
  } catch {
    return {};
  }
}

/** What another person has changed, each by its label, with its present value. */
export const clashWords = (
  what: string,
  changes: readonly (readonly [label: string, now: string])[],
): string =>
  `somebody else has changed ${what} in the meantime: ${changes
    .map(([label, now]) => `${label} is now ${now}`)
    .join('; ')}. Save again to overwrite it`;
