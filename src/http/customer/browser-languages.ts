const MOST_LANGUAGES = 20;

/** The languages of an `Accept-Language` header, most preferred first (RFC 9110, section 12.5.4). */
export function languagesIn(header: string | undefined): readonly string[] {
  const ranges = (header ?? '').split(',', MOST_LANGUAGES).map((range) => {
    const [language = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
    return { language, weight: weight === undefined ? 1 : Number(weight) };
  });
  return ranges
    .filter(({ language, weight }) => /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i.test(language) && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ language }) => language);
}
