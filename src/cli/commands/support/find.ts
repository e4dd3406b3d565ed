import { Command } from 'commander';
import { adviceAbout, UNKNOWN_KEY_WORDS, type Finding } from '../../../features/admin/support.ts';
import type { CliParts } from '../../parts.ts';
import { stageLabel } from '../accounts/status-facts.ts';
import { calledWords, causeCode, type CallRecord } from '../../../features/usage/call-log.ts';
import { stageWords } from '../../../features/status/code-words.ts';
import { formatOption, moment, print, type Format, type Records } from '../../records.ts';
import { Misuse, Refusal } from '../../../lib/log/terminal.ts';
import { withTools } from '../../work.ts';

const callColumns = [
  'account',
  'ended',
  'method',
  'by',
  'status',
  'cause',
  'millis',
  'service',
  'waited',
  'lost',
  'from',
  'told',
  'write',
  'advice',
  'id',
];
const accountColumns = ['account', 'stage', 'organisation', 'tags', 'id'];

/** `causeway find`: finds an account by what a caller can tell of it. */
export function find(parts: CliParts): Command {
  const { terminal } = parts;
  return new Command('find')
    .description(
      'Finds accounts by a request id, an account key, or words in names, contacts, addresses and notes',
    )
    .argument(
      '<text>',
      'what the caller gives you; - reads it from standard input, so that no process list shows a key',
    )
    .addOption(formatOption())
    .action(async (given: string, { format }: { readonly format: Format }) => {
      const text = given === '-' ? await terminal.read() : given;
      if (text.trim() === '') throw new Misuse('give a text to look for');
      const found = await withTools(parts, (tools) => tools.support.find(text));
      const records = recordsOf(found, format);
      if (records.length === 0)
        throw new Refusal(`nothing was found; request ids are kept for seven days. ${UNKNOWN_KEY_WORDS}`);
      if (found.by === 'request' && format === 'table') {
        terminal.out(print(records.flatMap(fieldsOf), ['field', 'value'], format, ''));
        return;
      }
      const columns = found.by === 'request' ? callColumns : accountColumns;
      terminal.out(print(records, columns, format, '', terminal));
    });
}

/** One call has more columns than a terminal. */
const fieldsOf = (record: Records[number]): Records =>
  Object.entries(record).flatMap(([field, value]) => (value === undefined ? [] : [{ field, value }]));

function recordsOf(found: Finding, format: Format): Records {
  switch (found.by) {
    case 'request': {
      const { account, call } = found;
      return [
        {
          account: account.name,
          ended: moment(call.at),
          method: `${call.verb} ${calledName(call, format)}`,
          by: call.source,
          status: call.status,
          cause: causeCode(call),
          millis: call.millis,
          service: call.upstreamMillis,
          waited: call.waitedMillis,
          lost: call.losses,
          from: call.refused?.from,
          told: call.told,
          write: found.write?.words,
          advice: adviceAbout(found),
          id: account.id,
        },
      ];
    }
    case 'key': {
      const { name, life, id } = found.account;
      const stage = format === 'table' ? stageLabel(found.account) : life.stage;
      const organisation = 'binding' in life ? life.binding.organisation.name : undefined;
      return [{ account: name, stage, organisation, tags: undefined, id }];
    }
    case 'words':
      return found.accounts.map(({ name, stage, organisation, tags, id }) => ({
        account: name,
        stage: format === 'table' ? stageWords(stage) : stage,
        organisation: organisation ?? undefined,
        tags: tags.join(' '),
        id,
      }));
  }
}

const calledName = (call: CallRecord, format: Format): string =>
  format === 'table' ? calledWords(call) : (call.asked ?? call.method);
