/**
 * Texts on the command line, with the same service and checks as the console's editor. Paths are those of the
 * files in a folder of texts, so that a text tried here can be written there. A list is entered with one
 * paragraph per line. Translators of a whole language read `list` as CSV or JSON, and send it back text by
 * text, or through the API.
 */
import { Command } from 'commander';
import type { Text } from '../../../features/texts/catalogue.ts';
import { typedText, type TextEntry } from '../../../features/admin/texts/texts.ts';
import { commandGroup, listCommand } from '../../command.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, moment, print, type Format } from '../../records.ts';
import { withTools } from '../../work.ts';
import { previewText } from './previews.ts';

/** Options of `causeway texts list`. */
interface ListOptions {
  readonly section?: string;
  /** Only texts that differ from the product's. */
  readonly changed: boolean;
  readonly format: Format;
}

/** `causeway texts`: customers' texts, which the console's page Texts also changes. */
export const texts = (parts: CliParts): Command =>
  commandGroup(
    'texts',
    'Texts of pages and e-mails; changes are used by the running bridge within seconds',
    languages(parts),
    list(parts),
    show(parts),
    previewText(parts),
    set(parts),
    reset(parts),
    restore(parts),
    addLanguage(parts),
    removeLanguage(parts),
  );

/** Prints a list on one line, with a mark between paragraphs. */
const line = (text: Text | undefined): string | undefined =>
  text === undefined ? undefined : [text].flat().join(' ¶ ');

/** `causeway texts languages` */
const languages = (parts: CliParts): Command =>
  listCommand(parts, {
    name: 'languages',
    what: 'Lists the languages for which texts exist',
    columns: ['language', 'copy-of', 'changed'],
    nothing: '',
    load: async (tools) =>
      (await tools.texts.languages()).map(({ language, copyOf, changed }) => ({
        language,
        'copy-of': copyOf,
        changed,
      })),
  });

/** `causeway texts list` */
const list = (parts: CliParts): Command =>
  new Command('list')
    .description('Lists the texts of a language')
    .argument('<language>', 'such as en or pt-br')
    .option('--section <name>', 'only texts of one page or e-mail: letters.invitation, connect')
    .option('--changed', 'only texts that differ from the product’s', false)
    .addOption(formatOption())
    .action(async (language: string, { section, changed, format }: ListOptions) => {
      const found = await withTools(parts, (tools) => tools.texts.list(language, section));
      const records = found
        .filter((entry) => !changed || isChanged(entry))
        .map(({ path, text, change }) => ({
          path,
          text: line(text),
          change: change?.seq,
          by: change?.who,
        }));
      const nothing = 'No text in this language has been changed.';
      parts.terminal.out(print(records, ['path', 'text', 'change', 'by'], format, nothing));
    });

/** A reverted change does not count. */
const isChanged = ({ change }: TextEntry): boolean => change?.text !== undefined;

/** Creates a command on a single text. */
const ofText = (name: string, what: string): Command =>
  new Command(name)
    .description(what)
    .argument('<language>', 'such as en')
    .argument('<path>', 'as causeway texts list shows it');

/** `causeway texts show` */
const show = (parts: CliParts): Command =>
  ofText('show', 'Shows a text, the placeholders it may contain, and all its earlier versions').action(
    async (language: string, path: string) => {
      const found = await withTools(parts, (tools) => tools.texts.show(language, path));
      const lines = [
        ['text', line(found.text) ?? 'as the form “other”'],
        ['default', line(found.own)],
        ['English', line(found.english)],
        ['can name', found.allowed.map((name) => `{${name}}`).join(' ')],
        ['must name', found.needed.map((name) => `{${name}}`).join(' ')],
      ].filter(([, words]) => words !== undefined && words !== '');
      const history = found.history.map(({ seq, at, who, text }) => ({
        change: seq,
        when: moment(at),
        by: who,
        text: line(text) ?? 'as the product has it',
      }));
      parts.terminal.out(
        `${lines.map(([name = '', words = '']) => `${name.padEnd(10)}${words}`).join('\n')}\n`,
      );
      if (history.length > 0)
        parts.terminal.out(`\n${print(history, ['change', 'when', 'by', 'text'], 'table', '')}`);
    },
  );

/** `causeway texts set`: fails if the text is invalid, and then stores nothing. */
const set = (parts: CliParts): Command =>
  ofText('set', 'Changes a text')
    .argument('<text>', 'the text, or - to read it from standard input; in a list each line is an entry')
    .action(async (language: string, path: string, given: string) => {
      const typed = given === '-' ? await parts.terminal.read() : given;
      await withTools(parts, async (tools) => {
        const text = typedText(await tools.texts.show(language, path), typed) ?? '';
        await tools.texts.save(language, [{ path, text }]);
      });
      parts.terminal.out(`${path} is changed in ${language}\n`);
    });

/** `causeway texts reset` */
const reset = (parts: CliParts): Command =>
  ofText('reset', 'Undoes all changes to a text').action(async (language: string, path: string) => {
    await withTools(parts, (tools) => tools.texts.save(language, [{ path, text: undefined }]));
    parts.terminal.out(`${path} is the product's own again in ${language}\n`);
  });

/** `causeway texts restore` */
const restore = (parts: CliParts): Command =>
  ofText('restore', 'Restores a text to its state after one of its changes')
    .argument('<change>', 'number of the change, as causeway texts show lists it', Number)
    .action(async (language: string, path: string, change: number) => {
      await withTools(parts, (tools) => tools.texts.restore(language, path, change));
      parts.terminal.out(`${path} in ${language} is what it was after change ${change}\n`);
    });

/** `causeway texts add-language` */
const addLanguage = (parts: CliParts): Command =>
  new Command('add-language')
    .description('Adds a language as a copy of another, to be translated text by text')
    .argument('<language>', 'such as it or pt-br')
    .option('--copy-of <language>', 'language to copy', 'en')
    .action(async (given: string, { copyOf }: { readonly copyOf: string }) => {
      const language = await withTools(parts, (tools) => tools.texts.addLanguage(given, copyOf));
      parts.terminal.out(
        `${language} is added as a copy of ${copyOf}: causeway texts set changes its texts\n`,
      );
    });

/** `causeway texts remove-language` */
const removeLanguage = (parts: CliParts): Command =>
  new Command('remove-language')
    .description('Removes a language that was added; its texts are kept in case it is added again')
    .argument('<language>', 'such as it')
    .action(async (language: string) => {
      await withTools(parts, (tools) => tools.texts.removeLanguage(language));
      parts.terminal.out(`${language} is removed: its accounts now get the installation's language\n`);
    });
