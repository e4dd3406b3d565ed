import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { pageOf } from '../../http/page.ts';
import { invalidValue, Refusal } from '../../refusal.ts';
import { readMoment } from '../../../tables/values.ts';
import { clients } from './view.ts';

/** Lists clients by number, always with archived ones; the organisation's switch decides on deleted ones. */
async function list(call: XmlCall): Promise<Answer> {
  const since = call.query('modifiedsince')?.trim();
  const modifiedSince = since ? readMoment(since) : undefined;
  if (since && modifiedSince === undefined) throw invalidValue('modifiedsince');
  const selection = { modifiedSince, withDeleted: call.switches.listDeleted };
  return clients.list(call, selection, { page: pageOf(call, CLIENTS_PER_PAGE) });
}

const CLIENTS_PER_PAGE = 100;

/** Searches the stored text of a client (name, contact names, e-mail, phone, export code): `searchText`. */
async function search(call: XmlCall): Promise<Answer> {
  const text = call.query('query')?.trim();
  if (!text) throw new Refusal('The parameter query is required');
  return clients.list(call, { search: text });
}

export const clientReads: readonly Operation[] = methods([
  ['GET', 'client.list', 'client.api/list', list],
  ['GET', 'client.search', 'client.api/search', search],
  ['GET', 'client.get', 'client.api/get/{id}', clients.get],
]);
