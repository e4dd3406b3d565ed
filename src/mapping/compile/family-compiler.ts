/**
 * Compiles one mapping file, a family of methods such as `client.api`, into the tables that serve calls.
 *
 * Names are resolved here and not on a call: each method gets its records, each row its kind, its format and
 * its names on V1 and V3. A record may contain itself. Every fault is collected with file, line and rule, so
 * that one start finds all of them; a mapping with any fault is not served.
 */
import { routeEvidence } from '../evidence.ts';
import type { Kind } from '../crosswalk/identifier.ts';
import { faultsOfElsewhere } from './elsewhere.ts';
import type { MappingFault } from './fault.ts';
import {
  TEXT_NUMBER,
  type CallPattern,
  type KindTable,
  type LocalMethod,
  type Method,
  type PartTable,
  type RecordRow,
  type RecordTable,
  type ReplyForm,
  type Segment,
} from './model.ts';
import type { FamilyScope } from './family-scope.ts';
import { keptKeyOf, keptPartOf } from './kept.ts';
import type { Located } from './read.ts';
import { attributeName, holdsAttribute, inDetail, keyOf } from './reply-tables.ts';
import type { FamilySource, LocalSource, MethodSource, RowSource } from './schema.ts';
import { compileSettle } from '../settle/compile.ts';
import { compileRowTranslation, compileV2Row } from './v2/v2-compile.ts';
import type { V2, V2Tables } from './v2/v2-model.ts';

/** A table whose rows are still being read. */
type Growing = { -readonly [K in keyof RecordTable]: RecordTable[K] };

function parsePattern(call: string): CallPattern {
  const [verbs = '', path = ''] = call.split(' ');
  const segments = path.split('/').map((part): Segment => {
    return part.startsWith('{') ? { kind: part.slice(1, -1) } : { literal: part };
  });
  return { verbs: verbs.split('|'), segments };
}

/** Compiles one family; collects every fault instead of stopping at the first. */
export class FamilyCompiler {
  readonly #file: Located<FamilySource>;
  readonly #naming: FamilyScope['naming'];
  readonly #kinds: ReadonlyMap<Kind, KindTable>;
  readonly #parts: ReadonlyMap<Kind, PartTable>;
  readonly #v2: V2Tables;
  readonly #fault: (fault: MappingFault) => void;
  readonly #tables = new Map<string, RecordTable>();

  constructor(
    file: Located<FamilySource>,
    { kinds, parts, naming, v2 }: FamilyScope,
    fault: (fault: MappingFault) => void,
  ) {
    this.#file = file;
    this.#parts = parts;
    this.#naming = naming;
    this.#kinds = kinds;
    this.#v2 = v2;
    this.#fault = fault;
  }

  methods(): Method[] {
    return Object.entries(this.#file.source.methods).flatMap(([id, method]) =>
      method.route === 'local' ? [] : [this.#method(id, method)],
    );
  }

  /** The methods, once all families are compiled: a `settle` row may name any read. */
  settled(own: readonly Method[], methods: readonly Method[]): Method[] {
    return own.map((method) => {
      const source = this.#file.source.methods[method.id];
      const settle = compileSettle(source?.route === 'local' ? undefined : source?.settle, {
        method,
        methods,
        kinds: this.#kinds,
        blame: (path, rule) => {
          this.#blame(['methods', method.id, 'settle', ...path], rule);
        },
      });
      return { ...method, settle };
    });
  }

  local(): LocalMethod[] {
    return Object.entries(this.#file.source.methods).flatMap(([id, method]) =>
      method.route === 'local' ? [this.#local(id, method)] : [],
    );
  }

  #blame(path: readonly (string | number)[], rule: string): void {
    this.#fault({ file: this.#file.file, line: this.#file.line(path), rule: `${path.join('.')}: ${rule}` });
  }

  #method(id: string, method: MethodSource): Method {
    const at = ['methods', id];
    const legacy = [method.legacy, ...(method.also ?? [])].map((call) =>
      this.#pattern(call, [...at, 'legacy']),
    );
    const v3 = this.#pattern(method.v3, [...at, 'v3']);
    if (v3.verbs.length !== 1) this.#blame([...at, 'v3'], 'V3 takes exactly one verb');
    const elsewhere =
      method.elsewhere === undefined ? undefined : this.#pattern(method.elsewhere, [...at, 'elsewhere']);
    for (const rule of elsewhere ? faultsOfElsewhere(v3, elsewhere) : [])
      this.#blame([...at, 'elsewhere'], rule);
    for (const name of method.requires ?? []) {
      if (!Object.hasOwn(method.query ?? {}, name))
        this.#blame([...at, 'requires'], `${name} is not a parameter`);
    }
    const query = new Map(Object.keys(method.query ?? {}).map((name) => [name.toLowerCase(), name]));
    const body = method.body && {
      root: method.body.root,
      of: this.#table(method.body.of, [...at, 'body', 'of']),
      anyRoot: method.body.anyRoot ?? false,
      otherRoot: method.body.otherRoot,
      large: method.body.large ?? false,
    };
    const kinds = new Set(
      legacy.flatMap(({ segments }) =>
        segments.flatMap((segment) => ('kind' in segment ? [segment.kind] : [])),
      ),
    );
    const v2 = this.#way(method, { at, query, kinds, body: body?.of });
    if (method.evidence?.v2 !== undefined && v2?.way !== 'steps')
      this.#blame([...at, 'evidence', 'v2'], 'the method has no steps for V2');
    if (method.verified?.v2 !== undefined && v2?.way !== 'steps')
      this.#blame([...at, 'verified', 'v2'], 'the method has no steps for V2');
    return {
      ...{ id, summary: method.summary, legacy, query },
      ...{ requires: method.requires ?? [], route: method.route },
      evidence: routeEvidence(method, v2?.way === 'steps'),
      v3,
      elsewhere,
      paged: method.pages ?? false,
      v2,
      body,
      creates: method.creates ?? false,
      adds: (method.adds ?? []).map((kind) => this.#kind(kind, [...at, 'adds'])),
      reply: this.#reply(method.reply, [...at, 'reply']),
      settle: undefined,
      source: method.source ?? this.#file.source.source,
      assumed: method.assumed ?? [],
    };
  }

  #way(
    { v2, route, reply }: MethodSource,
    scope: {
      readonly at: readonly string[];
      readonly query: ReadonlyMap<string, string>;
      readonly kinds: ReadonlySet<Kind>;
      readonly body: RecordTable | undefined;
    },
  ): V2 | undefined {
    const at = [...scope.at, 'v2'];
    if (route === 'v2' && (v2 === undefined || 'none' in v2))
      this.#blame([...scope.at, 'route'], 'the method has no steps for V2, so it cannot be routed there');
    if (v2 === undefined) return undefined;
    if ('none' in v2) return { way: 'none', why: v2.none };
    return compileV2Row(v2, {
      ...scope,
      at,
      tables: this.#v2,
      reply: {
        form: formOf(reply),
        counted: typeof reply === 'object' && 'list' in reply && reply.total !== undefined,
      },
      table: (name, place) => this.#table(name, place.map(String)),
      blame: (place, rule) => {
        this.#blame(place, rule);
      },
    });
  }

  #local(id: string, { summary, legacy, from, source, assumed }: LocalSource): LocalMethod {
    return {
      id,
      summary,
      legacy: this.#pattern(legacy, ['methods', id, 'legacy']),
      from,
      source: source ?? this.#file.source.source,
      assumed: assumed ?? [],
    };
  }

  #pattern(call: string, at: readonly string[]): CallPattern {
    const pattern = parsePattern(call);
    for (const segment of pattern.segments) {
      if ('kind' in segment && segment.kind !== TEXT_NUMBER) this.#kind(segment.kind, at);
    }
    return pattern;
  }

  #kind(kind: Kind, at: readonly string[]): Kind {
    if (!this.#kinds.has(kind)) this.#blame(at, `the identifier kind ${kind} is not in identifiers.yaml`);
    return kind;
  }

  #reply(reply: MethodSource['reply'], at: readonly string[]): ReplyForm {
    if (reply === 'status') return { form: 'status' };
    if ('id' in reply)
      return { form: 'id', kind: reply.id === TEXT_NUMBER ? TEXT_NUMBER : this.#kind(reply.id, at) };
    const of = this.#table(reply.of, [...at, 'of']);
    if (holdsAttribute(of)) this.#blame([...at, 'of'], 'attributes belong to requests');
    if ('one' in reply) {
      const shown = reply.inDetail === true ? inDetail(of) : of;
      return { form: 'one', element: reply.one, of: shown, within: reply.within };
    }
    return { form: 'list', container: reply.list, element: reply.element, of, total: reply.total };
  }

  #table(name: string, at: readonly string[]): RecordTable {
    const known = this.#tables.get(name);
    if (known) return known;
    const source = this.#file.source.records[name];
    if (!source) this.#blame(at, `the record ${name} is missing`);
    const rows: RecordRow[] = [];
    const inTransition: RecordRow[] = [];
    const byLegacyName = new Map<string, RecordRow>();
    const table: Growing = { name, rows, inTransition, byLegacyName, kept: undefined };
    this.#tables.set(name, table); // stored before its rows are compiled: a record may contain itself
    for (const [element, row] of Object.entries(source ?? {})) {
      const compiled = this.#row(element, row, ['records', name, element]);
      (row.only === 'transition' ? inTransition : rows).push(compiled);
      for (const alias of [element, ...compiled.also]) {
        const key = keyOf(row, alias);
        const other = byLegacyName.get(key) ?? compiled;
        if (other !== compiled)
          this.#blame(['records', name, element], `${alias} is read into ${other.element} already`);
        byLegacyName.set(key, compiled);
      }
    }
    if (rows.some(({ snapshot }) => snapshot !== undefined)) table.kept = this.#keptKey(table);
    return table;
  }

  #keptKey(table: RecordTable): RecordTable['kept'] {
    const blame = (rule: string): void => {
      this.#blame(['records', table.name], rule);
    };
    const kind = this.#file.source.parts?.[table.name];
    if (kind === undefined) return keptKeyOf(table, this.#v2, blame);
    const part = this.#parts.get(kind);
    if (part === undefined) this.#blame(['parts', table.name], `${kind} is no part of identifiers.yaml`);
    return part && keptPartOf(table, part, this.#v2, blame);
  }

  #row(element: string, row: RowSource, at: readonly string[]): RecordRow {
    const kind = row.id === undefined ? undefined : this.#kind(row.id, [...at, 'id']);
    const attribute = row.attribute === true ? attributeName(element) : undefined;
    const common = {
      element,
      v3: kind === undefined ? (row.v3 ?? element) : this.#naming(element, row.v3 ?? attribute),
      also: row.also ?? [],
      isRequired: row.required !== undefined,
      required: typeof row.required === 'string' ? row.required : undefined,
      snapshot: row.snapshot,
      isGap: row.gap ?? false,
      isPersonal: row.personal ?? row.snapshot === 'personal',
      hasUuid: row.uuid ?? true,
      v2: compileRowTranslation(row, this.#v2, at, (place, rule) => {
        this.#blame(place, rule);
      }),
    };
    if (row.one !== undefined) return { ...common, holds: 'one', of: this.#table(row.one, [...at, 'one']) };
    if (row.many !== undefined)
      return { ...common, holds: 'many', of: this.#table(row.many, [...at, 'many']) };
    if (row.list !== undefined && row.of !== undefined) {
      const of = this.#table(row.of, [...at, 'of']);
      return {
        ...common,
        holds: 'list',
        child: row.list,
        of,
        unset: row.unset ?? 'asGiven',
        isOwn: row.own ?? false,
      };
    }
    return {
      ...common,
      holds: 'value',
      isAttribute: row.attribute ?? false,
      kind,
      unknown: row.unknown,
      format: row.as ?? 'text',
      unset: row.unset ?? 'empty',
    };
  }
}

function formOf(reply: MethodSource['reply']): 'status' | 'one' | 'list' | 'id' {
  if (reply === 'status') return 'status';
  if ('id' in reply) return 'id';
  return 'one' in reply ? 'one' : 'list';
}
