import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { XmlElement } from '../../src/lib/xml/element.ts';
import { Service, type Way } from './four-ways.ts';
import { seed } from './requests.ts';

/**
 * V1 takes an identifier of spaces in a body for none. V2's steps that check an identifier first are left out then, as they
 * are for an empty one.
 */
let service: Service;
beforeAll(async () => {
  service = await Service.open(seed);
});
afterAll(() => service.close());

const textOf = ({ children }: XmlElement, name: string): string | undefined =>
  children.find((child) => child.name === name)?.text;

/** The first text of that name in a reply, however deep. */
const firstIn = (element: XmlElement, name: string): string | undefined =>
  element.name === name
    ? element.text
    : element.children.map((child) => firstIn(child, name)).find((text) => text !== undefined);

describe.each<Way>(['V1', 'V3', 'V2 alone'])('a blank identifier in a body, on %s', (way) => {
  it('is none for the job of a cost, the contact of a lead and the template of a job', async () => {
    const client = firstIn(await service.send(way, 'GET', 'client.api/list'), 'ID');
    const staff = firstIn(await service.send(way, 'GET', 'staff.api/list'), 'ID');
    const job = firstIn(await service.send(way, 'GET', 'job.api/current'), 'ID');
    const added = await service.send(
      way,
      'POST',
      'job.api/cost',
      `<Cost><Job>${job}</Job><Description>Paint</Description><Code>A</Code><Date>20261101</Date><Quantity>1</Quantity><UnitCost>1</UnitCost><UnitPrice>2</UnitPrice><Note>-</Note><Billable>true</Billable></Cost>`,
    );
    expect(textOf(added, 'Status')).toBe('OK');
    const [cost] = await service.records(way, `job.api/costs/${job}`, ['Costs', 'Cost']);
    const id = cost && textOf(cost, 'ID');
    expect(id).toMatch(/^\d+$/);
    const writes = (given: string): readonly [verb: string, path: string, body: string][] => [
      [
        'PUT',
        'job.api/cost',
        `<Cost><ID>${id}</ID><Job>${given}</Job><Description>Primer</Description><Quantity>1</Quantity></Cost>`,
      ],
      [
        'POST',
        'lead.api/add',
        `<Lead><Name>Sign</Name><Description>-</Description><ClientID>${client}</ClientID><ContactID>${given}</ContactID><OwnerID>${staff}</OwnerID></Lead>`,
      ],
      [
        'POST',
        'job.api/add',
        `<Job><Name>Sign</Name><Description>-</Description><ClientID>${client}</ClientID><StartDate>20261101</StartDate><DueDate>20261201</DueDate><TemplateID>${given}</TemplateID></Job>`,
      ],
    ];
    const statuses = async (given: string): Promise<readonly unknown[]> => {
      const said: unknown[] = [];
      for (const write of writes(given)) said.push(textOf(await service.send(way, ...write), 'Status'));
      return said;
    };
    expect(await statuses(' ')).toEqual(['OK', 'OK', 'OK']);
    expect(await statuses('')).toEqual(['OK', 'OK', 'OK']);
    expect(await statuses('999999')).toEqual(['ERROR', 'ERROR', 'ERROR']);
  });
});
