import { Command } from 'commander';
import type { KeyStatus, PlaceResealed, StillWorking } from '../../../tokens/sealing/sealed.ts';
import { commandGroup } from '../../command.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, moment, print, type Format, type Records } from '../../records.ts';
import { Misuse, Refusal } from '../../../lib/log/terminal.ts';
import { counted } from '../../../lib/text/counted.ts';
import { withTools } from '../../work.ts';

/**
 * `causeway keys`: generates an encryption key, shows what each key encrypts, and encrypts everything again
 * with the first. The next run continues an interrupted rotation.
 */
export function keys(parts: CliParts): Command {
  return commandGroup('keys', 'Encryption keys', generate(parts), status(parts), rotate(parts));
}

function generate(parts: CliParts): Command {
  return new Command('generate')
    .description('Prints a new key for CAUSEWAY_ENCRYPTION_KEYS; the key is not stored')
    .option('--id <id>', 'name of the key; by default a random one')
    .action(({ id }: { readonly id?: string }) => {
      if (id !== undefined && !/^[A-Za-z0-9_-]{1,32}$/.test(id))
        throw new Misuse('an id is 1 to 32 letters, digits, - or _');
      parts.terminal.out(`${parts.newKey(id)}\n`);
    });
}

function status(parts: CliParts): Command {
  return new Command('status')
    .description('Shows what each key in CAUSEWAY_ENCRYPTION_KEYS has sealed, and whether it can be removed')
    .addOption(formatOption())
    .action(async ({ format }: { readonly format: Format }) => {
      const now = await withTools(parts, ({ keys: repository }) => repository.status());
      parts.terminal.out(print(keyRecords(now), ['key', 'role', 'values', 'detail'], format, ''));
      if (now.foreign > 0)
        parts.terminal.err(
          `${now.foreign} values were sealed with none of these keys and cannot be opened\n`,
        );
    });
}

const keyRecords = (now: KeyStatus): Records =>
  now.keys.map(({ id, role, values }) => ({
    key: id,
    role,
    values,
    detail: role === 'seals' ? `the first key since ${moment(now.since) ?? ''}` : olderKey(values, now),
  }));

const working = ({ count, last }: StillWorking, what: string): readonly string[] =>
  count > 0 ? [`${counted(count, what)}, the last until ${moment(last) ?? ''}`] : [];

/** Describes what removing the key would break, in the order of fixing it. */
function olderKey(values: number, { indexed, acceptances }: KeyStatus): string {
  if (values > 0) return 'needed: causeway keys rotate reseals its values';
  const { invitations, pages, tokens, samples, imports, erased } = indexed;
  const repeats = repeatsUnder(indexed);
  const needs = [
    ...working(invitations, 'invitation link'),
    ...working(pages, 'connection page link'),
    ...working(samples, 'sample'),
    ...(acceptances > 0 ? [`up to ${counted(acceptances, 'accepted difference')}`] : []),
    ...(tokens.length > 0 ? [`tokens not used since: ${tokens.join(', ')}`] : []),
  ];
  const losses = [
    ...(erased > 0 ? [`calls of up to ${counted(erased, 'erased account')} then go to V1 again`] : []),
    ...(imports > 0 ? [`${counted(imports, 'imported token')} then can be imported again by mistake`] : []),
  ];
  const uses = needs.length > 0 ? [`may still be needed for ${needs.join('; ')}`] : [];
  const known = [...repeats, ...uses];
  return [...(known.length > 0 ? known : ['can be removed']), ...losses].join('; ');
}

/** A repeat of these writes would be carried out again without the key. */
function repeatsUnder({ keyed, unfinished }: KeyStatus['indexed']): readonly string[] {
  const untils = [keyed.until, unfinished.until].filter((until) => until !== undefined);
  if (untils.length === 0) return [];
  const writes = [
    ...(keyed.writes > 0 ? [`${counted(keyed.writes, 'write')} with an Idempotency-Key`] : []),
    ...(unfinished.writes > 0 ? [counted(unfinished.writes, 'unfinished write')] : []),
  ].join(' and ');
  const settled =
    unfinished.unsettled > 0
      ? `, or until ${counted(unfinished.unsettled, 'write')} of unknown outcome is settled, if that is later`
      : '';
  return [
    `needed until ${moment(Math.max(...untils)) ?? ''}${settled}: without it, a repeat of ${writes} is carried out again`,
  ];
}

function rotate(parts: CliParts): Command {
  return new Command('rotate')
    .description(
      'Reseals every stored value with the first key of CAUSEWAY_ENCRYPTION_KEYS. Bridges may keep running; if it is interrupted, run it again',
    )
    .addOption(formatOption())
    .action(async ({ format }: { readonly format: Format }) => {
      const places = await withTools(parts, ({ keys: repository }) => repository.rotate());
      parts.terminal.out(print(places.map(placeRecord), ['place', 'resealed', 'detail'], format, ''));
      const lost = places.flatMap(({ unreadable }) => unreadable);
      if (lost.length > 0)
        throw new Refusal(
          `${lost.length} values cannot be opened by any key and were left unchanged: ${lost.join(', ')}`,
        );
    });
}

const placeRecord = ({ place, resealed, overtaken, unreadable }: PlaceResealed): Records[number] => ({
  place,
  resealed,
  detail: [
    ...(overtaken > 0 ? [`${overtaken} changed meanwhile`] : []),
    ...(unreadable.length > 0 ? [`${unreadable.length} cannot be opened`] : []),
  ].join('; '),
});
