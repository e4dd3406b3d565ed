import type { AdminService } from '../../../features/admin/admin.ts';
import { reasonsOf } from '../../../features/consent/awaiting.ts';
import { personOf } from '../../../upstream/organisation.ts';
import type { Visit } from '../session/session-guard.ts';
import type { ConsolePages } from '../pages.ts';

export interface ConsentsParts {
  readonly admin: Pick<AdminService, 'consents'>;
  readonly pages: ConsolePages;
}

/** Most consents on a page: as many as one action accepts. */
const MOST = 1_000;

/**
 * Consents without proof, all on one page. The page does not refresh itself: the operator judges what is on the screen.
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
