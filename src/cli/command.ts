import { Command } from 'commander';
import type { Tools } from '../app/tools/model.ts';
import { recordsOf, type Columns } from '../lib/text/columns.ts';
import type { CliParts } from './parts.ts';
import { formatOption, print, type Format, type Records } from './records.ts';
import { withTools } from './work.ts';

/** Creates a command that only groups others. */
export function commandGroup(name: string, what: string, ...subcommands: readonly Command[]): Command {
  const group = new Command(name).description(what);
  for (const one of subcommands) group.addCommand(one);
  return group;
}

/** The output of a list command: columns in order, and a sentence instead of an empty table. */
export interface Listing {
  /** Default: `list`. */
  readonly name?: string;
  readonly what: string;
  readonly columns: readonly string[];
  readonly nothing: string;
  /** The columns that a narrow window leaves out last; see `fittedColumns`. */
  readonly first?: readonly string[];
  /** A table shows labels for people, the other formats show the codes. */
  readonly load: (tools: Tools, format: Format) => Promise<Records>;
}

/** Columns and records of a list from its table of columns. `shown`: the columns of a table for people. */
export const listed = <Row>(
  columns: Columns<Row>,
  load: (tools: Tools) => Promise<readonly Row[]>,
  shown: Columns<Row> = columns,
): Pick<Listing, 'columns' | 'load'> => ({
  columns: Object.keys(columns),
  load: async (tools, format) => recordsOf(format === 'table' ? shown : columns, await load(tools)),
});

/** `list`: prints every record of a kind in the requested format. */
export const listCommand = (
  parts: CliParts,
  { name = 'list', what, columns, nothing, first, load }: Listing,
): Command =>
  new Command(name)
    .description(what)
    .addOption(formatOption())
    .action(async ({ format }: { readonly format: Format }) => {
      parts.terminal.out(
        print(await withTools(parts, (tools) => load(tools, format)), columns, format, nothing, {
          screen: parts.terminal.screen,
          first,
        }),
      );
    });
