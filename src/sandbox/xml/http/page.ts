import type { Scalar, XmlCall } from '../call.ts';

export interface Page {
  readonly number: number;
  readonly size: number;
  readonly skip: number;
  readonly take: number;
}

/** Returns undefined for the whole list: V1 never pages, V3 only if a paging parameter is sent. */
export function pageOf(call: XmlCall, defaultSize: number): Page | undefined {
  if (!call.dialect.isPaged) return undefined;
  const page = call.query('page');
  const pageSize = call.query('pagesize');
  if (page === undefined && pageSize === undefined) return undefined;
  const number = positive(page) ?? 1;
  const size = positive(pageSize) ?? defaultSize;
  return { number, size, skip: (number - 1) * size, take: size };
}

/** Like `pageOf`, for the one list that has pages on V1 and V3. */
export function countPage(call: XmlCall, size: number): { readonly skip: number; readonly take: number } {
  const page = call.query('page');
  if (page === undefined) return { skip: 0, take: Infinity };
  return { skip: ((positive(page) ?? 1) - 1) * size, take: size };
}

/** In this order after `Status`. */
export const pageScalars = (page: Page, total: number): readonly Scalar[] => [
  ['TotalRecords', String(total)],
  ['Page', String(page.number)],
  ['PageSize', String(page.size)],
];

function positive(text: string | undefined): number | undefined {
  return text !== undefined && /^0*[1-9]\d{0,8}$/.test(text.trim()) ? Number(text) : undefined;
}
