import { afterEach, describe, expect, it } from '@jest/globals';
import { dropFolders, edited, faultsOf, lineOf } from './faulty.ts';

afterEach(dropFolders);

const client = 'client.yaml';
const job = 'job.yaml';
const group = 'clientgroup.yaml';
const tables = 'v2.yaml';

/** `at`: where the fault is told, if not where the edit is. */
type Case = readonly [fault: string, file: string, find: string, put: string, rule: RegExp, at?: string];

const getClient = '        - call: GET /v2/clients/{client}\n';
const changed = '        - call: PUT /v2/clients/{body.ID}\n';
const addresses = 'body: { keep: { addresses: "{before.addresses}" } }';
const kept = (body: string): string => `body: ${body}`;

const rows: readonly Case[] = [
  ['a way that is none', client, 'v2: contactDetails.fax', 'v2: "contactDetails..fax"', /\.Fax\.v2: /],
  [
    'a look-up table nobody has',
    client,
    'jobManagerUUID@staff"',
    'jobManagerUUID@stuff"',
    /JobManager\.v2: the look-up table stuff is not in v2\.yaml$/,
  ],
  [
    'a field that its table does not keep',
    client,
    '"uuid@contactCard.mobile"',
    '"uuid@contactCard.pager"',
    /Mobile\.v2: the look-up table contactCard keeps no pager$/,
  ],
  [
    'via a table nobody has',
    job,
    'v2: statusUUID, via: jobStatuses.name',
    'v2: statusUUID, via: jobStates.name',
    /State\.v2: the look-up table jobStates is not in v2\.yaml$/,
  ],
  [
    'via a field that its table does not keep',
    job,
    'v2: statusUUID, via: jobStatuses.name',
    'v2: statusUUID, via: jobStatuses.title',
    /State\.v2: the look-up table jobStatuses keeps no title$/,
  ],
  [
    'via a table that costs a call each',
    job,
    'v2: statusUUID, via: jobStatuses.name',
    'v2: statusUUID, via: jobCard.name',
    /State\.v2: jobCard is no list that could be looked through$/,
  ],
  [
    'via without a place',
    job,
    'v2: statusUUID, via: jobStatuses.name',
    'via: jobStatuses.name',
    /State\.v2: via, values, needed, filled and empty go with v2$/,
  ],
  [
    'via of an identifier',
    'customfield.yaml',
    'v2: uuid, via: customFields.uuid',
    'id: customfield, v2: uuid, via: customFields.uuid',
    /UUID\.v2: an identifier needs no via$/,
  ],
  [
    'a place that is lost',
    client,
    'v2: contactDetails.fax',
    'v2: contactDetails.fax, lost: nobody faxes',
    /Fax\.v2: what has a place is not lost$/,
  ],
  [
    'a record with the words of a value',
    client,
    'v2: contacts }',
    'v2: contacts, absent: none }',
    /Contacts\.v2: via, values, needed, filled, empty and absent belong to a value$/,
  ],
  [
    'all ways of a record',
    client,
    'v2: [clientManager, "clientManagerUUID@staff"]',
    'v2: { all: [clientManager, "clientManagerUUID@staff"] }',
    /AccountManager\.v2: all belongs to a value$/,
  ],
  [
    'misfit without if',
    client,
    'v2: contactDetails.fax',
    'v2: contactDetails.fax, misfit: no fax',
    /Fax\.v2: misfit goes with if$/,
  ],
  [
    'misfit with braces around no way',
    'customfield.yaml',
    'The custom field {uuid@customFields.name} takes exactly one value element, Date',
    'The custom field {..} takes a day',
    /Date\.v2: misfit: what stands in braces is not a path$/,
  ],
  [
    'a request in a format for replies',
    client,
    'BusinessStructure:   { v2: businessStructureUuid, via: businessStructures.name }',
    'BusinessStructure:   { v2: businessStructureUuid, as: documentLink }',
    /BusinessStructure: the format documentLink is for replies only$/,
  ],
  [
    'a request through a look-up',
    client,
    'BusinessStructure:   { v2: businessStructureUuid, via: businessStructures.name }',
    'BusinessStructure:   { v2: businessStructureUUID@businessStructures.name }',
    /BusinessStructure: nothing can be put there/,
  ],
  [
    'only in some answers nobody knows',
    client,
    'v2: notes, only: detailed',
    'v2: notes, only: sometimes',
    /Notes\.only: /,
  ],
];

const steps: readonly Case[] = [
  [
    'a key nobody knows',
    client,
    getClient,
    `${getClient}          colour: red\n`,
    /^methods\.client\.get\.v2\.steps\.0/,
  ],
  [
    'a verb nobody knows',
    client,
    getClient,
    '        - call: FETCH /v2/clients/{client}\n',
    /^methods\.client\.get\.v2\.steps\.0/,
  ],
  [
    'a call beside V2',
    client,
    getClient,
    '        - call: GET /v3/clients/{client}\n',
    /^methods\.client\.get\.v2\.steps\.0/,
  ],
  [
    'a call that climbs',
    client,
    getClient,
    '        - call: GET /v2/clients/../{client}\n',
    /steps\.0: call: the address is not one$/,
  ],
  [
    'a call with an empty part',
    client,
    getClient,
    '        - call: GET /v2/clients//{client}\n',
    /steps\.0: call: the address is not one$/,
  ],
  [
    'a call with its query',
    client,
    getClient,
    '        - call: GET /v2/clients/{client}?x=1\n',
    /steps\.0: call: the address is not one$/,
  ],
  [
    'a template that is not closed',
    client,
    getClient,
    '        - call: GET /v2/clients/{client\n',
    /^methods\.client\.get\.v2\.steps\.0/,
  ],
  [
    'a place nobody fills',
    client,
    getClient,
    '        - call: GET /v2/clients/{customer}\n',
    /steps\.0\.call: \{customer\}: neither part of the path nor an earlier step$/,
  ],
  [
    'a part of the path with parts',
    client,
    getClient,
    '        - call: GET /v2/clients/{client.uuid}\n',
    /\{client\.uuid\}: a part of the path holds nothing further$/,
  ],
  [
    'a step that comes later',
    client,
    '/v2/clients/{body.ID}\n          query: { includes: addresses }',
    '/v2/clients/{after.uuid}\n          query: { includes: addresses }',
    /\{after\.uuid\}: neither part/,
    '/v2/clients/{after.uuid}',
  ],
  [
    'a parameter nobody has',
    client,
    'name: "{query.query}"',
    'name: "{query.text}"',
    /\{query\.text\}: no such parameter$/,
  ],
  [
    'a format nobody knows',
    client,
    'updatedSince: "{query.modifiedsince|date}"',
    'updatedSince: "{query.modifiedsince|day}"',
    /\{query\.modifiedsince\|day\}: day is no format$/,
  ],
  [
    'a format for replies',
    client,
    'updatedSince: "{query.modifiedsince|date}"',
    'updatedSince: "{query.modifiedsince|isSet}"',
    /the format isSet is for replies only$/,
  ],
  [
    'an element nobody sends',
    client,
    changed,
    '        - call: PUT /v2/clients/{body.Identity}\n',
    /\{body\.Identity\}: no such element in the request$/,
  ],
  [
    'an element in another case than its row',
    client,
    changed,
    '        - call: PUT /v2/clients/{body.id}\n',
    /\{body\.id\}: no such element in the request$/,
  ],
  [
    'an element deep within that is none',
    client,
    'call: POST /v2/clients/{body.Client.ID}/contacts',
    'call: POST /v2/clients/{body.Client.Id}/contacts',
    /\{body\.Client\.Id\}: no such element in the request$/,
  ],
  [
    'an item without each',
    group,
    '        - each: "{body.add}"',
    '        - when: "{body.add}"',
    /\{item\.id\}: the step has no each$/,
    '{item.id}',
  ],
  [
    'a default nobody has',
    job,
    '"{default.priority}"',
    '"{default.colour}"',
    /\{default\.colour\}: no such default in v2\.yaml$/,
  ],
  [
    'the first of a table that is none',
    job,
    '"{first.jobStatuses.uuid}"',
    '"{first.phases.uuid}"',
    /\{first\.phases\.uuid\}: no such look-up list in v2\.yaml$/,
  ],
  [
    'a field the first of a table has not',
    job,
    '"{first.jobStatuses.uuid}"',
    '"{first.jobStatuses.colour}"',
    /the look-up table jobStatuses keeps no colour$/,
  ],
  [
    'a day beyond all days',
    job,
    'startDate: "{today}"',
    'startDate: "{today+999999999}"',
    /\{today\+999999999\}: neither/,
  ],
  [
    'a name that is a part of the path',
    client,
    '        - name: before\n          call: GET /v2/clients/contacts/{contact}',
    '        - name: contact\n          call: GET /v2/clients/contacts/{contact}',
    /steps\.0: contact means something else in templates$/,
  ],
  [
    'a name with a meaning of its own',
    client,
    '        - name: made\n          call: POST /v2/clients\n',
    '        - name: item\n          call: POST /v2/clients\n',
    /steps\.0: item means something else in templates$/,
  ],
  [
    'a name that stands twice',
    client,
    changed,
    `        - name: before\n${changed.replace('- ', '  ')}`,
    /steps\.1: there is a step named before already$/,
    '        - name: before\n          call: PUT',
  ],
  [
    'a look-up that no method may use so',
    client,
    '      lookups: [contactCard]\n      toV3:',
    '      lookups: [contacts]\n      toV3:',
    /lookups: contacts is no look-up table that costs a call for each record$/,
    'lookups: [contacts]',
  ],
  [
    'an element that no request has, in what V3 answers instead',
    'staff.yaml',
    '{ emptied: Email, why',
    '{ emptied: Mail, why',
    /toV3: no element Mail in the request$/,
  ],
  [
    'a day that no request has, in what V3 answers instead',
    job,
    'reversed: [StartDate, DueDate], why',
    'reversed: [StartDate, EndDate], why',
    /toV3: no element EndDate in the request$/,
  ],
  [
    'a required parameter in another case',
    client,
    'requires: [query]',
    'requires: [Query]',
    /requires: Query is not a parameter$/,
  ],
  [
    'passes of one record',
    client,
    getClient,
    `${getClient}          passes: [{ a: b }, { a: c }]\n`,
    /steps\.0: passes go with pages or find$/,
  ],
  ['pages of a write', client, changed, `${changed}          pages: true\n`, /steps\.1: pages go with GET$/],
  [
    'something to find in a write',
    client,
    changed,
    `${changed}          find: { uuid: x }\n`,
    /steps\.1: find, within and passes go with GET$/,
  ],
  [
    'a list within a record, and nothing to find',
    client,
    getClient,
    `${getClient}          within: contacts\n`,
    /steps\.0: within goes with find$/,
  ],
  [
    'details nobody can ask for',
    client,
    getClient,
    `${getClient}          detailed: { a: b }\n`,
    /steps\.0: detailed: the call has no such parameter$/,
  ],
  [
    'a question with a body',
    client,
    getClient,
    `${getClient}          body: { of: none }\n`,
    /steps\.0: a body goes with POST or PUT$/,
  ],
  [
    'among with a query',
    'time.yaml',
    'among: "{job.tasks}"',
    'among: "{job.tasks}"\n          query: { a: b }',
    /among: nobody is asked: among goes with find alone$/,
    'among: "{job.tasks}"',
  ],
  [
    'a body of a call without one',
    client,
    '          call: GET /v2/clients/contacts/{contact}\n        - call: DELETE',
    '          call: PUT /v2/clients/contacts/{contact}\n          body: {}\n        - call: DELETE',
    /body: the call has no body: of: none$/,
    'body: {}\n        - call: DELETE',
  ],
  [
    'a record of a body that is missing',
    client,
    addresses,
    kept('{ of: Clientele }'),
    /body\.of: the record Clientele is missing$/,
  ],
  [
    'a part of the request nobody sends',
    client,
    addresses,
    kept('{ at: Adress }'),
    /body: at: no such element in the request$/,
  ],
  [
    'keep what the request has no word for',
    client,
    addresses,
    kept('{ keep: { phones: "{before.phones}" } }'),
    /body: keep: the request has nothing to say of it$/,
  ],
  [
    'a place where nothing can be put',
    client,
    addresses,
    kept('{ set: { "tags[*a=b]": x } }'),
    /body: set, defaults, keep and lists: nothing can be put there$/,
  ],
  [
    'a form without a file',
    client,
    addresses,
    kept('{ form: multipart }'),
    /body: a form needs a row for file and one for fileName$/,
  ],
];

const replies: readonly Case[] = [
  [
    'from a step nobody made',
    client,
    'reply: { from: before }',
    'reply: { from: last }',
    /reply\.from: there is no step named last$/,
  ],
  [
    'a condition on one record',
    client,
    '      reply: { from: before }',
    '      reply: { from: before, where: [{ path: name, is: x }] }',
    /reply: where belongs to a list$/,
  ],
  [
    'a page of a list without a total',
    client,
    'reply: { at: documents }',
    'reply: { at: documents, page: { number: "1", size: 5 } }',
    /reply: page belongs to a list with a total$/,
  ],
  [
    'a condition that says nothing',
    client,
    'where: [{ path: updatedAt, from: "{query.modifiedsince|utcDateTime}" }]',
    'where: [{ path: updatedAt }]',
    /reply\.where\.0: a condition says is, not, from, to or contains$/,
  ],
  [
    'a condition through a table nobody has',
    client,
    'where: [{ path: updatedAt,',
    'where: [{ path: updatedAt@stuff,',
    /reply\.where\.0: the look-up table stuff is not in v2\.yaml$/,
  ],
  [
    'a condition in a format nobody knows',
    client,
    'where: [{ path: updatedAt,',
    'where: [{ path: updatedAt, as: gold,',
    /where\.0\.as: /,
  ],
  [
    'a place through a table nobody has',
    client,
    'reply: { at: documents }',
    'reply: { at: uuid@stuff }',
    /reply: the look-up table stuff is not in v2\.yaml$/,
  ],
  [
    'V2 by default where there is no way',
    client,
    '    route: v3\n    evidence: { v3: specified }\n    v3: PUT client.api/archive',
    '    route: v2\n    evidence: { v3: specified }\n    v3: PUT client.api/archive',
    /client\.archive\.route: the method has no steps for V2, so it cannot be routed there$/,
    '    route: v2\n',
  ],
];

const cases: readonly Case[] = [
  ['a table nobody can read', tables, 'list: /v2/staff,', 'list: staff,', /lookups\.staff/],
  [
    'a table whose address climbs',
    tables,
    'list: /v2/staff,',
    'list: /v2/../staff,',
    /^lookups\.staff: the address is not one$/,
  ],
  [
    'a table of single records without a key',
    tables,
    'record: "/v2/jobs/{key}"',
    'record: "/v2/jobs/{uuid}"',
    /lookups\.jobCard/,
  ],
  [
    'a table within a table nobody has',
    tables,
    'within: phases',
    'within: uuid@stuff',
    /^lookups\.phases: the look-up table stuff is not in v2\.yaml$/,
  ],
  [
    'a table that keeps nothing',
    tables,
    '{ list: /v2/staff, keep: [uuid, firstName, lastName],',
    '{ list: /v2/staff, keep: [],',
    /lookups\.staff/,
  ],
  [
    'a family nobody has, whose writes would change a list',
    tables,
    'families: [staff.api]',
    'families: [stuff.api]',
    /lookups\.staff\.families: there is no family stuff\.api$/,
  ],
  ['a family that is none', tables, 'families: [staff.api]', 'families: [staff]', /lookups\.staff/],
  ['a default that is a list', tables, 'priority: Normal ', 'priority: [Normal] ', /defaults\.priority/],
  ['a time that is none', tables, 'keepSeconds: 300', 'keepSeconds: soon', /keepSeconds: /],
];

const all = [...rows, ...steps, ...replies, ...cases].map(([fault, file, find, put, rule, at = put]) => ({
  fault,
  file,
  find,
  put,
  rule,
  at,
}));

describe('a fault in the V2 half of a mapping stops the start and names file, line and rule', () => {
  it.each(all)('$fault', ({ file, find, put, rule, at }) => {
    const folder = edited({ file, find, put });
    const faults = faultsOf(folder);
    const fault = faults.find((candidate) => rule.test(candidate.rule));
    expect({ faults, found: fault !== undefined }).toMatchObject({ found: true });
    expect(fault?.file).toBe(file);
    const from = lineOf(folder, file, at);
    const to = from + at.trimEnd().split('\n').length - 1;
    expect(fault?.line).toBeGreaterThanOrEqual(from);
    expect(fault?.line).toBeLessThanOrEqual(to);
  });
});
