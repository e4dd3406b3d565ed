import { get, ok, post, studio, without, type Table } from '../case.ts';
import { longLosses } from '../clientLosses.ts';
import { longSeed } from '../seed.ts';

/** V1 has no pages: 263 clients are one list, however many pages V3 gives. */
export const lists: Table = {
  title: 'long lists',
  seed: [longSeed],
  losses: longLosses,
  cases: [
    studio(
      'all clients in one list',
      get(
        'client.api/list',
        without(
          ok(
            '<Clients><Client><ID>1000000</ID>',
            '<ID>1000099</ID>',
            '<ID>1000100</ID>',
            '<ID>1000200</ID>',
            '<ID>1000262</ID>',
          ),
          '<TotalRecords',
          '<Page',
        ),
      ),
    ),
    studio(
      'all clients in detail',
      get('client.api/list?detailed=true', ok('<ID>1000262</ID>', '<Notes />', '<ID>5000262</ID>')),
    ),
    studio(
      'exactly two pages',
      get(
        'client.api/list?modifiedsince=2026-03-05T00:00:00',
        without(ok('<ID>1000063</ID>', '<ID>1000262</ID>'), '<ID>1000062</ID>'),
      ),
    ),
    studio(
      'exactly one page',
      get(
        'client.api/list?modifiedsince=2026-06-13T00:00:00',
        without(ok('<ID>1000163</ID>', '<ID>1000262</ID>'), '<ID>1000162</ID>'),
      ),
    ),
    studio(
      'one client more, and the list grows by it',
      post('client.api/add', '<Client><Name>The last one</Name></Client>', ok('<Name>The last one</Name>')),
      get('client.api/list', ok('<Name>The last one</Name>', '<ID>1000262</ID>')),
    ),
    studio(
      'a search with many hits',
      get('client.api/search?query=plain', ok('<ID>1000001</ID>', '<Clients>')),
    ),
  ],
};
