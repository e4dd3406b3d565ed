/** Whether V1 still serves an account whose approval was lost before its move. */
import { sql, type Kysely } from 'kysely';
import { v1Events } from '../../identifiers/learning.ts';
import { HOUR } from '../../../lib/time/clock.ts';
import type { Tables } from '../../../db/tables.ts';
import type { AccountRow } from '../../accounts/sql/tables.ts';

/**
 * The latest sign counts. The identifier sync notes what V1 says of the keys of accounts without an approval; while there
 * is one, V3 answers exactly the calls that V1 refuses. Calls are counted in whole hours: if both answered in the last
 * one, V1 did so before the approval.
 */
export async function isRefusedByV1(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  { id, stage, stage_since: since }: AccountRow,
): Promise<boolean> {
  if (stage !== 'legacy') return false;
  const said = await db
    .selectFrom('account_events')
    .select(['kind', 'at'])
    .where('account_id', '=', id)
    .where('kind', 'in', Object.values(v1Events))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const answered = await db
    .selectFrom('call_hours')
    .select([
      sql<number | null>`max(case when source in ('v3', 'v2') then hour end)`.as('elsewhere'),
      sql<number | null>`max(case when source = 'v1' and calls > errors then hour end)`.as('v1'),
    ])
    .where('account_id', '=', id)
    .executeTakeFirst();
  const [elsewhere, v1] = [answered?.elsewhere ?? 0, answered?.v1 ?? 0];
  if (said !== undefined && said.at >= Math.min(since, Math.max(elsewhere, v1) + HOUR))
    return said.kind === v1Events.refused;
  return elsewhere > 0 && elsewhere >= v1;
}
