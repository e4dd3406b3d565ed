/**
 * Golden files: the service's answers without values. Texts, numbers and dates are replaced by their types;
 * the entries of a list are merged into one that has every name.
 */
import { FREE_PARAMETERS } from '../../../features/samples/messages.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Exchange, Reading } from '../model.ts';
import { isObject } from '../../../mapping/compile/path.ts';
import type { Mapping } from '../../../mapping/compile/model.ts';
import { xmlOf } from '../judging/answers.ts';
import { maskedParts } from '../masked-path.ts';
import { typeWords } from '../../../mapping/value-types.ts';

/** A golden file; `path` is relative. */
export interface GoldenFile {
  readonly path: string;
  readonly text: string;
}

/** One file per method and surface, with the exchanges of its first answered call. */
export function goldenFiles(readings: readonly Reading[], mapping: Mapping): readonly GoldenFile[] {
  const methods = new Map(mapping.methods.map((method) => [method.id, method]));
  const files = new Map<string, string>();
  for (const { method: id, surface, exchanges, outcome } of readings) {
    const path = `${surface}/${id}.txt`;
    const method = methods.get(id);
    if (outcome.outcome !== 'answered' || method === undefined || exchanges.length === 0 || files.has(path))
      continue;
    const texts = exchanges.map((exchange) =>
      golden(exchange, maskedParts(exchange, method, surface, mapping).join('/')),
    );
    files.set(path, texts.join('\n'));
  }
  return Array.from(files, ([path, text]) => ({ path, text }));
}

function golden(exchange: Exchange, path: string): string {
  const { verb, query, status, headers, sent } = exchange;
  const names = query.map(
    ([name, value]) =>
      `${name}=${/^[a-z,-]+$/i.test(value) && !FREE_PARAMETERS.has(name.toLowerCase()) ? value : typeWords(value)}`,
  );
  const lines = [
    `${verb} /${path}${names.length === 0 ? '' : `?${names.join('&')}`}`,
    ...(sent === undefined ? [] : ['', maskedText(sent)]),
    '',
    String(status),
    ...Object.entries(headers).flatMap(([name, value]) =>
      shownHeaders.test(name) ? [`${name}: ${name === 'content-type' ? value : typeWords(value)}`] : [],
    ),
    '',
    maskedText(exchange.body),
  ];
  return `${lines.join('\n')}\n`;
}

const shownHeaders = /^(?:content-type|retry-after|x-.*limit.*|.*ratelimit.*)$/;

/** Masks the values of JSON or XML; any other text is reduced to its type. */
function maskedText(text: string): string {
  if (text.trim() === '') return '';
  try {
    return JSON.stringify(maskedJson(JSON.parse(text)), undefined, 2);
  } catch {
    const root = xmlOf({ body: text });
    return root === undefined ? '(text)' : maskedXml([root], '').join('\n');
  }
}

function maskedJson(value: unknown): unknown {
  if (Array.isArray(value)) {
    const entries = value as readonly unknown[];
    if (entries.every(isObject)) return entries.length === 0 ? [] : [mergedJson(entries)];
    return [...new Set(entries.map((entry) => maskedJson(entry)))];
  }
  return isObject(value) ? mergedJson([value]) : typeWords(value);
}

/** Merges objects: every key, with all types it was seen with. */
function mergedJson(objects: readonly object[]): object {
  const values = new Map<string, unknown[]>();
  for (const one of objects)
    for (const [key, value] of Object.entries(one)) values.set(key, [...(values.get(key) ?? []), value]);
  return Object.fromEntries(
    Array.from(values, ([key, all]) => {
      const filled = all.filter((value) => value !== null && value !== '');
      const nested = filled.filter(isObject);
      if (nested.length > 0) return [key, mergedJson(nested)];
      if (filled.some(Array.isArray)) return [key, maskedJson(filled.flat())];
      return [key, [...new Set(filled.map(typeWords))].join(' or ') || 'nothing'];
    }),
  );
}

/** Merges elements of the same name, in order of first occurrence. */
function maskedXml(elements: readonly XmlElement[], indent: string): readonly string[] {
  const names = new Map<string, XmlElement[]>();
  for (const one of elements) names.set(one.name, [...(names.get(one.name) ?? []), one]);
  return Array.from(names, ([name, all]) => {
    const children = all.flatMap((one) => one.children);
    if (children.length > 0)
      return [`${indent}<${name}>`, ...maskedXml(children, `${indent}  `), `${indent}</${name}>`];
    const types = [...new Set(all.map(({ text }) => (name === 'Status' ? text : typeWords(text.trim()))))];
    return [`${indent}<${name}>${types.join(' or ')}</${name}>`];
  }).flat();
}
