import { isRead } from '../../mapping/compile/reads.ts';
import type { Method } from '../../mapping/compile/model.ts';

/** A list of records that takes the moment since which they have changed. */
export interface ChangeList {
  readonly method: Method;
  readonly parameter: string;
}

/** The list of the same records that takes a moment, if the service has one. */
export function changeListOf({ reply }: Method, methods: Iterable<Method>): ChangeList | undefined {
  if (!('of' in reply)) return undefined;
  for (const method of methods) {
    const parameter = [...method.query.values()].find((name) =>
      name.toLowerCase().startsWith('modifiedsince'),
    );
    const isSame = method.reply.form === 'list' && method.reply.element === reply.element;
    if (parameter !== undefined && isSame && method.requires.length === 0 && isRead(method))
      return { method, parameter };
  }
  return undefined;
}
