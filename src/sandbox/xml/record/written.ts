import type { Scalar } from '../call.ts';
import type { IdForm } from '../dialect.ts';
import type { Identified } from './fields.ts';

/** The identifier of a new record, for answers that contain nothing else of it. */
export function newIdScalars(ids: IdForm, { number, uuid }: Identified): readonly Scalar[] {
  const id: Scalar = ['ID', String(number)];
  const uuidScalar: Scalar = ['UUID', uuid];
  switch (ids) {
    case 'id':
      return [id];
    case 'both':
      return [id, uuidScalar];
    case 'uuid':
      return [uuidScalar];
  }
}
