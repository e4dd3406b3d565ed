import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { namedFields, recordWriter } from '../../record/fields.ts';

async function list(call: XmlCall): Promise<Answer> {
  const all = await call.records.all('template');
  const write = recordWriter('Template', namedFields(call.dialect.ids));
  return { answer: 'list', container: 'Templates', records: all.map(write) };
}

export const templateOperations: readonly Operation[] = methods([
  ['GET', 'template.list', 'template.api/list', list],
]);
