import type { LegacyCall } from './call.ts';
import { Failure } from '../../lib/failure.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Method } from '../../mapping/compile/model.ts';
import { knownQuery } from './query.ts';
import { checkRequired, missing, type BodyReader } from './request.ts';

/** What a legacy call asks for, whichever route serves it. */
export interface AskedFor {
  /** Only known parameters, under the names of the mapping: V1 ignored the others. */
  readonly query: readonly (readonly [string, string])[];
  readonly element: XmlElement | undefined;
}

/** Throws `Failure` if a required parameter or element is missing, or the body cannot be read. */
export async function readCall(call: LegacyCall, method: Method, reader: BodyReader): Promise<AskedFor> {
  const query = knownQuery(call, method);
  const absent = method.requires.find(
    (name) => !query.some(([given, value]) => given === name && value.trim() !== ''),
  );
  if (absent !== undefined) throw missingParameter(absent);
  const element = method.body && (await reader.read(call, method.body));
  if (method.body) checkBody(element, method.body);
  return { query, element };
}

/** The legacy service's message for the first missing one. */
export const missingParameter = (name: string): Failure =>
  new Failure('missingRange', { text: `The parameter ${name} is required` });

type RequestBody = NonNullable<Method['body']>;

/** Whether the root of a message is the one the method expects. */
export const isBody = ({ name }: XmlElement, { anyRoot, root }: RequestBody): boolean =>
  anyRoot || name.toLowerCase() === root.toLowerCase();

function checkBody(element: XmlElement | undefined, body: RequestBody): void {
  const asked = element !== undefined && isBody(element, body) ? element : undefined;
  // Under another root, or none, every required element is missing.
  checkRequired(asked, body.of, [body.root]);
  if (asked === undefined) throw missing([body.root]);
}
