import type { Name } from './table.ts';

/** The present name of a setting, and the version that introduced it. */
interface Renaming {
  readonly now: Name;
  readonly since: string;
}

/** Former names of settings, by variable: `{ CAUSEWAY_FORMER: { now: 'CAUSEWAY_PORT', since: '1.1.0' } }`. */
export type Renamings = Readonly<Record<string, Renaming>>;

/**
 * A renamed setting gets a row here. Its former name still works, with a notice, until the next major version. No
 * setting has been renamed since 1.0.0-rc.1.
 */
export const renamed: Renamings = {};

/** The version from which a former name no longer works: the next major version. */
export const workingUntil = ({ since }: Renaming): string => `${Number(since.split('.')[0]) + 1}.0.0`;
