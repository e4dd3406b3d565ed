import type { Product } from '../../upstream/organisation.ts';
import type { Texts } from './catalogue.ts';
import { filled } from './text.ts';

/** The customers' name for the service behind one product. */
export interface ServiceName {
  /** Undefined: "the service", in the language of the text. */
  readonly name: string | undefined;
  /** The service's own announcement of the change. */
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
 * The values for `{service}`, `{inService}`, `{ofService}` and `{toService}`, and for the capitalised forms, which
 * begin a sentence. In most languages a name has other forms than "the service", so each language lists both.
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
