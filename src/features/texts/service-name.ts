import type { Product } from '../../upstream/organisation.ts';
import type { Texts } from './catalogue.ts';
import { filled } from './text.ts';

/** What customers call the service behind one product. */
export interface ServiceName {
  /** Undefined: "the service", in the language of the text. */
  readonly name: string | undefined;
  /** Where the service itself announces the change. */
  readonly announcement: string | undefined;
}

/** The names of the service, by product. */
export type ServiceNames = Readonly<Record<Product, ServiceName>>;

/** A service without a name. */
export const unnamedService: ServiceNames = {
  standard: { name: undefined, announcement: undefined },
  practice: { name: undefined, announcement: undefined },
};

const forms = { service: 'is', inService: 'in', ofService: 'of', toService: 'to' } as const;

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/**
 * The values for `{service}`, `{inService}`, `{ofService}` and `{toService}`, and for the same with a capital letter,
 * which begin a sentence. A name has other forms than "the service" in most languages, so each language lists both.
 */
export function serviceValues(texts: Texts, name: string | undefined): Readonly<Record<string, string>> {
  const kind = name === undefined ? 'unnamed' : 'named';
  const write = { plain: (value: string) => value, rich: ({ text }: { readonly text: string }) => text };
  return Object.fromEntries(
    Object.entries(forms).flatMap(([placeholder, form]) => {
      const pattern = texts.get(`service.${kind}.${form}`);
      const value = typeof pattern === 'string' ? filled(pattern, { name }, write) : (name ?? '');
      return [
        [placeholder, value],
        [capital(placeholder), capital(value)],
      ];
    }),
  );
}
