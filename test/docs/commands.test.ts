import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliParts } from '../../src/cli/parts.ts';
import { program } from '../../src/cli/program.ts';

const project = join(import.meta.dirname, '..', '..');
const terminal = { out: () => undefined, err: () => undefined };
const root = program({ version: '', terminal } as unknown as CliParts);

/** What is wrong with a command as a page writes it; undefined: nothing. */
function faultOf(written: string): string | undefined {
  const words = written.split(/\s+/).slice(1);
  let command: Command = root;
  for (const word of words) {
    const inner = command.commands.find((one) => one.name() === word);
    if (inner === undefined) break;
    command = inner;
  }
  if (command === root && !words[0]?.startsWith('-')) return `there is no command ${words[0] ?? ''}`;
  const known = new Set([
    '--help',
    '--version',
    ...command.options.flatMap(({ long, short }) => [long, short]),
  ]);
  return words
    .flatMap((word) => /^--[a-z][a-z-]*/.exec(word)?.[0] ?? [])
    .find((option) => !known.has(option) && command !== root);
}

/** Commands of code blocks and of code within the text; `causeway cannot start` is what one says. */
const commandsIn = (text: string): readonly string[] =>
  Array.from(
    text.matchAll(/(?:`|^\s*)(?:npx )?(causeway (?!cannot )[a-z][^`\n#|&;)]*)/gm),
    ([, command = '']) => command.trim(),
  );

describe('The commands that the documentation shows', () => {
  const pages = globSync(['docs/**/*.md', 'README.md'], { cwd: project }).toSorted();

  it.each(pages)('on %s exist, with the options they are given', (page) => {
    const commands = commandsIn(readFileSync(join(project, page), 'utf8'));
    const faults = commands.flatMap((command) => {
      const fault = faultOf(command);
      return fault === undefined ? [] : [`${command}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  it('are found, and one that does not exist would be reported', () => {
    expect(
      commandsIn('`causeway doctor` and\n```sh\nnpx causeway backup FILE --force  # now\n```\n'),
    ).toEqual(['causeway doctor', 'causeway backup FILE --force']);
    expect(faultOf('causeway accounts list --stage lost')).toBeUndefined();
    expect(faultOf('causeway accounts list --phase lost')).toBe('--phase');
    expect(faultOf('causeway fly')).toBe('there is no command fly');
  });
});
