import { currentQuotes } from '../../records/current.ts';
import type { Selection } from '../../records/records.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import { requiredDays } from '../days.ts';
import { ofPath } from '../identify.ts';
import { readFlag } from '../values.ts';
import { quoteWriter, viewQuotes } from './view.ts';

function quotesAnswer(call: XmlCall, selection: Selection): Answer {
  const isDetailed = readFlag(call.query('detailed') ?? '') ?? false;
  async function* records(): AsyncGenerator<string> {
    const write = quoteWriter(call, isDetailed);
    for await (const batch of call.records.select('quote', selection))
      yield (await viewQuotes(call.records, batch)).map(write).join('');
  }
  return { answer: 'list', container: 'Quotes', records: records() };
}

const inState = (values: readonly string[]): Selection => ({
  withDeleted: false,
  oneOf: { field: 'state', values },
});

async function list(call: XmlCall): Promise<Answer> {
  return quotesAnswer(call, { withDeleted: false, dated: { field: 'date', ...requiredDays(call) } });
}

async function get(call: XmlCall): Promise<Answer> {
  const views = await viewQuotes(call.records, [await ofPath(call, 'quote')]);
  return { answer: 'record', xml: views.map(quoteWriter(call, true)).join('') };
}

export const quoteOperations: readonly Operation[] = [
  {
    id: 'quote.current',
    verbs: ['GET'],
    path: 'quote.api/current',
    serve: async (call) => quotesAnswer(call, inState(currentQuotes)),
  },
  {
    id: 'quote.draft',
    verbs: ['GET'],
    path: 'quote.api/draft',
    serve: async (call) => quotesAnswer(call, inState(['Draft'])),
  },
  { id: 'quote.list', verbs: ['GET'], path: 'quote.api/list', serve: list },
  { id: 'quote.get', verbs: ['GET'], path: 'quote.api/get/{id}', serve: get },
];
