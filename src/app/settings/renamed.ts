import type { Name } from './table.ts';

/** What a setting is called now, and the version that gave it that name. */
interface Renaming {
  readonly now: Name;
  readonly since: string;
}

/** Former names of settings, by variable: `{ CAUSEWAY_FORMER: { now: 'CAUSEWAY_PORT', since: '1.1.0' } }`. */
export type Renamings = Readonly<Record<string, Renaming>>;

/**
 * A setting that gets another name gets a row here. Its former name goes on working, with a notice, and goes with the
 * next major version. None has got another name since 1.0.0-rc.1.
 */
export const renamed: Renamings = {};

/** Until when a former name works: the next major version. */
export const workingUntil = ({ since }: Renaming): string => `${Number(since.split('.')[0]) + 1}.0.0`;
