import { DECLARATION, openResponse } from '../lib/xml/document.ts';

/**
 * `api-method`: the path segment after `<family>.api/`, with its first letter in upper case; undefined if the
 * path has no method.
 */
export function apiMethod(segments: readonly string[]): string | undefined {
  const [family, method] = segments;
  if (family === undefined || !/^[a-z]+\.api$/i.test(family) || method === undefined) return undefined;
  if (!/^[a-z]+$/i.test(method)) return undefined;
  const lower = method.toLowerCase();
  return lower.slice(0, 1).toUpperCase() + lower.slice(1);
}

/**
 * Everything before the record or list of a successful reply: declaration, root, and `Status` as the first
 * child.
 */
export function openReply(segments: readonly string[]): string {
  return `${DECLARATION}${openResponse(apiMethod(segments))}<Status>OK</Status>`;
}

/** Path and parameters of a legacy call, with the keys of its account in clear. */
export function legacyTarget(
  segments: readonly string[],
  query: readonly (readonly [name: string, value: string])[],
  { apiKey, accountKey }: { readonly apiKey: string; readonly accountKey: string },
): string {
  const path = segments.map((one) => encodeURIComponent(one)).join('/');
  const parameters = new URLSearchParams([
    ...query.map(([name, value]): [string, string] => [name, value]),
    ['apiKey', apiKey],
    ['accountKey', accountKey],
  ]);
  return `/${path}?${parameters.toString()}`;
}

/** The content type of legacy replies, whatever the caller accepts. */
export const LEGACY_CONTENT_TYPE = 'text/xml; charset=utf-8';

/**
 * Translates the service's own error texts, which name V3 elements, to the V1 names that the legacy program knows. The
 * UUID of a custom field has that name in both forms (XML specification, "Custom field value").
 */
export function legacyWords(description: string): string {
  return description.replace(/(?<!CustomField\/)\b([A-Za-z]*)UUID\b/g, '$1ID');
}
