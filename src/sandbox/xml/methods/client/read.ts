import type { Selection } from '../../../records/selection.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { ofPath } from '../../record/identify.ts';
import { pageOf, pageScalars, type Page } from '../../http/page.ts';
import { invalidValue, Refusal } from '../../refusal.ts';
import { readFlag, readMoment } from '../../../tables/values.ts';
import { clientWriter, viewClients } from './view.ts';
import { clientAnswer } from './write.ts';

/** Clients in number order, archived ones always among them, deleted ones by the organisation's switch. */
async function list(call: XmlCall): Promise<Answer> {
  const since = call.query('modifiedsince')?.trim();
  const modifiedSince = since ? readMoment(since) : undefined;
  if (since && modifiedSince === undefined) throw invalidValue('modifiedsince');
  const selection = { modifiedSince, withDeleted: call.switches.listDeleted };
  const page = pageOf(call, CLIENTS_PER_PAGE);
  return {
    answer: 'list',
    container: 'Clients',
    ...(page && { scalars: pageScalars(page, await call.records.count('client', selection)) }),
    records: written(call, selection, page),
  };
}

const CLIENTS_PER_PAGE = 100;

/** What it looks through (name, contact names, e-mail, phone, export code) is kept with the client: `searchText`. */
async function search(call: XmlCall): Promise<Answer> {
  const text = call.query('query')?.trim();
  if (!text) throw new Refusal('The parameter query is required');
  return {
    answer: 'list',
    container: 'Clients',
    records: written(call, { search: text, withDeleted: false }, undefined),
  };
}

async function get(call: XmlCall): Promise<Answer> {
  return clientAnswer(call, await ofPath(call, 'client'));
}

async function* written(call: XmlCall, selection: Selection, page: Page | undefined): AsyncGenerator<string> {
  const isDetailed = readFlag(call.query('detailed') ?? '') ?? false;
  const write = clientWriter(call.dialect, call.publicUrl, isDetailed);
  for await (const batch of call.records.select('client', selection, page)) {
    const views = await viewClients(call.records, batch, isDetailed);
    yield views.map(write).join('');
  }
}

export const clientReads: readonly Operation[] = methods([
  ['GET', 'client.list', 'client.api/list', list],
  ['GET', 'client.search', 'client.api/search', search],
  ['GET', 'client.get', 'client.api/get/{id}', get],
]);
