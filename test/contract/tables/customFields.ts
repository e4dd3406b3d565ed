import {
  exactly,
  get,
  missing,
  ok,
  put,
  refused,
  statusOnly,
  studio,
  without,
  type Call,
  type Case,
  type Table,
} from '../case.ts';
import { fieldUuid, studioSeed } from '../seed.ts';

const UNKNOWN_FIELD = 'Invalid custom field identifier';
const fields = (...inner: readonly string[]): string =>
  `<CustomFields>${inner.map((one) => `<CustomField>${one}</CustomField>`).join('')}</CustomFields>`;
const uuid = (number: number, value: string): string => `<UUID>${fieldUuid(number)}</UUID>${value}`;
const id = (number: number, value: string): string => `<ID>${String(number)}</ID>${value}`;
const held = (number: number, name: string, value: string): string =>
  `<CustomField><ID>${String(number)}</ID><UUID>${fieldUuid(number)}</UUID><Name>${name}</Name>${value}</CustomField>`;

interface Kind {
  readonly name: string;
  readonly read: string;
  readonly writes: readonly string[];
  readonly held: string;
  /** Paths of the same form that name no record, with the words for it. */
  readonly unknown: string;
  readonly words: string;
}

const kinds: readonly Kind[] = [
  {
    name: 'client',
    read: 'client.api/get/1000001/customfield',
    writes: ['client.api/update/1000001/customfield'],
    held: '',
    unknown: 'client.api/get/999999999/customfield',
    words: 'Invalid client identifier',
  },
  {
    name: 'contact',
    read: 'client.api/contact/193/customfield',
    writes: ['client.api/contact/193/customfield'],
    held: held(501, 'Remark', '<Text>from the fair</Text>'),
    unknown: 'client.api/contact/999999999/customfield',
    words: 'Invalid contact identifier',
  },
  {
    name: 'supplier',
    read: 'supplier.api/get/301/customfield',
    writes: ['supplier.api/update/301/customfield', 'supplier.api/get/301/customfield'],
    held: held(504, 'Rate', '<Decimal>-0.05</Decimal>'),
    unknown: 'supplier.api/get/999999999/customfield',
    words: 'Invalid supplier identifier',
  },
  {
    name: 'supplier contact',
    read: 'supplier.api/contact/311/customfield',
    writes: ['supplier.api/contact/311/customfield'],
    held: held(508, 'Agreed', '<Boolean>false</Boolean>'),
    unknown: 'supplier.api/contact/193/customfield',
    words: 'Invalid contact identifier',
  },
  {
    name: 'job',
    read: 'job.api/get/J000101/customfield',
    writes: ['job.api/update/J000101/customfield'],
    held: held(502, 'Lines &amp; more', '<Text>one\ntwo</Text>'),
    unknown: 'job.api/get/J999999/customfield',
    words: 'Invalid job identifier',
  },
  {
    name: 'job task',
    read: 'job.api/task/401/customfield',
    writes: ['job.api/task/401/customfield'],
    held: held(503, 'Count', '<Number>3</Number>'),
    unknown: 'job.api/task/999999999/customfield',
    words: 'Invalid task identifier',
  },
  {
    name: 'job cost',
    read: 'job.api/cost/421/customfield',
    writes: ['job.api/cost/421/customfield'],
    held: held(505, 'Due', '<Date>2026-12-31T00:00:00</Date>'),
    unknown: 'job.api/cost/999999999/customfield',
    words: 'Invalid cost identifier',
  },
  {
    name: 'time entry',
    read: 'time.api/get/431/customfield',
    writes: ['time.api/update/431/customfield'],
    held: held(501, 'Remark', '<Text>evening</Text>'),
    unknown: 'time.api/get/999999999/customfield',
    words: 'Invalid time identifier',
  },
  {
    name: 'lead',
    read: 'lead.api/get/441/customfield',
    writes: ['lead.api/update/441/customfield'],
    held: held(506, 'Choice', '<Text>Red</Text>'),
    unknown: 'lead.api/get/999999999/customfield',
    words: 'Invalid lead identifier',
  },
];

const everything = fields(
  uuid(501, '<Text>a &amp; b 🍞</Text>'),
  uuid(502, '<Text>one\r\ntwo</Text>'),
  uuid(503, '<Number>-17</Number>'),
  uuid(504, '<Decimal>1234.5</Decimal>'),
  uuid(505, '<Date>20261224</Date>'),
  uuid(506, '<Text>grün</Text>'),
  uuid(507, '<Text>x?y=1&amp;z</Text>'),
  uuid(508, '<Boolean>TRUE</Boolean>'),
);

const written = [
  held(501, 'Remark', '<Text>a &amp; b 🍞</Text>'),
  held(502, 'Lines &amp; more', '<Text>one\ntwo</Text>'),
  held(503, 'Count', '<Number>-17</Number>'),
  held(504, 'Rate', '<Decimal>1234.50</Decimal>'),
  held(505, 'Due', '<Date>2026-12-24T00:00:00</Date>'),
  held(506, 'Choice', '<Text>Grün</Text>'),
  held(507, 'Link', '<Text>x?y=1&amp;z</Text>'),
  held(508, 'Agreed', '<Boolean>true</Boolean>'),
];

const cleared = fields(
  uuid(501, '<Text></Text>'),
  uuid(502, '<Text/>'),
  id(503, '<Number></Number>'),
  uuid(504, '<Decimal />'),
  uuid(505, '<Date></Date>'),
  uuid(506, '<Text></Text>'),
  id(507, '<Text></Text>'),
);

const write = (kind: Kind, body: string, expected: Call['expected']): readonly Call[] =>
  kind.writes.map((path) => put(path, body, expected));

const ofKind = (kind: Kind): readonly Case[] => [
  studio(
    `${kind.name}: values read as they are`,
    get(
      kind.read,
      kind.held === '' ? exactly('<CustomFields />') : exactly(`<CustomFields>${kind.held}</CustomFields>`),
    ),
  ),
  studio(
    `${kind.name}: every kind of value written, read back, cleared`,
    ...write(kind, everything, statusOnly),
    get(kind.read, exactly(`<CustomFields>${written.join('')}</CustomFields>`)),
    ...write(kind, cleared, statusOnly),
    get(kind.read, exactly(`<CustomFields>${held(508, 'Agreed', '<Boolean>true</Boolean>')}</CustomFields>`)),
    ...write(kind, fields(id(508, '<Boolean>no</Boolean>'), uuid(503, '<Number>007</Number>')), statusOnly),
    get(kind.read, ok('<Boolean>false</Boolean>', '<Number>7</Number>')),
    ...write(kind, fields(`<ID>503</ID>${uuid(503, '<Number/>')}`), statusOnly),
  ),
  studio(
    `${kind.name}: nobody`,
    get(kind.unknown, refused(kind.words)),
    get(kind.unknown.replace(/\/[^/]+\/customfield$/, '/x/customfield'), refused(kind.words)),
    put(
      kind.unknown.replace('/get/', kind.writes[0]?.includes('/update/') === true ? '/update/' : '/get/'),
      everything,
      refused(kind.words),
    ),
  ),
];

const REMARK = 'client.api/update/1000000/customfield';

export const customFields: Table = {
  title: 'custom fields',
  seed: [studioSeed],
  cases: [
    studio(
      'the definitions, of every type',
      get(
        'customfield.api/definition',
        ok(
          `<CustomFieldDefinitions><CustomFieldDefinition><ID>501</ID><UUID>${fieldUuid(501)}</UUID><Name>Remark</Name><Type>Text</Type><LinkUrl></LinkUrl><Options></Options><UseClient>true</UseClient>`,
          '<LinkUrl>https://example.org/?q={value}&amp;x=1</LinkUrl>',
          '<Options>Red\nGrün\na &lt; b</Options>',
          '<UseJobTime>false</UseJobTime><ValueElement>Text</ValueElement>',
          '<ValueElement>Boolean</ValueElement>',
          '<ValueElement>Date</ValueElement>',
          '<ValueElement>Decimal</ValueElement>',
          '<ValueElement>Number</ValueElement>',
        ),
      ),
      get('customfield.api/definition/', ok('<ID>501</ID>')),
    ),
    studio(
      'the values of a client, in the order of the definitions',
      get(
        'client.api/get/1000000/customfield',
        exactly(
          `<CustomFields>${[held(501, 'Remark', '<Text>Zoë &amp; Co &lt;3</Text>'), held(503, 'Count', '<Number>0</Number>'), held(504, 'Rate', '<Decimal>12.50</Decimal>'), held(505, 'Due', '<Date>2027-02-28T00:00:00</Date>'), held(506, 'Choice', '<Text>Grün</Text>'), held(507, 'Link', '<Text>4711</Text>'), held(508, 'Agreed', '<Boolean>true</Boolean>')].join('')}</CustomFields>`,
        ),
      ),
    ),
    ...kinds.flatMap(ofKind),
    studio(
      'a write of one field leaves the others',
      put(REMARK, fields(uuid(501, '<Text>changed</Text>')), statusOnly),
      get(
        'client.api/get/1000000/customfield',
        without(ok('<Text>changed</Text>', '<Decimal>12.50</Decimal>'), 'Zoë'),
      ),
    ),
    studio(
      'values that are none change nothing',
      put(
        REMARK,
        fields(uuid(501, '<Text>lost</Text>'), uuid(503, '<Number>many</Number>')),
        refused('Invalid value for custom field Count'),
      ),
      put(
        REMARK,
        fields(uuid(504, '<Decimal>1,5</Decimal>')),
        refused('Invalid value for custom field Rate'),
      ),
      put(REMARK, fields(uuid(505, '<Date>tomorrow</Date>')), refused('Invalid value for custom field Due')),
      put(REMARK, fields(uuid(506, '<Text>Blue</Text>')), refused('Invalid value for custom field Choice')),
      put(
        REMARK,
        fields(uuid(508, '<Boolean>perhaps</Boolean>')),
        refused('Invalid value for custom field Agreed'),
      ),
      get('client.api/get/1000000/customfield', without(ok('<Text>changed</Text>'), 'lost')),
    ),
    studio(
      'an element that is not the one of the definition',
      put(
        REMARK,
        fields(uuid(503, '<Text>3</Text>')),
        refused('The custom field Count takes exactly one value element, Number'),
      ),
      put(
        REMARK,
        fields(uuid(503, '<Number>3</Number><Text>3</Text>')),
        refused('The custom field Count takes exactly one value element, Number'),
      ),
      put(
        REMARK,
        fields(uuid(503, '')),
        refused('The custom field Count takes exactly one value element, Number'),
      ),
    ),
    studio(
      'a field that is none, or not of this kind of record',
      put(
        REMARK,
        fields('<UUID>5f5f5f5f-0000-4000-8000-000000000599</UUID><Text>x</Text>'),
        refused(UNKNOWN_FIELD),
      ),
      put(REMARK, fields('<ID>599</ID><Text>x</Text>'), refused(UNKNOWN_FIELD)),
      put(REMARK, fields('<ID>abc</ID><Text>x</Text>'), refused(UNKNOWN_FIELD)),
      put('job.api/update/J000101/customfield', fields(uuid(509, '<Text>x</Text>')), refused(UNKNOWN_FIELD)),
      put(REMARK, fields(uuid(509, '<Text>x</Text>')), statusOnly),
    ),
    studio(
      'no field at all',
      put(REMARK, fields('<Text>x</Text>'), missing('/CustomFields/CustomField/UUID')),
      put(REMARK, '<CustomFields/>', missing('/CustomFields/CustomField')),
      put(REMARK, '', missing('/CustomFields/CustomField')),
      put(REMARK, '<Fields><CustomField/></Fields>', missing('/CustomFields/CustomField')),
    ),
    studio(
      'number and UUID that contradict each other',
      put(REMARK, fields(`<ID>502</ID>${uuid(501, '<Text>x</Text>')}`), refused(UNKNOWN_FIELD)),
    ),
    studio(
      'a UUID in upper case',
      put(REMARK, fields(`<UUID>${fieldUuid(501).toUpperCase()}</UUID><Text>upper</Text>`), statusOnly),
      get('client.api/get/1000000/customfield', ok('<Text>upper</Text>')),
    ),
  ],
};
