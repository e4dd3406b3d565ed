/** Decodes `%` escapes; undefined if they are not UTF-8. */
export function decoded(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}
