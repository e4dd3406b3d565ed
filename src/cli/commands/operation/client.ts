/**
 * `causeway client`: generates a client for an account's programs, with which they stop using the bridge, one
 * method at a time.
 */
import { Command, Option } from 'commander';
import type { WrittenClient } from '../../../app/tools/model.ts';
import { counted } from '../../../lib/text/counted.ts';
import { plainText } from '../../../lib/text/plain-text.ts';
import { Misuse } from '../../../lib/log/terminal.ts';
import { clientLanguages, type ClientLanguage } from '../../../proof/client/client-model.ts';
import type { CliParts } from '../../parts.ts';
import { jsonOption, jsonText } from '../../records.ts';
import { findAccount, withTools } from '../../work.ts';
import { progressOf } from '../record.ts';

/** Options as commander parses them. */
interface ClientOptions {
  readonly allMethods?: boolean;
  readonly language: ClientLanguage;
  readonly output: string;
  readonly route: 'v3' | 'v2';
  readonly overwrite?: boolean;
  readonly json?: boolean;
}

/** Builds `causeway client`. */
export function client(parts: CliParts): Command {
  return new Command('client')
    .description(
      'Generates a client for V3 and V2 (in PHP for V3 only), with tests, for the methods that the programs of an account use',
    )
    .argument('[account]', 'name or id')
    .option('--all-methods', 'for every method of the mapping, instead of an account')
    .addOption(
      new Option('--language <language>', 'of the client').choices(clientLanguages).makeOptionMandatory(),
    )
    .requiredOption('--output <folder>', 'a new or empty folder')
    .addOption(
      new Option('--route <api>', 'API for methods for which the calling program names none')
        .choices(['v3', 'v2'])
        .default('v3'),
    )
    .option('--overwrite', 'replace a client that is already in the folder, including all changes made to it')
    .addOption(jsonOption('account', 'language', 'folder', 'methods', 'unknown', 'cases', 'leftOut'))
    .addHelpText(
      'after',
      [
        '',
        'PHP has V3 only, and there is no C#: translating V2 would more than double what',
        'is written in a language (docs/decisions/platform/0024-languages-of-a-client.md).',
      ].join('\n'),
    )
    .action(async (name: string | undefined, options: ClientOptions) => {
      const { allMethods, language, output: folder, route, overwrite, json } = options;
      if ((name === undefined) === (allMethods !== true))
        throw new Misuse('name an account, or say --all-methods');
      await withTools(parts, async (tools) => {
        const account = name === undefined ? undefined : await findAccount(tools.accounts, name);
        const wanted = { account, language, route, folder, overwrite: overwrite === true };
        const written = await tools.writeClient({ ...wanted, version: parts.version }, progressOf(parts));
        parts.terminal.out(
          json === true
            ? jsonText(clientRecord(written, options, account?.name))
            : clientWords(written, options, account?.name),
        );
      });
    });
}

const clientRecord = (
  { methods, unknown, cases, leftOut }: WrittenClient,
  { language, output }: ClientOptions,
  account: string | undefined,
): object => ({ account, language, folder: output, methods, unknown, cases, leftOut });

/** The methods that were generated, those that were not, and the next steps. */
function clientWords(
  { methods, unknown, cases, leftOut }: WrittenClient,
  { language, output }: ClientOptions,
  name: string | undefined,
): string {
  const lines = [
    `A client in ${language} with ${counted(methods, 'method')} is in ${output}; its README.md says how to move to it`,
    ...(name === undefined ? [] : [caseWords(cases, name)]),
    ...(unknown.length > 0
      ? [`Not in it, because the mapping has no row for them: ${unknown.join(', ')}`]
      : []),
    ...leftOut.map(
      ({ method, calls, why }) => `${counted(calls, 'call')} of ${method} are not among its tests: ${why}`,
    ),
  ];
  return `${lines.map(plainText).join('\n')}\n`;
}

const caseWords = (cases: number, name: string): string =>
  cases === 0
    ? `No recorded call of ${name} is among its tests: causeway record '${name}' --for 1h, then generate it again`
    : `${counted(cases, 'recorded call')} of ${name} are among its tests`;
