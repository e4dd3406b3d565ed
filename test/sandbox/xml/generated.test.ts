import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readDocument } from '../../../src/lib/xml/read.ts';
import { cases } from './cases.ts';
import { disorder } from './order.ts';
import { Service, textOf } from './service.ts';
import { type Form, rootOf } from './world.ts';

let service: Service;

beforeEach(async () => {
  service = await Service.start();
  await service.seed({ generate: { clients: 12 } });
});

afterEach(async () => {
  await service.stop();
  expect(service.errors).toEqual([]);
});

/** Every list that asks for no record, over all the years a seed has. */
const lists = Object.entries(cases).flatMap(([id, { path, answer }]) => {
  if (typeof answer === 'string' || !('list' in answer) || /\{|J0000|INV-|search/.test(path)) return [];
  return [{ id, path: path.replace(/from=\d+&to=\d+/, 'from=20100101&to=20261231'), ...answer }];
});

describe('the smallest seeds', () => {
  it.each(lists)('have a record for $id, in its element order', async ({ id, path, list, as, of }) => {
    for (const form of ['v1', 'v3'] satisfies Form[]) {
      if (form === 'v3' && id === 'uuid.maps') continue;
      const { text } = await service.call('GET', `${rootOf(form)}/${path}`);
      const container = readDocument(text.replace(/^<\?xml[^>]*>\r\n/, '')).children.at(-1);
      expect(container?.name).toBe(list);
      expect(container?.children.length).toBeGreaterThan(0);
      for (const record of container?.children ?? [])
        expect(disorder(as ?? of, record, form === 'v1' ? 'id' : 'uuid')).toEqual([]);
    }
  });

  it('have a template with contents, which a job receives', async () => {
    const template = textOf(await service.v1('GET', 'template.api/list'), 'ID') ?? '';
    const body = `<Job><Name>N</Name><ClientID>1000000</ClientID><TemplateID>${template}</TemplateID></Job>`;
    const job = await service.v1('POST', 'job.api/add', body);
    expect(job).toMatch(/<Tasks><Task>.*<Milestones><Milestone>/s);
    expect(await service.v1('GET', `job.api/costs/${textOf(job, 'ID') ?? ''}`)).toContain('<Cost>');
  });

  it('have an invoice that is fully paid, and one that is not', async () => {
    const all = await service.v1('GET', 'invoice.api/list?from=20100101&to=20271231');
    expect(all).toMatch(/<AmountOutstanding>0\.00<\/AmountOutstanding><Status>Paid</);
    expect(all).toMatch(/<Status>Approved</);
    expect(all).toMatch(/<Status>Cancelled</);
    for (const [, amount, status] of all.matchAll(
      /<AmountOutstanding>([^<]*)<\/AmountOutstanding><Status>(\w+)/g,
    ))
      expect(amount === '0.00').toBe(status === 'Paid');
  });
});
