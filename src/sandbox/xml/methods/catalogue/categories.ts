import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { namedFields, recordWriter } from '../../record/fields.ts';

/** Lists the categories of jobs or those of leads, which are separate. */
export async function categories(call: XmlCall, kind: 'category' | 'leadCategory'): Promise<Answer> {
  const all = await call.records.all(kind);
  const write = recordWriter('Category', namedFields(call.dialect.ids));
  return { answer: 'list', container: 'Categories', records: all.map(write) };
}

export const categoryOperations: readonly Operation[] = methods([
  ['GET', 'category.list', 'category.api/list', (call) => categories(call, 'category')],
]);
