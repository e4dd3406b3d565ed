/** `causeway deliveries`: outgoing events and the outcome of each; sends them again. */
import { Command, Option } from 'commander';
import { AT_TERMINAL } from '../../../app/tools/model.ts';
import { deliveryOrders, deliveryStates, type DeliveryState } from '../../../features/events/delivery.ts';
import { deliveryColumns } from '../../../features/events/listed.ts';
import { deliveryWords } from '../../../features/status/code-words.ts';
import { counted } from '../../../lib/text/counted.ts';
import { plainText } from '../../../lib/text/plain-text.ts';
import { Misuse } from '../../../lib/log/terminal.ts';
import { commandGroup } from '../../command.ts';
import { printPage, withPages, type PageOptions } from '../../paged-list.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, moment, print, type Format } from '../../records.ts';
import { withTools } from '../../work.ts';

/** Builds `causeway deliveries` with its subcommands. */
export const deliveries = (parts: CliParts): Command =>
  commandGroup(
    'deliveries',
    'Outgoing events on their way to your webhook, Slack and Teams',
    list(parts),
    show(parts),
    again(parts),
  );

type ListOptions = PageOptions<'type' | 'state' | 'attempts'> & { readonly state?: DeliveryState };

const list = (parts: CliParts): Command =>
  withPages(
    new Command('list')
      .description('Lists outgoing events and their state')
      .addOption(new Option('--state <state>', 'only those in this state').choices(deliveryStates)),
    deliveryOrders,
  ).action(async ({ format, ...page }: ListOptions) => {
    const rows = await withTools(parts, (tools) => tools.deliveries.list(page));
    const shape = {
      orders: deliveryOrders,
      columns: deliveryColumns,
      table: ['created_at', 'type', 'account', 'state', 'attempts', 'note', 'id'],
      words: { state: ({ state }: (typeof rows)[number]) => deliveryWords(state) },
      nothing: page.state === undefined ? 'No event was sent yet.' : 'There is no such event.',
      idOf: ({ id }: (typeof rows)[number]) => id,
    };
    printPage(parts, shape, { ...page, format }, rows);
  });

const show = (parts: CliParts): Command =>
  new Command('show')
    .description('Shows an event: its body as it is sent, and the result of each attempt')
    .argument('<id>', 'of the event, as the list has it')
    .addOption(formatOption())
    .action(async (id: string, { format }: { readonly format: Format }) => {
      const { delivery, attempts } = await withTools(parts, (tools) => tools.deliveries.find(id));
      const facts = Object.entries(deliveryColumns).map(([field, cell]) => ({
        field,
        value: cell(delivery),
      }));
      const tried = attempts.map(({ at, outcome, note }) => ({
        field: outcome,
        value: [moment(at), note].filter(Boolean).join(': '),
      }));
      const records = [...facts, ...tried, { field: 'body', value: delivery.payload }];
      parts.terminal.out(print(records, ['field', 'value'], format, ''));
    });

const again = (parts: CliParts): Command =>
  new Command('again')
    .description(
      'Resends an event, whatever its state, or all events that were given up; their schedule starts over',
    )
    .argument('[id]', 'of the event')
    .option('--given-up', 'all events that were given up', false)
    .action(async (id: string | undefined, { givenUp }: { readonly givenUp: boolean }) => {
      if ((id !== undefined) === givenUp) throw new Misuse('name an event, or give --given-up');
      await withTools(parts, async (tools) => {
        if (id === undefined) {
          const sent = await tools.deliveries.allAgain(AT_TERMINAL);
          parts.terminal.out(`${counted(sent, 'event')} will be sent again\n`);
        } else {
          const { type } = await tools.deliveries.again(id, AT_TERMINAL);
          parts.terminal.out(`${plainText(type)} ${plainText(id)} will be sent again\n`);
        }
      });
    });
