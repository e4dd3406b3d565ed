import type { ConsentRefusal } from '../../features/consent/model.ts';

/** A page with fixed text: nothing from the address is ever repeated. */
export interface Message extends Readonly<Record<string, unknown>> {
  readonly status: number;
  /** Key of its text, below `messages`. */
  readonly message: string;
}

/** Pages with a single message, with their status. */
export const messages = {
  later: { status: 503, message: 'later' },
  nothing: { status: 200, message: 'nothing' },
  questionOver: { status: 404, message: 'questionOver' },
  fresh: { status: 200, message: 'fresh' },
  slower: { status: 429, message: 'slower' },
  unsubscribed: { status: 200, message: 'unsubscribed' },
  missing: { status: 404, message: 'missing' },
  trouble: { status: 500, message: 'trouble' },
  away: { status: 503, message: 'trouble' },
} as const satisfies Readonly<Record<string, Message>>;

/** The answer to a consent that connected nothing. Its text, below `refusals`, says what was missing and what to do. */
export interface RefusalPage {
  readonly status: number;
  /** Another person may have to do it. */
  readonly canForward: boolean;
}

/** Status and page for each reason why a consent was refused. */
export const refusalPages: Readonly<Record<ConsentRefusal, RefusalPage>> = {
  denied: { status: 200, canForward: true },
  declined: { status: 200, canForward: false },
  noPrivilege: { status: 403, canForward: true },
  stateUnknown: { status: 400, canForward: false },
  foreignIssuer: { status: 400, canForward: false },
  exchangeFailed: { status: 502, canForward: false },
  serviceSilent: { status: 503, canForward: false },
  noOfflineAccess: { status: 409, canForward: false },
  scopeMissing: { status: 409, canForward: false },
  noOrganisation: { status: 409, canForward: false },
  severalOrganisations: { status: 409, canForward: false },
  organisationUnconfirmed: { status: 409, canForward: false },
  organisationTaken: { status: 409, canForward: false },
  otherOrganisation: { status: 409, canForward: false },
  foreignOrganisation: { status: 409, canForward: false },
  choiceDeclined: { status: 200, canForward: true },
  choiceExpired: { status: 410, canForward: false },
  overtaken: { status: 409, canForward: false },
};
