import type { Use } from '../../../records/kinds/custom-fields.ts';
import { definitionsFor, valuesHeld } from '../../../records/custom-field-rules.ts';
import type { Kind, StoredRecord } from '../../../records/kinds.ts';
import { absentInPractice, type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { recordWriter } from '../../record/fields.ts';
import { ofPath } from '../../record/identify.ts';
import { definitionFields, valueFields } from './fields.ts';
import { customValuesAfter } from './values.ts';

async function definitions(call: XmlCall): Promise<Answer> {
  const all = await call.records.all('customField');
  return {
    answer: 'list',
    container: 'CustomFieldDefinitions',
    records: all.map(recordWriter('CustomFieldDefinition', definitionFields(call.dialect))),
  };
}

/** Only fields that hold a value, in the order of the definitions ("Custom field methods", rule 1). */
async function read(call: XmlCall, kind: Kind, use: Use): Promise<Answer> {
  const record: StoredRecord = await ofPath(call, kind);
  const held = valuesHeld(await definitionsFor(call.records, use), record);
  return {
    answer: 'list',
    container: 'CustomFields',
    records: held.map(recordWriter('CustomField', valueFields(call.dialect))),
  };
}

async function write(call: XmlCall, kind: Kind, use: Use): Promise<Answer> {
  const record: StoredRecord = await ofPath(call, kind);
  const customValues = await customValuesAfter(call, use, record.customValues);
  await call.records.update(record, { customValues }, call.now);
  return { answer: 'status' };
}

/** The nine kinds of records with the paths of their fields (XML specification, "Custom field methods"). */
const kinds: readonly {
  readonly name: string;
  readonly kind: Kind;
  readonly use: Use;
  readonly read: string;
  readonly write: readonly string[];
  readonly isAbsentInPractice?: true;
}[] = [
  {
    name: 'client',
    kind: 'client',
    use: 'Client',
    read: 'client.api/get/{id}/customfield',
    write: ['client.api/update/{id}/customfield'],
  },
  {
    name: 'contact',
    kind: 'contact',
    use: 'Contact',
    read: 'client.api/contact/{id}/customfield',
    write: ['client.api/contact/{id}/customfield'],
  },
  {
    name: 'supplier',
    kind: 'supplier',
    use: 'Supplier',
    read: 'supplier.api/get/{id}/customfield',
    // V1 specifies update, V3 get; both are accepted on both.
    write: ['supplier.api/update/{id}/customfield', 'supplier.api/get/{id}/customfield'],
    isAbsentInPractice: true,
  },
  {
    name: 'suppliercontact',
    kind: 'supplierContact',
    use: 'Contact',
    read: 'supplier.api/contact/{id}/customfield',
    write: ['supplier.api/contact/{id}/customfield'],
    isAbsentInPractice: true,
  },
  {
    name: 'job',
    kind: 'job',
    use: 'Job',
    read: 'job.api/get/{id}/customfield',
    write: ['job.api/update/{id}/customfield'],
  },
  {
    name: 'jobtask',
    kind: 'jobTask',
    use: 'JobTask',
    read: 'job.api/task/{id}/customfield',
    write: ['job.api/task/{id}/customfield'],
  },
  {
    name: 'jobcost',
    kind: 'jobCost',
    use: 'JobCost',
    read: 'job.api/cost/{id}/customfield',
    write: ['job.api/cost/{id}/customfield'],
  },
  {
    name: 'time',
    kind: 'time',
    use: 'JobTime',
    read: 'time.api/get/{id}/customfield',
    write: ['time.api/update/{id}/customfield'],
  },
  {
    name: 'lead',
    kind: 'lead',
    use: 'Lead',
    read: 'lead.api/get/{id}/customfield',
    write: ['lead.api/update/{id}/customfield'],
    isAbsentInPractice: true,
  },
];

export const customFieldOperations: readonly Operation[] = methods([
  ['GET', 'customfield.definition', 'customfield.api/definition', definitions],
  ...kinds.flatMap(({ name, kind, use, read: readPath, write: writePaths, isAbsentInPractice }) => {
    const own = [
      {
        id: `customfield.${name}.get`,
        verbs: ['GET'],
        path: readPath,
        serve: (call) => read(call, kind, use),
      },
      ...writePaths.map((path): Operation => ({
        id: `customfield.${name}.put`,
        verbs: ['PUT'],
        path,
        serve: (call) => write(call, kind, use),
      })),
    ] satisfies readonly Operation[];
    return isAbsentInPractice ? absentInPractice(own) : own;
  }),
]);
