import { describe, expect, it } from '@jest/globals';
import { unifiedDiff } from '../../src/proof/verify/report/diff.ts';
import { edited, withVerified } from '../../src/proof/verify/report/edits.ts';

const text = `methods:
  client.list:
    route: v3
    evidence: { v3: specified, v2: observed } # seen
    v2:
      steps: [{ call: "GET /v2/clients/{client}/documents" }]
records:
  Client:
    # A comment stays.
    Phone:    { v2: contactDetails.phone }
    Manager:  { one: Staff, v2: [clientManager, "managerUUID@staff.name"] }
`;

describe('an edit of a mapping file', () => {
  it('renames a key in every path of a record that contains it, and leaves the rest unchanged', () => {
    const changed = edited(text, {
      file: '',
      at: ['records', 'Client'],
      change: 'path',
      behind: [],
      from: 'contactDetails',
      to: 'details',
    });
    expect(changed).toBe(text.replace('contactDetails.phone', 'details.phone'));
  });

  it('renames a part of a URL after an identifier', () => {
    const changed = edited(text, {
      file: '',
      at: ['methods'],
      change: 'call',
      from: ['clients', '*', 'documents'],
      to: 'files',
    });
    expect(changed).toContain('GET /v2/clients/{client}/files');
  });

  it("renames a key in placeholders for a step's reply, in search keys, and where it has moved", () => {
    const steps =
      'steps:\n  - { name: found, find: { number: "{number}" } }\n  - { call: "GET /v2/jobs/{found.number}", v2: a.fax }\n';
    const renaming = { file: '', behind: [], from: 'number', to: 'no' } as const;
    const found = edited(steps, { ...renaming, at: ['steps'], change: 'placeholder', step: 'found' });
    const searched = edited(found, { ...renaming, at: ['steps', 0, 'find'], change: 'path', keys: true });
    const moving = { file: '', behind: ['a'], from: 'fax', to: 'fax', moved: ['b', 'c'] } as const;
    expect(edited(searched, { ...moving, at: ['steps'], change: 'path' })).toBe(
      'steps:\n  - { name: found, find: { no: "{number}" } }\n  - { call: "GET /v2/jobs/{found.no}", v2: b.c.fax }\n',
    );
  });

  it('adds a field to a list once, an entry to a map that may be missing, and a synonym', () => {
    const table = 'staff: { keep: [uuid, firstName], unknown: Invalid staff identifier }\n';
    const item = { file: '', at: ['staff', 'keep'], change: 'item', to: 'givenName' } as const;
    const kept = edited(edited(table, item), item);
    const entry = { file: '', at: ['staff'], change: 'entry', map: 'called', key: 'firstName' } as const;
    const called = edited(kept, { ...entry, to: 'givenName' });
    const words = {
      file: '',
      at: [],
      change: 'words',
      from: 'Invalid staff identifier',
      to: 'Nobody',
    } as const;
    expect(edited(called, words)).toBe(
      'staff: { called: { firstName: givenName }, keep: [uuid, firstName, givenName], unknown: Nobody }\n',
    );
  });

  it('adds a key to a row, and renames the row', () => {
    const at = ['records', 'Client', 'Phone'];
    const added = edited(text, { file: '', at, change: 'set', key: 'v3', to: 'Telephone' });
    expect(edited(added, { file: '', at, change: 'key', to: 'Tel' })).toContain(
      '    Tel:    { v3: Telephone, v2: contactDetails.phone }',
    );
  });

  it('records a date below the evidence, and replaces it later', () => {
    const once = withVerified(text, { 'client.list': { v3: '2026-11-25' } });
    expect(once).toContain('# seen\n    verified: { v3: 2026-11-25 }\n');
    const twice = withVerified(once, { 'client.list': { v2: '2026-11-26' } });
    expect(twice).toContain('verified: { v3: 2026-11-25, v2: 2026-11-26 }');
  });
});

describe('a unified diff', () => {
  it('has three lines around each change, and joins changes that are near', () => {
    const before = Array.from({ length: 12 }, (_, at) => `line ${at}\n`).join('');
    const after = before.replace('line 2\n', 'second\n').replace('line 5\n', 'line 5\nmore\n');
    expect(unifiedDiff('a.yaml', before, after)).toBe(
      '--- a/a.yaml\n+++ b/a.yaml\n@@ -1,9 +1,10 @@\n line 0\n line 1\n-line 2\n+second\n line 3\n line 4\n line 5\n+more\n line 6\n line 7\n line 8\n',
    );
    expect(unifiedDiff('a.yaml', before, before)).toBe('');
  });
});
