import { SECOND } from '../../../lib/time/clock.ts';
import { Status } from '../../../features/status/status.ts';
import { Tokens } from '../../../features/admin/tokens/tokens.ts';
import type { Services } from '../services.ts';

/** Nothing is read from V1 if V3 knows its numbers. */
const needsNumbers = ({ profile }: Services['settings']): boolean => profile.v3.identifiers === 'uuid';

/** The state of the migration, for every form of the report. */
export const statusOf = ({ store, clock, settings, mapping }: Services): Status =>
  new Status({
    rows: store.statusReport,
    groups: store.console.groups,
    search: (words) => store.accounts.search(words),
    kinds: () => (needsNumbers(settings) ? [...mapping.kinds.keys()] : []),
    clock,
    options: {
      refreshLife: settings.profile.durations.refresh * SECOND,
      zone: settings.zone,
      v1End: settings.v1End,
      mails: settings.mail !== undefined,
      language: settings.messages.language,
      v1: {
        answers: settings.v1 !== undefined,
        numbers: needsNumbers(settings),
      },
    },
  });

/** The tokens of console and API. */
export const tokensOf = ({ store, ring, clock, random }: Services): Tokens =>
  new Tokens({
    tokens: store.tokens,
    sessions: store.sessions,
    audit: store.audit,
    seal: ring,
    clock,
    random,
  });
