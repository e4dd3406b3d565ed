/**
 * Which writes of an account any process has recorded so far, and which may still be carried out.
 *
 * A call may use the answer to a read that left before the call arrived, if the marks looked at before the read show no
 * write in progress, and a second look after the call's arrival finds the same marks: then no write of the bridge can have
 * been answered in between. Every write is recorded before it leaves, so this holds on every instance that shares the
 * database.
 */
import { sql, type Compilable, type CompiledQuery, type Kysely } from 'kysely';
import type { Engine } from '../../../db/engine.ts';
import type { Tables } from '../../../db/tables.ts';

/** The marks of one account at one moment. */
export interface Marks {
  /** Recorded writes by method. */
  readonly counts: ReadonlyMap<string, number>;
  /** Methods of writes whose outcome is not known yet. */
  readonly open: ReadonlySet<string>;
}

/** Whether a method's writes concern a read. */
export type Touches = (method: string) => boolean;

/** Whether no write that concerns the read was recorded between the two looks, nor in progress at the first. */
export function isUntouched(first: Marks, second: Marks, touches: Touches): boolean {
  return isQuiet(first, touches) && countOf(first, touches) === countOf(second, touches);
}

/** No write that concerns the read is in progress. */
export const isQuiet = ({ open }: Marks, touches: Touches): boolean => !Array.from(open).some(touches);

function countOf({ counts }: Marks, touches: Touches): number {
  let sum = 0;
  for (const [method, count] of counts) if (touches(method)) sum += count;
  return sum;
}

/** Reads the marks. */
export class WriteMarks {
  readonly #engine: Pick<Engine, 'read'>;
  /** With any account: reads that join another ask often, and making the statement costs more than SQLite's answer. */
  #statement: CompiledQuery<Row> | undefined;

  constructor(engine: Pick<Engine, 'read'>) {
    this.#engine = engine;
  }

  /** As they are in one moment after this was called. Throws `StoreFault`. */
  async look(accountId: string): Promise<Marks> {
    const { rows } = await this.#engine.read((reads) => {
      this.#statement ??= marksOf(reads, accountId).compile();
      return reads.executeQuery<Row>({ ...this.#statement, parameters: [accountId] });
    });
    return {
      counts: new Map(rows.map(({ method, count }) => [method, count])),
      open: new Set(rows.filter(({ open }) => open > 0).map(({ method }) => method)),
    };
  }
}

interface Row {
  readonly method: string;
  readonly count: number;
  readonly open: number;
}

/** Its one parameter is the account. */
const marksOf = (reads: Kysely<Tables>, accountId: string): Compilable<Row> =>
  reads
    .selectFrom('write_marks as mark')
    .select([
      'mark.method',
      'mark.count',
      sql<number>`(select count(*) from writes where writes.account_id = mark.account_id
        and writes.state in ('open', 'unknown') and writes.method = mark.method)`.as('open'),
    ])
    .where('mark.account_id', '=', accountId);
