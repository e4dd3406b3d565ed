import { Command } from 'commander';
import type { CliParts } from '../../parts.ts';
import { formatOption, print, type Format } from '../../records.ts';
import { Misuse, Refusal, Unfit } from '../../../lib/log/terminal.ts';
import type { Finding, State } from '../../../app/doctor/model.ts';

interface DoctorOptions {
  readonly format: Format;
  readonly production: boolean;
  readonly dkim?: string;
}

const help = `
No database is created or migrated. With --production nothing at all is changed, and the exit codes are: 0 nothing to do
(some rows may be unknown), 1 warnings, 2 something has failed. docs/operate/doctor.md explains each row.`;

/** `causeway doctor`: calls every configured upstream once; exit code 1 if one fails. */
export function doctor(parts: CliParts): Command {
  return new Command('doctor')
    .description('Tests every configured upstream address and reports what is wrong')
    .option(
      '--production',
      'everything production depends on: address, TLS, DNS, database, clock, disk',
      false,
    )
    .option('--dkim <selector>', 'with --production: the selector with which your mail server signs')
    .addOption(formatOption())
    .addHelpText('after', help)
    .action(async ({ format, production, dkim }: DoctorOptions) => {
      if (!production && dkim !== undefined) throw new Misuse('--dkim needs --production');
      await (production ? examineProduction(parts, format, dkim) : probe(parts, format));
    });
}

async function probe(parts: CliParts, format: Format): Promise<void> {
  const probes = await parts.probe();
  // Scripts depend on the words in JSON and CSV, so they stay. The table uses the words of --production.
  const [passes, fails] = format === 'table' ? ['ok', 'failed'] : ['good', 'wrong'];
  const skips = format === 'table' ? 'skipped' : passes;
  const records = probes.map(({ what, good, detail, instead }) => ({
    what,
    result: instead !== undefined ? skips : good ? passes : fails,
    detail,
  }));
  parts.terminal.out(print(records, ['what', 'result', 'detail'], format, 'No upstream is configured.'));
  const wrong = probes.filter(({ good }) => !good).length;
  const skipped = probes.filter(({ instead }) => instead !== undefined).length;
  if (wrong > 0)
    throw new Refusal(`${wrong} of ${probes.length} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
}

async function examineProduction(parts: CliParts, format: Format, dkim: string | undefined): Promise<void> {
  const findings = await parts.examineProduction(dkim);
  const records = findings.map((finding) => ({ ...finding }));
  parts.terminal.out(
    format === 'table' ? listed(findings) : print(records, ['what', 'state', 'why', 'remedy'], format, ''),
  );
  const count = (state: State): number => findings.filter((finding) => finding.state === state).length;
  const tally = `${count('failed')} failed, ${count('warning')} warnings, ${count('unknown')} unknown, ${count('ok')} ok`;
  if (count('failed') > 0) throw new Unfit(tally);
  if (count('warning') > 0) throw new Refusal(tally);
  parts.terminal.err(`${tally}\n`);
}

/** Sentences are too long for columns. Control characters in an answer could overwrite the screen. */
const listed = (findings: readonly Finding[]): string =>
  findings
    .map(({ what, state, why, remedy }) =>
      [`${state.padEnd(8)} ${what}: ${why}`, ...(remedy === '' ? [] : [`         → ${remedy}`])]
        .map((line) => `${line.replaceAll(/\p{Cc}/gu, '\uFFFD')}\n`)
        .join(''),
    )
    .join('');
