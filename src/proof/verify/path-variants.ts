/** Limit of addresses tried in place of one that does not exist. */
const MOST = 12;

/**
 * Addresses similar to one that does not exist: first with earlier discoveries (`moved`: by position and
 * word), then with one of its words in another number or spelling. Identifiers stay. Only a read leaves words out,
 * because the address may then be another collection, and the answer has to tell.
 */
export function pathVariants(
  segments: readonly string[],
  moved: ReadonlyMap<string, string>,
  isRead: boolean,
): readonly (readonly string[])[] {
  const known = segments.map((part, index) => moved.get(`${index} ${part}`) ?? part);
  const variants: (readonly string[])[] = known.some((part, index) => part !== segments[index])
    ? [known]
    : [];
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    const part = segments[index] ?? '';
    if (/\d/.test(part) || part.endsWith('.api')) continue;
    for (const word of wordVariants(part, isRead))
      variants.push(segments.map((one, place) => (place === index ? word : one)));
  }
  return variants.slice(0, MOST);
}

/** `job-categories`: `job-category`, `jobcategories`, `jobCategories`, `job_categories`, `categories`. */
function wordVariants(word: string, isRead: boolean): readonly string[] {
  const parts = word.split('-');
  const spelled =
    parts.length === 1
      ? []
      : [
          parts.join(''),
          parts
            .map((part, index) => (index === 0 ? part : part.slice(0, 1).toUpperCase() + part.slice(1)))
            .join(''),
          parts.join('_'),
          ...(isRead ? parts.slice(-1) : []),
        ];
  return [...new Set([...inOtherNumber(word), ...spelled])].filter((one) => one !== word && one !== '');
}

const inOtherNumber = (word: string): readonly string[] => {
  if (word.endsWith('ies')) return [`${word.slice(0, -3)}y`];
  if (word.endsWith('s')) return [word.slice(0, -1), word.slice(0, -2), `${word}es`];
  return word.endsWith('y') ? [`${word.slice(0, -1)}ies`] : [`${word}s`, `${word}es`];
};
