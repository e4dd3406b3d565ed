import { AdminRefusal } from '../../features/admin/refusal.ts';
import { sentenceOf } from '../../lib/text/sentence.ts';
import type { Deed } from './session/session-guard.ts';

/** Runs an action; if it is refused, `again` shows the same page with the reason and the entered values. */
export async function tried(
  deed: Deed,
  act: () => Promise<void>,
  again: (values: {
    readonly problem: string;
    readonly given: Readonly<Record<string, string>>;
  }) => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof AdminRefusal)) throw error;
    await again({ problem: sentenceOf(error.message), given: Object.fromEntries(deed.form) });
  }
}
