import type { AdminService } from '../../../features/admin/admin.ts';
import { personOf, reasonsOf } from '../../../features/consent/awaiting.ts';
import type { Visit } from '../session/session-guard.ts';
import type { ConsolePages } from '../pages.ts';

export interface ConsentsParts {
  readonly admin: Pick<AdminService, 'consents'>;
  readonly pages: ConsolePages;
}

/** Consents at once: as many as one action takes. */
const MOST = 1_000;

/**
 * Consents that nothing proves, all on one page. It is not kept up to date by itself: what is judged is what was looked
 * at.
 */
export async function consents({ admin, pages }: ConsentsParts, { response, session }: Visit): Promise<void> {
  const all = await admin.consents();
  pages.send(response, 200, 'consents', {
    title: 'Consents',
    session,
    total: all.length,
    shown: all.slice(0, MOST).map((consent) => ({
      ...consent,
      person: consent.by.name ?? consent.by.userId,
      known: personOf(consent.by),
      reasons: reasonsOf(consent),
    })),
  });
}
