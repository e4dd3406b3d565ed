/** Fills texts with placeholders from what is known at this point of a call to V2. */
import { parseTemplate, type Template } from '../../../../../mapping/compile/generic/template.ts';
import {
  isSo,
  textIn,
  valueOf,
  type TemplateContext,
} from '../../../../../proxy/translate/template-values.ts';
import type { RecordValue, Step } from '../../../../../proof/client/client-tables.ts';
import type { Call } from './call.ts';
import type { Lookups } from './v2-lookups.ts';

/** The values that placeholders can refer to. */
export interface Context {
  readonly call: Call;
  readonly query: ReadonlyMap<string, string>;
  readonly body: RecordValue | undefined;
  /** The answers of the steps so far, by name. */
  readonly answers: ReadonlyMap<string, unknown>;
  readonly item: unknown;
  readonly lookups: Lookups;
}

const templates = new Map<string, Template>();

function templateOf(text: string): Template {
  const known = templates.get(text);
  if (known !== undefined) return known;
  const template = parseTemplate(text);
  if (template === undefined) throw new Error(`not a template: ${text}`);
  templates.set(text, template);
  return template;
}

/** Returns a single placeholder's value unchanged, anything else as text. Throws `InvalidCall`. */
export const filled = (template: string, context: Context): unknown =>
  valueOf(templateOf(template), valuesIn(context));

/** Fills a placeholder without a value with an empty text. Throws `InvalidCall`. */
export const textFor = (template: string, context: Context): string =>
  textIn(templateOf(template), valuesIn(context));

/** Whether the step's condition is met. Throws `InvalidCall`. */
export const isMet = ([value, is]: NonNullable<Step['when']>, context: Context): boolean =>
  isSo({ value: templateOf(value), is: is === undefined ? undefined : templateOf(is) }, valuesIn(context));

/** Converts the context to the form of the bridge's templates. */
function valuesIn({ call, ...known }: Context): TemplateContext {
  const { input, around } = call;
  return {
    ...known,
    path: {
      get: (kind) =>
        input.path !== undefined && Object.hasOwn(input.path, kind) ? call.placed(kind) : undefined,
    },
    tables: { defaults: { get: (name) => around.shared.defaults[name] } },
    now: around.now(),
    zone: around.timeZone,
    unreadable: (parameter) => call.invalid(`Invalid value for ${parameter}`),
  };
}
