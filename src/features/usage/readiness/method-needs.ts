import { lossesOf, type Loss } from '../../../mapping/compile/loss.ts';
import type { Method, RecordRow, RecordTable } from '../../../mapping/compile/model.ts';

/** An element as the mapping spells it. */
export interface Element {
  /** `Client/Relationships/Percentage`: without the entries of lists. */
  readonly path: string;
  /** The mapping has a row for it. */
  readonly isKnown: boolean;
  /** A record may lack it: V1 leaves it out while it is unset, or it is an entry of a list. */
  readonly isOptional: boolean;
}

/** What the mapping says about a method, by the elements that a program uses. */
export class MethodNeeds {
  readonly method: Method;
  readonly losses: readonly Loss[];
  readonly #lost: ReadonlyMap<string, Loss & { readonly loss: 'element' }>;

  constructor(method: Method) {
    this.method = method;
    this.losses = lossesOf(method);
    this.#lost = new Map(
      this.losses.flatMap((loss) =>
        loss.loss === 'element' ? [[keyOf(loss.of, loss.element), loss] as const] : [],
      ),
    );
  }

  /** Why V2 does not carry an element. */
  lost(of: 'request' | 'reply', element: string): (Loss & { readonly loss: 'element' }) | undefined {
    return this.#lost.get(keyOf(of, element));
  }

  /** The element at a path of a request; undefined if the method has no body. */
  sent(path: string): Element | undefined {
    const { body } = this.method;
    if (body === undefined) return undefined;
    const [, ...rest] = path.split('/');
    return elementAt(body.root, body.of, rest);
  }

  /** The element at a path below `Response`; undefined if it is not part of a record. */
  received(path: string): Element | undefined {
    const { reply } = this.method;
    if (!('of' in reply)) return undefined;
    const segments = path.split('/');
    const record = reply.element.toLowerCase();
    // Points to the record, or to the record within its container.
    const place = segments.findIndex((name, index) => index < 2 && name.toLowerCase() === record);
    const rest = segments.slice(place + 1);
    return place < 0 || rest.length === 0 ? undefined : elementAt(reply.of.name, reply.of, rest);
  }
}

const keyOf = (of: string, element: string): string => `${of} ${element.toLowerCase()}`;

function elementAt(root: string, table: RecordTable, segments: readonly string[]): Element {
  const path = [root];
  let isOptional = false;
  let at: RecordTable | undefined = table;
  for (let place = 0; place < segments.length; place += 1) {
    const name = segments[place] ?? '';
    const row: RecordRow | undefined = at?.byLegacyName.get(name.toLowerCase());
    if (row === undefined) return { path: [root, ...segments].join('/'), isKnown: false, isOptional: false };
    path.push(row.element);
    isOptional = !('unset' in row) || row.unset !== 'empty';
    at = row.holds === 'value' ? undefined : row.of;
    // The entries of a list have a name of their own.
    if (row.holds === 'list' && segments[place + 1]?.toLowerCase() === row.child.toLowerCase()) {
      place += 1;
      isOptional = true;
    }
  }
  return { path: path.join('/'), isKnown: true, isOptional };
}
