/** Previews of messages and pages, as in the console: with an account's values or with sample values. */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { SamplePreview } from '../../../features/admin/campaign/messages.ts';
import type { TextSample } from '../../../features/admin/texts/samples.ts';
import { messageNamed } from '../../../features/admin/texts/sample-messages.ts';
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
    .description('Prints a message as it would be sent to the account now; its links do not work')
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

interface SampleOptions extends Pick<PreviewOptions, 'format'> {
  readonly variant: number;
}

/** `causeway texts preview` */
export const previewText = (parts: CliParts): Command =>
  new Command('preview')
    .description(
      'Prints an e-mail, or a page as HTML, in a language, with the texts in force and sample values',
    )
    .argument('<language>', 'such as en')
    .argument(
      '<what>',
      `an e-mail (${messageNames.join(', ')}), or a section of causeway texts list: connect`,
    )
    .option(
      '--variant <number>',
      'which of the e-mails or pages with this section, counted from 1',
      variantOf,
      1,
    )
    .addOption(formatOption())
    .action(async (language: string, what: string, { variant, format }: SampleOptions) => {
      const section = messageNamed(what) === undefined ? what : `letters.${what}`;
      const sample = await withTools(parts, ({ texts }) => texts.preview(language, section, variant - 1));
      const { labels } = sample;
      if (labels.length > 1)
        parts.terminal.err(
          `${variant} of ${labels.length}: ${labels[variant - 1] ?? ''}; --variant shows the others\n`,
        );
      parts.terminal.out(sampled(sample, format));
    });

function variantOf(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('It must be a number from 1.');
  return Number(text);
}

/** A page is always HTML, whatever the requested format. */
function sampled(sample: TextSample, format: PreviewOptions['format']): string {
  if (format === 'json') return `${JSON.stringify(sample, undefined, 2)}\n`;
  const { subject, text, html } = sample;
  return subject === undefined || text === undefined ? html : printed({ subject, text, html }, format);
}

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
