import { XmlFault, type XmlElement } from '../../../lib/xml/element.ts';
import { listLimits } from '../../../lib/xml/limits.ts';
import { readDocument } from '../../../lib/xml/read.ts';
import type { Method, ReplyForm } from '../../../mapping/compile/model.ts';
import { entries, isObject, own, valueAt } from '../../../mapping/compile/path.ts';
import type { V2Row, V2Step } from '../../../mapping/compile/v2/v2-model.ts';
import type { Exchange } from '../model.ts';
import { childrenOf } from './reference.ts';

/** Whether the service carried out the request. */
export const isAnswered = ({ status }: Pick<Exchange, 'status'>): boolean => status >= 200 && status < 300;

/** The root of an XML answer; undefined for anything else. */
export function xmlOf({ body }: Pick<Exchange, 'body'>): XmlElement | undefined {
  try {
    return readDocument(body, listLimits);
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    return undefined;
  }
}

/** The records below `Response`. */
export function recordsIn(root: XmlElement, reply: ReplyForm): readonly XmlElement[] {
  if (reply.form === 'list')
    return childrenOf(root, [reply.container]).flatMap((list) => childrenOf(list, [reply.element]));
  if (reply.form !== 'one') return [];
  const within = reply.within === undefined ? [] : childrenOf(root, [reply.within]);
  return [root, ...within].flatMap((parent) => childrenOf(parent, [reply.element]));
}

/** The content of an answer of V2; undefined if the bridge could not read any. */
export function contentOf({ body }: Pick<Exchange, 'body'>): unknown {
  const json = jsonIn(body);
  return isObject(json) && Object.hasOwn(json, 'data') ? json.data : json;
}

/** The value of a text in JSON; undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether an exchange is a call of the step. */
export const isOfStep = ({ verb, segments }: Pick<Exchange, 'verb' | 'segments'>, step: V2Step): boolean =>
  step.among === undefined &&
  verb === step.verb &&
  segments.length === step.segments.length &&
  step.segments.every((template, index) => {
    const [only] = template;
    return template.length !== 1 || typeof only !== 'string' || only === segments[index];
  });

const nothing = (): undefined => undefined;

/** The records of V2 from which the reply is built. */
export function jsonRecordsIn(exchanges: readonly Exchange[], { reply }: V2Row): readonly unknown[] {
  const { from, at } = reply;
  return exchanges
    .filter((exchange) => isAnswered(exchange) && isOfStep(exchange, from))
    .flatMap((exchange) => {
      const content = contentOf(exchange);
      const list = Array.isArray(content) ? (content as unknown[]) : [content];
      const rows =
        from.within === undefined
          ? list
          : list.flatMap((one) => entries(valueAt(one, from.within ?? [], nothing)));
      if (at.length === 0) return rows;
      return rows.flatMap((one) => {
        const value = valueAt(one, at, nothing);
        return Array.isArray(value) ? (value as unknown[]) : [value];
      });
    })
    .filter(isObject);
}

/** Whether an answer to a list of V2 has the form that the bridge reads. */
export function isListAnswer(exchange: Exchange): boolean {
  const content = contentOf(exchange);
  return (
    Array.isArray(content) ||
    (isObject(content) && own(content, 'uuid') !== undefined) ||
    entries(content).length > 0
  );
}

/** The records in all answers to a method, on V1 or V3. */
export const xmlRecords = (exchanges: readonly Exchange[], { reply }: Method): ReturnType<typeof recordsIn> =>
  exchanges.filter(isAnswered).flatMap((exchange) => {
    const root = xmlOf(exchange);
    return root === undefined ? [] : recordsIn(root, reply);
  });
