/**
 * Which kinds of numbered records a write may add, from the mapping: the record itself, entries of the lists that are sent
 * with it or belong only to it, and what the mapping names besides. A record that the write merely refers to is not added.
 */
import type { Mapping, Method, RecordTable } from './compile/model.ts';
import { isRead } from './compile/reads.ts';
import { isOwnIdentifier, type Kind, type KindsAdded } from './crosswalk/identifier.ts';

/**
 * Made when the first write asks, because most commands need no mapping, which is compiled when it is first read.
 * `generic`: a call without a row of its own that creates a record may add anything.
 */
export function kindsAddedBy(mapping: Pick<Mapping, 'methods' | 'kinds'>): KindsAdded {
  let byMethod: ReadonlyMap<string, readonly Kind[]> | undefined;
  return (id) => {
    byMethod ??= addedByMethod(mapping);
    return byMethod.get(id) ?? [];
  };
}

const addedByMethod = ({
  methods,
  kinds,
}: Pick<Mapping, 'methods' | 'kinds'>): ReadonlyMap<string, readonly Kind[]> =>
  new Map([
    ...methods.map((method) => [method.id, addedBy(method).filter((kind) => kinds.has(kind))] as const),
    ['generic', [...kinds.keys()]] as const,
  ]);

function addedBy(method: Method): readonly Kind[] {
  const { creates, reply, settle, body, adds } = method;
  if (isRead(method)) return [];
  const isMade = creates || settle?.way === 'made';
  const shown = 'of' in reply ? reply.of : undefined;
  const entries = shown === undefined ? [] : entryKinds(shown, body?.of, isMade);
  return [...new Set([...adds, ...(isMade ? madeKinds(method) : []), ...entries])];
}

/** The kinds of the numbers of the record itself. */
function madeKinds({ reply, settle }: Method): readonly Kind[] {
  const shown = 'of' in reply ? ownKinds(reply.of) : [];
  const answered = reply.form === 'id' ? [reply.kind] : [];
  const found = settle?.way === 'made' ? [settle.kind, settle.numbered?.kind] : [];
  return [...shown, ...answered, ...found].filter((kind) => kind !== undefined);
}

/** `isMade`: the record is new. A change may add entries to a list that it sends. */
function entryKinds(shown: RecordTable, sent: RecordTable | undefined, isMade: boolean): readonly Kind[] {
  return shown.rows.flatMap((row) => {
    if (row.holds !== 'list') return [];
    const given = sent?.byLegacyName.get(row.element.toLowerCase());
    const inner = given?.holds === 'list' ? given.of : undefined;
    if (inner === undefined && !(isMade && row.isOwn)) return [];
    return [...ownKinds(row.of), ...entryKinds(row.of, inner, isMade)];
  });
}

const ownKinds = (table: RecordTable): readonly Kind[] =>
  table.rows.flatMap((row) => (row.holds === 'value' && isOwnIdentifier(row) ? (row.kind ?? []) : []));
