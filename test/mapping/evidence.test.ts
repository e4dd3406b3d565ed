import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { FamilySource } from '../../src/mapping/compile/schema.ts';
import { evidenceText, routeEvidence } from '../../src/mapping/evidence.ts';
import { deliveredMapping } from '../support/mapping.ts';

const { methods } = deliveredMapping();

/** The rows as they are written, without those that the bridge answers itself. */
function rows() {
  const folder = join(import.meta.dirname, '..', '..', 'mappings');
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return files.flatMap((file) => {
    const { methods: written } = parse(readFileSync(join(folder, file), 'utf8')) as Partial<FamilySource>;
    return Object.entries(written ?? {}).flatMap(([id, row]) =>
      row.route === 'local'
        ? []
        : [
            {
              id,
              evidence: row.evidence,
              verified: row.verified,
              hasSteps: row.v2 !== undefined && 'steps' in row.v2,
            },
          ],
    );
  });
}

describe('the evidence in the mapping', () => {
  it.each(rows())('for $id is stated for each of its routes', ({ evidence, hasSteps }) => {
    expect(Object.keys(evidence ?? {})).toEqual(hasSteps ? ['v3', 'v2'] : ['v3']);
  });

  it('is compiled as it is written', () => {
    const written = rows().map(({ id, evidence, verified }) => [
      id,
      verified?.v3 === undefined ? evidence?.v3 : 'verified',
      verified?.v2 === undefined ? evidence?.v2 : 'verified',
    ]);
    const compiled = methods.map(({ id, evidence: { v3, v2 } }) => [id, v3, v2]);
    expect(compiled.toSorted()).toEqual(written.toSorted());
  });

  it('is the specification on V3 for client and custom field methods only', () => {
    const specified = rows()
      .filter(({ evidence }) => evidence?.v3 === 'specified')
      .map(({ id }) => id);
    expect(new Set(specified.map((id) => id.split('.', 1)[0]))).toEqual(new Set(['client', 'customfield']));
    expect(specified).toHaveLength(35);
  });

  it('is never the specification on V2, which gives no names', () => {
    expect(rows().filter(({ evidence }) => evidence?.v2 === 'specified')).toEqual([]);
  });

  it('is verified on routes with a date, and a verified write needs no acceptance', () => {
    const given = { evidence: { v3: 'observed', v2: 'assumed' }, verified: { v2: '2026-11-25' } } as const;
    const evidence = routeEvidence(given, true);
    expect(evidence).toEqual({ v3: 'observed', v2: 'verified', verified: { v2: '2026-11-25' } });
    expect(evidenceText(evidence, 'v2')).toContain('2026-11-25');
  });
});
