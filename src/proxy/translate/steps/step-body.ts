/**
 * Builds the body that a step sends to V2: JSON, or a form with a file.
 *
 * In order: the rows of the request, each where the mapping puts it; values the mapping sets regardless of the request;
 * defaults where the request has no value, which are counted for the loss report; last, lists that V2 replaces as a
 * whole. Their current entries are read first and written back with one more or fewer, because V2 drops entries that
 * are not sent. A list whose current entries are unknown is never sent: it would clear the real one. A value in the
 * wrong form, or the name of a record that does not exist, refuses the request before anything is written.
 */
import { randomUUID } from 'node:crypto';
import { filled, type LongContent } from '../../../features/writes/documents/long-content.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Kind } from '../../../mapping/crosswalk/identifier.ts';
import type { Upload } from '../../../upstream/model.ts';
import { isOfRequest } from '../../../mapping/compile/loss.ts';
import type { KindTable } from '../../../mapping/compile/model.ts';
import {
  entries,
  own,
  putAt,
  spread,
  textOf,
  valueAt,
  writtenPath,
  type Path,
} from '../../../mapping/compile/path.ts';
import type { EditedList, EntryValues, Fixed, StepBody } from '../../../mapping/compile/v2/v2-model.ts';
import { missing, type Dropped } from '../../call/request.ts';
import { wordsFor } from '../../call/status.ts';
import type { Context } from '../context.ts';
import { isEmpty, valueOf } from '../template-values.ts';
import { isGiven, type Given } from '../lookups/given.ts';
import { toJson } from '../json/json-body.ts';
import { NotListed } from '../lookups/lookups.ts';
import { decodeBase64, multipart, type FormPart } from '../multipart.ts';

/** What `StepBodies` needs. */
export interface BodyParts {
  readonly kinds: ReadonlyMap<Kind, KindTable>;
  /** The root element of the request, for messages. */
  readonly root: string;
  readonly dropped: Dropped;
  /** A long document, with a mark in place of its content. */
  readonly document?: { readonly content: LongContent | undefined } | undefined;
  /** Called with each place in V2 that got a default. */
  readonly defaulted: (place: string) => void;
}

/** The bodies of steps: the request by the paths of its rows, and the mapping's additions. */
export class StepBodies {
  readonly #parts: BodyParts;

  constructor(parts: BodyParts) {
    this.#parts = parts;
  }

  /** Throws `Failure` refused for a value in the wrong form, or for the name of something that does not exist. */
  async of(body: StepBody, context: Context): Promise<string | Upload> {
    const json = await this.#json(body, context);
    if (body.form === 'json') return JSON.stringify(json);
    this.#checkFile(json, body);
    const { root, document } = this.#parts;
    const content = document?.content;
    if (content === undefined || json.file !== content.mark)
      return multipart(await formOf(json, root), randomUUID());
    if (content.decodedLength === undefined) throw notBase64(root);
    const form = await multipart(partsOf(json, Buffer.from(content.mark)), randomUUID());
    return { ...form, bytes: filled(form.bytes, content, 'decoded') };
  }

  /** Checks that an upload has a file and a name; V3 does this itself. */
  #checkFile(json: Record<string, unknown>, { of }: StepBody): void {
    for (const row of of?.rows ?? []) {
      const [first] = row.v2?.paths ?? [];
      const key = first?.[0]?.step === 'key' ? first[0].name : '';
      if (['file', 'fileName'].includes(key) && (textOf(json[key]) ?? '').trim() === '')
        throw missing([this.#parts.root, row.element]);
    }
  }

  async #json(body: StepBody, context: Context): Promise<Record<string, unknown>> {
    const { lookups } = context;
    try {
      return await lookups.settled(() => {
        const json = this.#written(body, context);
        for (const [path, value] of body.set)
          for (const [into, target] of spread(json, path)) putAt(into, target, this.#fixed(value, context));
        for (const [path, value] of body.defaults)
          for (const [into, target] of spread(json, path)) {
            if (!isEmpty(valueAt(into, target, () => undefined))) continue;
            putAt(into, target, this.#fixed(value, context));
            if (!isOfRequest(value)) this.#parts.defaulted(writtenPath(path));
          }
        for (const list of body.lists) putAt(json, list.at, edited(list, context));
        return json;
      });
    } catch (error) {
      if (!(error instanceof NotListed)) throw error;
      throw new Failure('refused', { text: error.words ?? wordsFor(422), cause: error });
    }
  }

  /** The values of the request, written into the lists that V2 would otherwise replace. */
  #written(body: StepBody, context: Context): Record<string, unknown> {
    const given = this.#given(body, context);
    const { of } = body;
    if (of === undefined || given === undefined) return {};
    const writing = {
      empty: body.empty,
      keyOf: (table: string, field: string, text: string) => context.lookups.keyOf(table, field, text),
      find: context.lookups.finder(undefined),
      unknown: (kind: Kind) => this.#parts.kinds.get(kind)?.error,
      dropped: this.#parts.dropped,
    };
    const json = toJson(given, of, writing, this.#parts.root);
    const before: Record<string, unknown> = {};
    for (const [path, template] of body.keep)
      if (valueAt(json, path, () => undefined) !== undefined)
        putAt(before, path, structuredClone(listed(valueOf(template, context), path)));
    return isEmpty(before) ? json : toJson(given, of, writing, this.#parts.root, before);
  }

  #given(body: StepBody, context: Context): Given | undefined {
    const source = context.item !== undefined && body.at.length === 0 ? context.item : context.body;
    const value = valueAt(source, body.at, () => undefined);
    return isGiven(value) ? value : undefined;
  }

  #fixed(fixed: Fixed, context: Context): unknown {
    if ('value' in fixed) return fixed.value;
    const values = fixed.templates.map((template) => valueOf(template, context));
    return values.find((value) => !isEmpty(value)) ?? values.at(-1);
  }
}

/** The new content of the list. */
function edited({ at, of, take, with: more, without }: EditedList, context: Context): readonly unknown[] {
  const held = listed(valueOf(of, context), at).map((entry) =>
    Object.fromEntries(take.map((name) => [name, own(entry, name)])),
  );
  const entry = (values: EntryValues): Record<string, unknown> =>
    Object.fromEntries(
      values.map(([name, value]) => [name, typeof value === 'number' ? value : valueOf(value, context)]),
    );
  const isSame = (a: unknown, b: unknown): boolean => textOf(a)?.toLowerCase() === textOf(b)?.toLowerCase();
  const isAmong = (a: unknown, some: unknown): boolean => [some].flat().some((value) => isSame(a, value));
  const gone = without && entry(without);
  const left = gone
    ? held.filter((one) => !Object.entries(gone).every(([name, value]) => isAmong(one[name], value)))
    : held;
  const added = more && entry(more);
  const [key = ''] = Object.keys(added ?? {});
  return added === undefined || left.some((one) => isSame(one[key], added[key])) ? left : [...left, added];
}

/**
 * Refuses an answer without the list, also one with `null`: the list may have entries, and written back as empty it would
 * be cleared. `at`: its place in the body.
 */
function listed(value: unknown, at: Path): readonly unknown[] {
  const list = entries(value);
  if (list.length === 0 && !Array.isArray(value)) throw notShown(writtenPath(at));
  return list;
}

const notShown = (name: string): Failure =>
  new Failure('upstreamAnswer', {
    text: `The service does not show the present ${name} of this record, which this change would replace as a whole, so the change was not sent`,
    isLasting: true,
  });

/** `file` is the content in base64, `fileName` its name; every other key becomes a field of its own. */
async function formOf(json: Record<string, unknown>, root: string): Promise<readonly FormPart[]> {
  const bytes = await decodeBase64(textOf(json.file) ?? '');
  if (bytes === undefined) throw notBase64(root);
  return partsOf(json, bytes);
}

function partsOf(json: Record<string, unknown>, bytes: Buffer): readonly FormPart[] {
  const fields = Object.entries(json).filter(([name]) => name !== 'file' && name !== 'fileName');
  return [
    ...fields.flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [{ name, value: text }];
    }),
    {
      name: 'file',
      fileName: textOf(json.fileName) ?? 'document',
      contentType: 'application/octet-stream',
      bytes,
    },
  ];
}

const notBase64 = (root: string): Failure =>
  new Failure('refused', { text: `The content of the ${root.toLowerCase()} is not base64` });
