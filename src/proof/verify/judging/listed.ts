/**
 * Where the APIs have shown different records for a method. An element that one of them leaves out is noticed only in records
 * that both show, so a reader of the report has to know what was not compared.
 */
import { counted } from '../../../lib/text/counted.ts';
import type { Mapping, Method } from '../../../mapping/compile/model.ts';
import { placeholderOf } from '../known-records.ts';
import { surfaces, type Reading, type Remark, type Surface } from '../model.ts';
import type { Judged } from './findings.ts';
import type { Reference } from './reference.ts';

/** One for each method and API whose records differ from those of the first API that has answered, judging by their names. */
export function listedRemarks({ mapping, readings }: Judged, reference: Reference): readonly Remark[] {
  const byMethod = Map.groupBy(readings, ({ method }) => method);
  return mapping.methods.flatMap((method) => {
    const [first, ...others] = answeredOn(byMethod.get(method.id) ?? []);
    if (first === undefined || !('of' in method.reply)) return [];
    const isWhole = method.reply.form === 'list' && isOfAll(method, mapping);
    return others.flatMap((surface): readonly Remark[] => {
      const words = wordsFor(method, { surface, first, isWhole }, reference);
      return words === undefined ? [] : [{ surface, row: method.id, words }];
    });
  });
}

/** A search is made for a word that each API has shown. */
const isOfAll = (method: Method, { methods }: Mapping): boolean =>
  method.requires.length === 0 &&
  (method.v2?.way !== 'steps' || method.v2.requires.length === 0) &&
  placeholderOf(method, methods) === undefined;

/** The APIs that have answered every call. */
const answeredOn = (readings: readonly Reading[]): readonly Surface[] =>
  surfaces.filter((surface) => {
    const own = readings.filter((reading) => reading.surface === surface);
    return own.length > 0 && own.every(({ outcome }) => outcome.outcome === 'answered');
  });

interface Compared {
  readonly surface: Surface;
  readonly first: Surface;
  /** The method lists everything, not what belongs to one record. */
  readonly isWhole: boolean;
}

function wordsFor(
  { id }: Method,
  { surface, first, isWhole }: Compared,
  reference: Reference,
): string | undefined {
  const [own, others] = [reference.namesOf(id, surface), reference.namesOf(id, first)];
  const other = first.toUpperCase();
  const shared = Array.from(own).filter((name) => others.has(name)).length;
  if (isWhole && (shared < own.size || shared < others.size))
    return `it shows ${counted(own.size, 'name')}, and ${other} ${others.size}; only the ${shared} that both show were compared for missing elements`;
  return !isWhole && shared === 0 && own.size > 0 && others.size > 0
    ? `it was read for no record that was read on ${other}: a missing element would not be noticed`
    : undefined;
}
