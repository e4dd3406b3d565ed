import { Command } from 'commander';
import type { CliParts } from '../../parts.ts';
import { formatOption, print, type Format } from '../../records.ts';
import { withTools } from '../../work.ts';

interface MigrateOptions {
  readonly plan: boolean;
  readonly format: Format;
}

/**
 * `causeway migrate`: changes the schema as a start of the bridge would; with `--plan` it only lists what is
 * missing.
 */
export function migrate(parts: CliParts): Command {
  return new Command('migrate')
    .description('Updates the database schema to what this release needs, as the bridge also does at start')
    .option('--plan', 'change nothing and list the missing steps', false)
    .addOption(formatOption())
    .action(async ({ plan, format }: MigrateOptions) => {
      const { version, steps } = await parts.planMigration();
      if (!plan && steps.length > 0) await withTools(parts, async () => undefined);
      const records = steps.map((name, at) => ({
        schema: version + at + 1,
        step: name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`),
        result: plan ? 'missing' : 'done',
      }));
      parts.terminal.out(
        print(
          records,
          ['schema', 'step', 'result'],
          format,
          `The schema is that of this release (${version}).`,
        ),
      );
    });
}
