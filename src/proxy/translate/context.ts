import type { Failure } from '../../lib/failure.ts';
import type { V2Tables } from '../../mapping/compile/v2/v2-model.ts';
import type { Given } from './lookups/given.ts';
import type { Lookups } from './lookups/lookups.ts';
import type { TemplateContext } from './template-values.ts';

/** The values for the placeholders of a template at this point of a call. */
export interface Context extends TemplateContext {
  /** Placeholders of the legacy path by kind, identifiers translated. */
  readonly path: ReadonlyMap<string, string>;
  readonly body: Given | undefined;
  readonly tables: V2Tables;
  readonly lookups: Lookups;
  readonly unreadable: (parameter: string) => Failure;
}
