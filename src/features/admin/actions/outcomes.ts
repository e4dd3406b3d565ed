/**
 * The words for the effect of an action on an account: the same in the preview, in the result and on the command line.
 */
import type { CampaignAnswer } from '../../campaign/asking/campaign-answer.ts';
import { reasonsOf } from '../../consent/awaiting.ts';
import type { WeighedConsent } from '../../consent/model.ts';
import { personOf } from '../../../upstream/organisation.ts';
import { leftAlone, type ForecastOutcome, type ResultOutcome } from './action-results.ts';
import { minutesIn } from '../../../lib/time/zone.ts';
import { AdminRefusal } from '../refusal.ts';
import { actions, messageWords, type AdminAction } from './words.ts';

/** For a fault of the program or its surroundings. */
export const UNEXPECTED = 'something went wrong; the log says what, for a command its standard error';

/** The organisation to decide on, and the reasons for and against it. */
function consentWords(consent: WeighedConsent): string {
  const reasons = reasonsOf(consent);
  const said = (words: readonly string[]): string => (words.length === 0 ? 'nothing' : words.join(', '));
  return `${consent.organisation.name}, approved by ${personOf(consent.by)}; for it: ${said(reasons.for)}; against it: ${said(reasons.against)}`;
}

/** What would happen to a consent that waits, unless it is none of those that the operator saw. */
export function forecastOfConsent(
  { action, consents }: Extract<AdminAction, { readonly action: 'confirm' | 'refuse' }>,
  consent: WeighedConsent | undefined,
  caution: string | undefined,
): ForecastOutcome {
  if (consent === undefined) return { ...leftAlone('notAwaiting'), checks: [] };
  if (consents?.includes(consent.id) === false) return { ...leftAlone('otherConsent'), checks: [] };
  if (action === 'confirm' && consent.takenBy !== undefined)
    return { ...leftAlone('organisationTaken'), checks: [] };
  return { outcome: 'will', words: consentWords(consent), caution, checks: [], consent: consent.id };
}

/** The customer's own time zone is not known here, so times are in UTC everywhere. */
const later = ({ at }: Extract<CampaignAnswer, { readonly outcome: 'queued' }>): string =>
  at === undefined ? '' : `, ${minutesIn('UTC')(at)} UTC`;

/** What would happen to a requested message. */
export function forecastOf(answer: CampaignAnswer, caution: string | undefined): ForecastOutcome {
  if (answer.outcome === 'left') return { ...leftAlone(answer.reason), checks: [] };
  const words =
    answer.outcome === 'withdrawn'
      ? 'its invitation would be withdrawn'
      : `${messageWords(answer.kind, answer.to)} would be sent${later(answer)}`;
  return { outcome: 'will', words, caution, checks: [] };
}

/** What happened to a requested message. */
export function resultOf(answer: CampaignAnswer): ResultOutcome {
  if (answer.outcome === 'left') return leftAlone(answer.reason);
  return {
    outcome: 'done',
    words:
      answer.outcome === 'withdrawn'
        ? 'its invitation was withdrawn'
        : `${messageWords(answer.kind, answer.to)} was queued${later(answer)}`,
  };
}

/** Each account once, in the order given. Throws `AdminRefusal` too-many. */
export function distinct({ action }: AdminAction, accountIds: readonly string[]): readonly string[] {
  const ids = [...new Set(accountIds)];
  const { most, words } = actions[action];
  if (ids.length > most)
    throw new AdminRefusal(
      'too-many',
      `${words}: at most ${most} accounts at once, and these are ${ids.length}`,
    );
  return ids;
}
