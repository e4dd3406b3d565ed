import type { Operation } from './call.ts';

const method =
  (verb: string) =>
  (
    id: string,
    path: string,
    serve: Operation['serve'],
    more: Pick<Operation, 'isUpload'> = {},
  ): Operation => ({ id, verbs: [verb], path, ...more, serve });

/** Methods of one verb. `id`: that of the list of operations, without the surface; `path`: `client.api/get/{id}`. */
export const GET = method('GET');
export const POST = method('POST');
export const PUT = method('PUT');
export const DELETE = method('DELETE');

/** The practice variant has no leads, suppliers and purchase orders: on V3 it does not know these methods. */
export const absentInPractice = (operations: readonly Operation[]): readonly Operation[] =>
  operations.map((operation) => ({ ...operation, isAbsentInPractice: true }));
