import type { Kysely } from 'kysely';
import type { Person } from '../../identity/people.ts';
import type { SandboxOrganisation } from '../../identity/organisation.ts';
import type { Files } from '../../records/files.ts';
import type { Records } from '../../records/records.ts';
import type { RecordTables } from '../../records/tables.ts';
import type { FormFile } from '../../../lib/form-data.ts';

export interface PageSizes {
  readonly default: number;
  readonly max: number;
}

/** A call as an operation sees it, within its organisation and its transaction. */
export interface JsonCall {
  readonly organisation: SandboxOrganisation;
  /** The token's user; undefined if the service no longer knows the user. */
  readonly person: Person | undefined;
  readonly records: Records;
  readonly files: Files;
  /** For selecting the rows of a list; everything else goes through `records`. */
  readonly db: Kysely<RecordTables>;
  /** Returns a parameter of the path, decoded; '' if the path has none of that name. */
  readonly path: (name: string) => string;
  /** Returns a query parameter, its name in any case; undefined if absent. */
  readonly query: (name: string) => string | undefined;
  readonly upload: FormFile | undefined;
  readonly pages: PageSizes;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly publicUrl: string;
}

/** Groups of related data requested with the call; unknown ones are ignored. */
export function includesOf(call: JsonCall): ReadonlySet<string> {
  const names = (call.query('includes') ?? '').split(',').map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => name !== ''));
}
