export type Parameters =
  | { readonly result: 'parameters'; readonly values: ReadonlyMap<string, string> }
  | { readonly result: 'repeated'; readonly name: string; readonly values: ReadonlyMap<string, string> };

/**
 * Reads the parameters of a query or form. A request may contain each only once (RFC 6749, sections 3.1 and
 * 3.2). Empty means absent.
 */
export function readParameters(text: string, repeatable: readonly string[] = []): Parameters {
  const values = new Map<string, string>();
  let repeated: string | undefined;
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '' || repeatable.includes(name)) continue;
    if (values.has(name)) repeated ??= name;
    else values.set(name, value);
  }
  return repeated === undefined
    ? { result: 'parameters', values }
    : { result: 'repeated', name: repeated, values };
}
