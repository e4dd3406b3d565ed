/** What a message says, as the console's previews show it: as an account would get it, or to nobody in particular. */
import { Command, Option } from 'commander';
import type { SamplePreview } from '../../../features/admin/campaign/messages.ts';
import { messageNames } from '../../../features/campaign/mail/message-names.ts';
import { messageKinds } from '../../../features/campaign/outbox.ts';
import type { CliParts } from '../../parts.ts';
import { findAccount, withTools } from '../../work.ts';

const formats = ['text', 'html', 'json'] as const;

interface PreviewOptions {
  readonly kind: string;
  readonly language?: string;
  readonly format: (typeof formats)[number];
}

const formatOption = (): Option =>
  new Option('--format <format>', 'what is printed').choices(formats).default('text');

/** `causeway campaign preview` */
export const preview = (parts: CliParts): Command =>
  new Command('preview')
    .description('Prints a message as it would be written to the account now; its links lead nowhere')
    .argument('<account>', 'name or id')
    .addOption(new Option('--kind <kind>', 'which message').choices(messageKinds).default('invitation'))
    .option('--language <code>', 'instead of the account’s own')
    .addOption(formatOption())
    .action(async (idOrName: string, { kind, language, format }: PreviewOptions) => {
      const shown = await withTools(parts, async (tools) => {
        const { id } = await findAccount(tools.accounts, idOrName);
        return tools.previewMessage(kind, id, language);
      });
      parts.terminal.out(printed(shown, format));
    });

/** `causeway texts preview` */
export const previewText = (parts: CliParts): Command =>
  new Command('preview')
    .description('Prints an e-mail in a language with the texts in force, to nobody in particular')
    .argument('<language>', 'such as en')
    .argument('<message>', messageNames.join(', '))
    .addOption(formatOption())
    .action(async (language: string, name: string, { format }: Pick<PreviewOptions, 'format'>) => {
      parts.terminal.out(
        printed(await withTools(parts, ({ texts }) => texts.preview(language, name)), format),
      );
    });

function printed(message: SamplePreview, format: PreviewOptions['format']): string {
  switch (format) {
    case 'text':
      return `${message.subject}\n\n${message.text}`;
    case 'html':
      return message.html;
    case 'json':
      return `${JSON.stringify(message, undefined, 2)}\n`;
  }
}
