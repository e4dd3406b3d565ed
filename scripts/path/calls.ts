import { operations } from '../../src/sandbox/xml/operation.ts';
import { sampleNumbers, unusedNumbers } from '../docs/sandbox/sample.ts';
import { xmlExamples } from '../docs/sandbox/xml-examples.ts';

/** A call of V1 on the sandbox's sample organisation. */
export interface Example {
  readonly verb: string;
  readonly path: string;
  readonly body?: string;
}

/** A removed record is gone the second time. */
export const removes = (method: string): boolean => /\.(?:archive|delete|deleteall)$/.test(method);

/** `undefined`: there is no such method, or its example needs data that only a running sandbox has. */
export function exampleOf(method: string): Example | undefined {
  const operation = operations.find(({ id }) => id === method);
  const example = xmlExamples[method];
  if (operation === undefined || example === undefined) return undefined;
  const numbers = new Map(Object.entries(removes(method) ? unusedNumbers : sampleNumbers));
  const written = (text: string): string =>
    text
      .replaceAll(/\{(\w+)\}/g, (whole, kind: string) => numbers.get(kind) ?? whole)
      .replaceAll(/<(\/?)[#$]/g, '<$1');
  const [verb] = operation.verbs;
  const body = verb === 'GET' || example.body === undefined ? undefined : written(example.body);
  return { verb, path: written(example.path), ...(body !== undefined && { body }) };
}
