import type { Command } from 'commander';
import type { CliParts } from '../../src/cli/parts.ts';
import { program } from '../../src/cli/program.ts';
import type { Generator } from './generator.ts';

/** Nothing is run here: commands request their parts when they run. */
const parts = {
  version: '',
  terminal: { out: () => undefined, err: () => undefined },
} as unknown as CliParts;

const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function section(command: Command, above: string): readonly string[] {
  const path = `${above} ${command.name()}`;
  const own =
    command.commands.length > 0 && command.registeredArguments.length === 0 ? [] : [one(command, path)];
  return [...own, ...command.commands.flatMap((inner) => section(inner, path))];
}

function one(command: Command, path: string): string {
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const options = command.options.map(
    ({ flags, description }) => `| \`${flags.replaceAll('|', '\\|')}\` | ${cell(description)} |`,
  );
  const table = options.length === 0 ? [] : ['', '| option | |', '| --- | --- |', ...options];
  return [
    `## ${path}`,
    '',
    '```',
    [path, ...words].join(' '),
    '```',
    '',
    `${cell(command.description()).replace(/\.$/, '')}.`,
    ...table,
  ].join('\n');
}

/** Every command with its arguments and options, from the program itself. */
export const commandsDocument: Generator = {
  path: 'docs/reference/commands.md',
  write: () =>
    `${[
      '# Commands',
      '<!-- Written by `npm run docs` from src/cli. -->',
      `\`npx causeway\` in a clone, \`causeway\` as one binary. Settings come from the environment and the file \`CAUSEWAY_CONFIG\` names, as for the
bridge. Exit codes: 0 done, 1 refused or failed, 2 used wrongly or a configuration that cannot be used. \`--help\` of a command shows the
same as here. \`--json\`, where there is one, is for programs: standard output is then one JSON value, and notes are on standard
error. \`causeway --version --json\` prints the version as JSON.`,
      ...program(parts).commands.flatMap((command) => section(command, 'causeway')),
    ].join('\n\n')}\n`,
};
