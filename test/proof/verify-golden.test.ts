import { describe, expect, it } from '@jest/globals';
import type { Exchange, Reading, Surface } from '../../src/proof/verify/model.ts';
import { goldenFiles } from '../../src/proof/verify/report/golden.ts';
import { deliveredMapping } from '../support/mapping.ts';

const mapping = deliveredMapping();
const reply = { name: 'Response', attributes: [], children: [], text: '', selfClosing: false };

function firstLine(method: string, surface: Surface, path: string, insteadOf?: string): string | undefined {
  const exchange: Exchange = {
    ...{ surface, verb: 'GET', segments: path.split('/'), insteadOf: insteadOf?.split('/'), query: [] },
    ...{ sent: undefined, status: 200, contentType: 'text/xml', headers: {}, body: '', inMinute: 1 },
  };
  const outcome: Reading['outcome'] = { outcome: 'answered', reply, absent: new Set() };
  const [file] = goldenFiles([{ method, surface, exchanges: [exchange], outcome }], mapping);
  return file?.text.split('\n')[0];
}

describe('the address in a golden file', () => {
  it.each([
    ['job.get', 'v1', 'job.api/get/SMITH-DIVORCE', 'job.api/get/{id}'],
    ['job.get', 'v3', 'job.api/get/SMITH-DIVORCE', 'job.api/get/{id}'],
    ['job.get', 'v2', 'jobs/SMITH-DIVORCE', 'jobs/{id}'],
    ['job.get', 'v3', 'job.api/get/get', 'job.api/get/{id}'],
    ['client.list', 'v2', 'clients', 'clients'],
    ['client.list', 'v2', 'staffs', 'staffs'],
    ['client.get', 'v2', 'clients/contacts/c0', 'clients/contacts/{id}'],
    ['job.get', 'v3', 'job.api/SMITH/DIVORCE/x', 'job.api/{id}/{id}/{id}'],
  ] as const)('has no number that the path of %s contains on %s: %s', (method, surface, path, shown) => {
    expect(firstLine(method, surface, path)).toBe(`GET /${shown}`);
  });

  it('has the word that was found instead of the one in the mapping', () => {
    const found = firstLine('job.get', 'v3', 'job.api/fetch/SMITH-DIVORCE', 'job.api/get/SMITH-DIVORCE');
    expect(found).toBe('GET /job.api/fetch/{id}');
  });
});
