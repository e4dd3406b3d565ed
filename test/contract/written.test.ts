import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { XmlElement } from '../../src/lib/xml/element.ts';
import { lossesOf } from '../../src/mapping/compile/loss.ts';
import type { Method, RecordTable } from '../../src/mapping/compile/model.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { Service, type Way } from './four-ways.ts';
import { seed, xmlOf } from './requests.ts';
import {
  chosen,
  ofPractice,
  usualValues,
  withoutValues,
  writings,
  type Values,
  type Writing,
} from './writings.ts';

/**
 * No write answers OK for a value that it threw away. Each element of each method that V2 can serve is written through V1,
 * to see what it changes there, and then through V2, with no V3 to stand in. Either V1 then shows the same, or the call is
 * refused by the name of the element and has written nothing. Only the taxes of a purchase order are lost: the operator
 * has chosen so.
 */

const mapping = deliveredMapping();
const methodOf = (id: string): Method => {
  const method = mapping.methods.find((one) => one.id === id);
  if (method === undefined) throw new Error(`there is no method ${id}`);
  return method;
};

/** The elements of a request that hold a value, by their paths, with what to write there. */
function elementsOf(
  { rows }: Pick<RecordTable, 'rows'>,
  values: Writing['values'],
  under = '',
): Record<string, Values> {
  return Object.fromEntries(
    rows.flatMap((row): readonly (readonly [string, Values])[] => {
      const path = `${under}${row.element}`;
      if (row.holds === 'value') {
        const usual = usualValues[row.kind ?? row.format] ?? usualValues.text;
        const given = values?.[path] ?? usual;
        return given === undefined || row.isAttribute ? [] : [[path, given]];
      }
      const within = row.holds === 'list' ? `${path}/${row.child}/` : `${path}/`;
      return Object.entries(elementsOf(row.of, values, within));
    }),
  );
}

/** What differs by itself: identifiers of new records, links, and who wrote. */
const OWN = /\/(?:ID|InternalID|URL)=(?!.*\{mark\})|\/History\//;

/** The texts of a record, each with where it is. */
function textsIn({ name, children, text }: XmlElement, mark: string, under = ''): readonly string[] {
  const path = `${under}/${name}`;
  if (children.length > 0) return children.flatMap((child) => textsIn(child, mark, path));
  const line = `${path}=${text.replaceAll(mark, '{mark}')}`;
  return OWN.test(line) || chosen.loses.test(line) ? [] : [line];
}

const holds = (record: XmlElement, text: string): boolean =>
  record.children.length === 0
    ? `<${record.name}>${record.text}</${record.name}>`.includes(text)
    : record.children.some((child) => holds(child, text));

const valueOf = ({ children }: XmlElement, name: string): string | undefined =>
  children.find((child) => child.name === name)?.text;

/** The file behind the link of a document. */
async function fileOf(record: XmlElement): Promise<readonly string[]> {
  const link = valueOf(record, 'URL');
  if (link?.startsWith('http') !== true) return [];
  const answer = await fetch(link);
  return [`file ${answer.headers.get('content-disposition') ?? ''}`, `holds ${await answer.text()}`];
}

/** The element of the loss report that V2 does not keep: this one, or what it is in; undefined: it is kept. */
function lostWith({ id, body }: Method, element: string): string | undefined {
  const lost = lossesOf(methodOf(id)).flatMap((loss) => {
    if (loss.loss === 'toV3') return loss.element ?? [];
    return loss.loss === 'element' && loss.of === 'request' ? loss.element : [];
  });
  const path = `${body?.root ?? ''}/${element}/`;
  return lost.find((name) => name !== chosen.element && path.startsWith(`${name}/`));
}

interface Written {
  /** Why it was refused; empty: it was not. */
  readonly words: string;
  /** What V1 shows of it then. */
  readonly texts: readonly string[];
}

interface Change {
  readonly one: Writing;
  readonly method: Method;
  readonly element: string;
  readonly before: string;
  readonly after: string;
}

const bodyOf = (
  { base, elements }: Writing,
  { body }: Method,
  given: Readonly<Record<string, string>>,
): string => {
  const root = body?.root ?? '';
  const inner = elements ? `${xmlOf(base)}${Object.values(given).join('')}` : xmlOf({ ...base, ...given });
  return `<${root}>${inner}</${root}>`;
};

/** Each element by itself, and all together that V2 is said to keep. */
function changesOf(one: Writing): readonly Change[] {
  const method = methodOf(one.method);
  const { values } = one;
  const all = Object.entries(one.elements ?? elementsOf(method.body?.of ?? { rows: [] }, values)).filter(
    ([element]) => values?.[element] !== undefined || one.base[element] === undefined,
  );
  const change = (element: string, some: typeof all): Change => ({
    ...{ one, method, element },
    before: bodyOf(one, method, Object.fromEntries(some.map(([name, [before]]) => [name, before]))),
    after: bodyOf(one, method, Object.fromEntries(some.map(([name, [, after]]) => [name, after]))),
  });
  const kept = all.filter(([element]) => lostWith(method, element) === undefined);
  return [
    ...all.map((entry) => change(entry[0], [entry])),
    ...(one.elements || kept.length < 2 ? [] : [change('everything', kept)]),
  ];
}

describe('a value written through V2', () => {
  let service: Service;
  let marks = 0;

  beforeAll(async () => {
    service = await Service.open(seed, { CAUSEWAY_LOSSY_WRITES: `drop:${chosen.element}` });
  });
  afterAll(async () => {
    await service.close();
    expect(service.sandbox.complaints).toEqual([]);
  });

  async function write(way: Way, { one }: Change, body: string): Promise<Written> {
    const mark = `Mark${String((marks += 1)).padStart(5, '0')}`;
    const [verb = '', path = ''] = one.call.split(' ');
    service.watch.changes();
    const answer = await service.send(way, verb, path, body.replaceAll('{mark}', mark));
    if (valueOf(answer, 'Status') !== 'OK') {
      // What is refused has written nothing.
      expect(service.watch.changes()).toEqual([]);
      return { words: valueOf(answer, 'ErrorDescription') ?? 'no words', texts: [] };
    }
    const holding = one.holding?.replaceAll('{mark}', mark) ?? '';
    const texts: string[] = [];
    let id = '';
    for (const [read, ...names] of one.reads)
      for (const record of await service.records('V1', read.replace('{ID}', id), names)) {
        if (!holds(record, holding)) continue;
        id = valueOf(record, 'ID') ?? '';
        texts.push(...textsIn(record, mark), ...(await fileOf(record)));
      }
    return { words: '', texts };
  }

  it.each(writings.flatMap(changesOf))(
    'reads on V1 as if written there, or is refused by name: $element of $one.method',
    async (change) => {
      const { one, method, element, before, after } = change;
      const was = await write('V1', change, before);
      const is = await write('V1', change, after);
      expect([was.words, is.words]).toEqual(['', '']);
      if (one.holding?.includes('{mark}') !== true) await write('V1', change, before);
      const seen = await write('V2 alone', change, after);
      const lost = lostWith(method, element);
      if (lost !== undefined) {
        expect(seen.words).toContain(`${lost} cannot be written through the connected service`);
        return;
      }
      expect(seen.words).toBe('');
      const come = is.texts.filter((text) => !was.texts.includes(text));
      const gone = was.texts.filter((text) => !is.texts.includes(text));
      expect([...come, ...gone].length > 0).toBe(!ofPractice.includes(`${method.id} ${element}`));
      expect(come.filter((text) => !seen.texts.includes(text))).toEqual([]);
      expect(gone.filter((text) => seen.texts.includes(text))).toEqual([]);
    },
  );

  it('is tried for every method that writes one', () => {
    const asked = [...writings.map(({ method }) => method), ...withoutValues];
    const writing = mapping.methods.filter(
      ({ legacy, v2 }) => v2?.way === 'steps' && !legacy.some(({ verbs }) => verbs.includes('GET')),
    );
    expect(asked.toSorted()).toEqual(writing.map(({ id }) => id).toSorted());
  });
});
