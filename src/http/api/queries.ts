import { z } from 'zod';
import { nextActionNames, stageNames, stuckReasonNames } from '../../features/status/model.ts';
import { sortKeys, type StatusReportFilter } from '../../features/status/report/view.ts';

/** Query parameters are text; they are parsed here, once. */

/** A whole number between `least` and `most`; `fallback` if the parameter is absent. */
export const wholeNumber = (least: number, most: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int().min(least).max(most))
    .default(fallback)
    .describe(`${least} to ${most}, ${fallback} unless said`);

/** `true` or `false`; undefined if absent. */
export const flag = z
  .enum(['true', 'false'])
  .transform((word) => word === 'true')
  .optional();

const several = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(names)))
    .describe(`Several separated by commas: ${names.join(', ')}`);

/** Parameters that filter and sort the status report. */
export const filterQuery = {
  stage: several(stageNames).optional(),
  stuck: flag.describe('true: only stuck accounts'),
  reason: several(stuckReasonNames).optional(),
  next: several(nextActionNames).optional(),
  search: z.string().max(200).optional().describe('Part of a name, organisation or id, in any case'),
  sort: z.enum(sortKeys).optional(),
  reverse: flag.describe('true: in reverse order'),
} as const;

type Filter = { readonly [Name in keyof typeof filterQuery]?: z.output<(typeof filterQuery)[Name]> };

/** The same parameters as the status report names them. */
export const filterOf = (query: Filter): StatusReportFilter => ({
  stages: query.stage,
  stuck: query.stuck,
  reasons: query.reason,
  next: query.next,
  search: query.search,
  sort: query.sort,
  descending: query.reverse,
});

/** Paging by the id of the last entry: page size, and the entry to continue after. */
export const cursorQuery = {
  limit: wholeNumber(1, 1_000, 100),
  before: z.string().max(100).optional().describe('Id of the last entry on the previous page'),
} as const;

/** The part of such a list's reply beside its entries. */
export const cursorReply = {
  next: z.string().nullable().describe('`before` of the next page; null: there is none'),
} as const;

/** `before` for the next page; null if this one was not full. */
export const nextCursor = (lines: readonly { readonly id: string }[], limit: number): string | null =>
  lines.length < limit ? null : (lines.at(-1)?.id ?? null);

/** Paging that continues after the last line of the previous page. */
export const pageQuery = {
  limit: wholeNumber(1, 1_000, 100),
  offset: wholeNumber(0, 10_000_000, 0),
} as const;
