/** The name of an erased account in the reason why its wave was stopped. */
import type { Trx } from '../../db/tables.ts';

/** `WAVE: REASON`, as the timeline of the account has it that stopped the wave: no reason names any other account. */
export async function stopsOf(trx: Trx, accountId: string): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom('account_events')
    .select('detail')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'wave.stopped')
    .execute();
  return rows.map(({ detail }) => detail);
}

/** Leaves out the reason, which names the account, in the wave and where other accounts of it wait for the wave. */
export async function blankStops(trx: Trx, stops: readonly string[]): Promise<void> {
  for (const stop of stops) {
    const waves = await trx.selectFrom('waves').select(['name', 'reason']).execute();
    for (const { name, reason } of waves)
      if (stop === `${name}: ${reason}`)
        await trx.updateTable('waves').set({ reason: ERASED }).where('name', '=', name).execute();
    for (const colon of colonsIn(stop)) {
      const wave = stop.slice(0, colon);
      await trx
        .updateTable('account_events')
        .set({ detail: `its wave ${wave} is stopped` })
        .where('kind', '=', 'cutover.waiting')
        .where('detail', '=', `its wave ${wave} is stopped${stop.slice(colon)}`)
        .execute();
    }
  }
}

/** A wave may have a colon in its name. */
const colonsIn = (text: string): readonly number[] => Array.from(text.matchAll(/: /g), ({ index }) => index);

/** Instead of the reason of a wave that named an erased account. */
const ERASED = 'an account that has been erased since was in trouble';
