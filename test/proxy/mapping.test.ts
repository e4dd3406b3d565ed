import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { loadMapping, v3Name } from '../../src/mapping/compile/compile.ts';
import { dropFolders, edited, faultsOf, lineOf, type Edit } from './faulty.ts';
import { mappings } from './world.ts';

afterEach(dropFolders);

const client = 'client.yaml';

const cases: readonly (Edit & { readonly fault: string; readonly rule: RegExp; readonly at?: string })[] = [
  {
    fault: 'a format nobody knows',
    file: client,
    find: 'CostMarkup:          { as: money',
    put: 'CostMarkup:          { as: gold',
    rule: /^records\.ClientType\.CostMarkup\.as: .*"money"/,
  },
  {
    fault: 'a record that is missing',
    file: client,
    find: 'reply: { one: Client, of: Client, inDetail: true }',
    put: 'reply: { one: Client, of: Clientele }',
    rule: /^methods\.client\.get\.reply\.of: the record Clientele is missing$/,
  },
  {
    fault: 'a nested record that is missing',
    file: client,
    find: 'Type:                { one: ClientType',
    put: 'Type:                { one: Sort',
    rule: /^records\.Client\.Type\.one: the record Sort is missing$/,
  },
  {
    fault: 'a method that stands twice',
    file: client,
    find: '  client.search:',
    put: '  client.list:',
    at: '  client.list:\n    summary: Clients that match',
    rule: /^the same name stands twice$/,
  },
  {
    fault: 'a call that belongs to another method',
    file: client,
    find: 'legacy: GET client.api/search',
    put: 'legacy: GET client.api/list',
    at: 'legacy: GET client.api/list\n    query: { query',
    rule: /^GET client\.api\/list belongs to client\.list already$/,
  },
  {
    fault: 'a call that only differs in the name of its placeholder',
    file: 'customfield.yaml',
    find: 'legacy: GET lead.api/get/{lead}/customfield',
    put: 'legacy: GET time.api/get/{lead}/customfield',
    rule: /^GET time\.api\/get\/\{\}\/customfield belongs to customfield\.time\.get already$/,
  },
  {
    fault: 'a writing method that says nothing of how its outcome is looked up',
    file: client,
    find: '    settle: { gone: "GET client.api/get/{body.ID}", is: { IsDeleted: "Yes" } }\n',
    put: '',
    at: '    summary: Deletes a client\n',
    rule: /^methods\.client\.delete\.settle: it is not said how an unknown outcome is looked up/,
  },
  {
    fault: 'a reading method with an outcome to look up',
    file: client,
    find: 'reply: { list: Clients, element: Client, of: Client }',
    put: 'settle: { none: A read has no outcome. }\n    reply: { list: Clients, element: Client, of: Client }',
    at: 'settle: { none: A read',
    rule: /^methods\.client\.list\.settle: a read has no outcome to settle$/,
  },
  {
    fault: 'an outcome that is looked up by a read that is none',
    file: client,
    find: 'gone: "GET client.api/get/{body.ID}"',
    put: 'gone: "GET client.api/show/{body.ID}"',
    rule: /^methods\.client\.delete\.settle\.gone: GET client\.api\/show\/\{body\.ID\} is no read of the mapping$/,
  },
  {
    fault: 'an element that is neither compared nor left out on purpose',
    file: client,
    find: 'by: [Title], besides: [FileName, Content], fills: [Folder]',
    put: 'by: [Title], besides: [FileName], fills: [Folder]',
    rule: /^methods\.client\.document\.add\.settle\.same: Content is neither compared nor among besides$/,
  },
  {
    fault: 'a parameter that the read does not have',
    file: client,
    find: 'query: { modifiedsince: "{since}", detailed: "true" }',
    put: 'query: { changedsince: "{since}", detailed: "true" }',
    rule: /^methods\.client\.add\.settle\.query: changedsince is not a parameter of client\.list$/,
  },
  {
    fault: 'an element to look up by that the message does not have',
    file: client,
    find: 'at: Contacts, by: [Name]',
    put: 'at: Contacts, by: [Nickname]',
    rule: /^methods\.client\.contact\.add\.settle\.by: Nickname is not compared$/,
  },
  {
    fault: 'a key nobody knows in a row',
    file: client,
    find: 'Email:               { unset: omit',
    put: 'Email:               { unset: omit, colour: red',
    at: '{ unset: omit, colour: red',
    rule: /^records\.Client\.Email: .*colour/,
  },
  {
    fault: 'words for an unknown identifier where there is none',
    file: 'lead.yaml',
    find: 'id: staff, required: true, unknown',
    put: 'required: true, unknown',
    at: '{ required: true, unknown',
    rule: /^records\.NewLead\.OwnerID: unknown goes with id$/,
  },
  {
    fault: 'a step that neither calls nor looks among what is there',
    file: 'time.yaml',
    find: 'among: "{job.tasks}"',
    put: 'says: nothing was done',
    at: '- name: task\n          says: nothing was done',
    rule: /^methods\.time\.add\.v2\.steps\.1: a step has a call, or looks among what is there$/,
  },
  {
    fault: 'a step that calls and looks among what is there',
    file: 'time.yaml',
    find: 'missing: Invalid task identifier',
    put: 'call: GET /v2/jobs/{body.Job}',
    at: '- name: task\n          among: "{job.tasks}"',
    rule: /^methods\.time\.add\.v2\.steps\.1: a step has a call, or looks among what is there$/,
  },
  {
    fault: 'a look among what is there for nothing in particular',
    file: 'time.yaml',
    find: 'find: { uuid: "{body.Task}" }',
    put: 'query: { uuid: "{body.Task}" }',
    at: 'among: "{job.tasks}"',
    rule: /^methods\.time\.add\.v2\.steps\.1\.among: among goes with find$/,
  },
  {
    fault: 'a page that no parameter names',
    file: 'cost.yaml',
    find: 'page: { number: "{query.page}", size: 100 }',
    put: 'page: { number: "{query.leaf}", size: 100 }',
    rule: /^methods\.cost\.list\.v2\.reply\.page\.number: \{query\.leaf\}: no such parameter$/,
  },
  {
    fault: 'a question before a step that refers to what is not there',
    file: 'job.yaml',
    find: 'find: { uuid: "{item.task-id}" }',
    put: 'find: { uuid: "{found.uuid}" }',
    rule: /^methods\.job\.assign\.v2\.steps\.2\.before\.find: \{found\.uuid\}: neither part of the path nor an earlier step$/,
  },
  {
    fault: 'an entry of a list that refers to what is not there',
    file: 'job.yaml',
    find: 'with: { uuid: "{item.id}"',
    put: 'with: { uuid: "{some.id}"',
    at: 'of: none\n            lists: { staff: { of: "{task.staffs}", take: [uuid, allocatedTime], with: { uuid: "{some.id}"',
    rule: /^methods\.job\.assign\.v2\.steps\.2\.body: \{some\.id\}: neither part of the path nor an earlier step$/,
  },
  {
    fault: 'the first entry of a list nobody knows',
    file: 'job.yaml',
    find: '"{first.jobStatuses.uuid}"',
    put: '"{first.jobStates.uuid}"',
    at: 'statusUUID: ["{first.jobStatuses[type=planned].uuid}", "{first.jobStates.uuid}"',
    rule: /^methods\.job\.add\.v2\.steps\.0\.body\.defaults\.statusUUID: \{first\.jobStates\.uuid\}: no such look-up list in v2\.yaml$/,
  },
  {
    fault: 'a route nobody knows',
    file: 'uuid.yaml',
    find: 'route: local',
    put: 'route: nearby',
    rule: /^methods\.uuid\.maps\.route: /,
  },
  {
    fault: 'an answer of its own that the bridge does not have',
    file: 'uuid.yaml',
    find: 'from: idMaps',
    put: 'from: memory',
    rule: /^methods\.uuid\.maps\.from: /,
  },
  {
    fault: 'a call the bridge answers itself that belongs to another method',
    file: 'uuid.yaml',
    find: 'legacy: GET uuid.api/maps',
    put: 'legacy: GET time.api/list',
    rule: /^GET time\.api\/list belongs to time\.list already$/,
  },
  {
    fault: 'a kind nobody knows in a path',
    file: client,
    find: 'legacy: GET client.api/get/{client}',
    put: 'legacy: GET client.api/get/{klient}',
    rule: /the identifier kind klient is not in identifiers\.yaml$/,
  },
  {
    fault: 'a kind nobody knows in a row',
    file: client,
    find: 'ID:                  { id: contact',
    put: 'ID:                  { id: kontact',
    rule: /^records\.Contact\.ID\.id: the identifier kind kontact is not in identifiers\.yaml$/,
  },
  {
    fault: 'two rows that are read under one name',
    file: client,
    find: 'NumberOfShares:      { also: [NumberOfShared] }',
    put: 'NumberOfShares:      { also: [Percentage] }',
    at: 'Percentage:          {}',
    rule: /Percentage is read into NumberOfShares already$/,
  },
  {
    fault: 'a V3 call with two verbs',
    file: client,
    find: 'v3: POST client.api/add\n',
    put: 'v3: POST|PUT client.api/add\n',
    rule: /V3 takes exactly one verb$/,
  },
  {
    fault: 'a write that would be tried elsewhere',
    file: client,
    find: 'v3: POST client.api/add\n',
    put: 'v3: POST client.api/add\n    elsewhere: POST client.api/new\n',
    at: 'POST client.api/new',
    rule: /^methods\.client\.add\.elsewhere: a read is tried on another path, a write with one other verb on the same path$/,
  },
  {
    fault: 'a required parameter that is none',
    file: client,
    find: 'query: { query: text, detailed: flag }',
    put: 'query: { query: text, detailed: flag }\n    requires: [from]',
    at: '[from]',
    rule: /from is not a parameter$/,
  },
  {
    fault: 'a list without its record',
    file: client,
    find: '{ list: Note, of: Note',
    put: '{ list: Note',
    rule: /list and of go together$/,
  },
  {
    fault: 'an attribute that is a list',
    file: 'job.yaml',
    find: 'task-id:             { attribute: true, id: jobTask }',
    put: 'task-id:             { attribute: true, many: TaskKey }',
    rule: /an attribute holds a value$/,
  },
  {
    fault: 'an attribute in a reply',
    file: 'job.yaml',
    find: 'Milestones:          { list: Milestone, of: Milestone,',
    put: 'Milestones:          { list: Milestone, of: Assignment,',
    at: 'reply: { list: Jobs, element: Job, of: Job }',
    rule: /^methods\.job\.current\.reply\.of: attributes belong to requests$/,
  },
  {
    fault: 'records of a list that belong to no list',
    file: 'job.yaml',
    find: 'Client:              { one: ClientReference,',
    put: 'Client:              { one: ClientReference, own: true,',
    rule: /own belongs to a list$/,
  },
  {
    fault: 'a kind nobody knows in the generic rule',
    file: 'identifiers.yaml',
    find: 'Lead: lead',
    put: 'Lead: load',
    rule: /^generic\.records\.Lead: load is no kind$/,
  },
  {
    fault: 'a kind nobody knows deep in the generic rule',
    file: 'identifiers.yaml',
    find: 'clientgroup.api: { id: { v3: uuid, kind: client } }',
    put: 'clientgroup.api: { id: { v3: uuid, kind: klient } }',
    rule: /^generic\.attributes\.clientgroup\.api\.id: klient is no kind$/,
  },
  {
    fault: 'YAML that is none',
    file: client,
    find: 'query: { query: text, detailed: flag }',
    put: 'query: { query: text, detailed: flag',
    at: 'query: { query: text, detailed: flag\n    route',
    rule: /./,
  },
];

describe('a mapping file with a fault stops the start and names file, line and rule', () => {
  it.each(cases)('$fault', ({ file, find, put, rule, at }) => {
    const folder = edited({ file, find, put });
    const faults = faultsOf(folder);
    expect(faults.length).toBeGreaterThan(0);
    const fault = faults.find((candidate) => rule.test(candidate.rule));
    expect({ faults, found: fault !== undefined }).toMatchObject({ found: true });
    expect(fault?.file).toBe(file);
    const line = lineOf(folder, file, at ?? put);
    // A broken bracket is noticed where the next line does not fit.
    expect(Math.abs((fault?.line ?? 0) - line)).toBeLessThanOrEqual(rule.source === '.' ? 1 : 0);
  });

  it('reports the faults of all files together', () => {
    const faults = faultsOf(
      edited(
        { file: client, find: '{ as: money, v2: markup }', put: '{ as: gold }' },
        { file: 'customfield.yaml', find: 'route: v3', put: 'route: v9' },
        { file: 'identifiers.yaml', find: 'kinds:', put: 'sorts:' },
      ),
    );
    expect(new Set(faults.map(({ file }) => file))).toEqual(
      new Set([client, 'customfield.yaml', 'identifiers.yaml']),
    );
  });

  it('reports a missing folder or file as a fault, too', () => {
    const folder = edited();
    rmSync(join(folder, 'identifiers.yaml'));
    expect(faultsOf(folder)).toEqual([{ file: 'identifiers.yaml', line: 1, rule: 'it cannot be read' }]);
    expect(faultsOf(join(folder, 'nowhere'))).toEqual([
      { file: 'nowhere', line: 1, rule: 'it cannot be read' },
    ]);
  });

  it('reports each fault in one line', () => {
    const folder = edited({ file: client, find: '{ as: money, v2: markup }', put: '{ as: gold }' });
    expect(() => loadMapping(folder)).toThrow(/^client\.yaml:\d+: records\.ClientType\.CostMarkup\.as: /);
  });
});

describe('the delivered mapping', () => {
  it('has no fault, with UUIDs and with numbers on V3', () => {
    expect(loadMapping(mappings, 'uuid').methods.length).toBe(loadMapping(mappings, 'number').methods.length);
  });

  it('names V3 elements by one rule', () => {
    expect(['ID', 'ClientID', 'AccountManagerID', 'Name', 'Identity'].map(v3Name)).toEqual([
      'UUID',
      'ClientUUID',
      'AccountManagerUUID',
      'Name',
      'Identity',
    ]);
  });

  it.each(loadMapping(mappings).methods.map(({ id, source, summary }) => ({ id, source, summary })))(
    'has a source for $id',
    ({ source, summary }) => {
      expect(source).toMatch(/^(XML specification, |The traffic of legacy programs)/);
      expect(summary).not.toBe('');
    },
  );
});
