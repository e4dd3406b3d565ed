import type { ConsentRefusal } from '../domain/consent.ts';

/** A page in fixed words: nothing of what came in the address is ever repeated. */
export interface Message extends Readonly<Record<string, unknown>> {
  readonly status: number;
  readonly title: string;
  readonly lines: readonly string[];
}

export const messages = {
  later: {
    status: 503,
    title: 'Please try again in a few minutes',
    lines: [
      'Your records are still being prepared for the move, which cannot be taken back. Nothing has been changed.',
      'Your link is still good: please open it again in a few minutes.',
    ],
  },
  nothing: {
    status: 200,
    title: 'There is nothing to show here',
    lines: ['If you have just authorised a connection, it is in place. You can close this page.'],
  },
  questionOver: {
    status: 404,
    title: 'This question is no longer open',
    lines: [
      'It was answered already, has waited too long, or belongs to another browser.',
      'If the connection was made, there is nothing else to do. Otherwise please open the link you were sent once more: it is still good.',
    ],
  },
  fresh: {
    status: 200,
    title: 'Thank you',
    lines: [
      'If your link was one of ours and is still needed, a fresh one is on its way to the address that the first one was sent to. It should arrive within a few minutes.',
      'Please look into the folder for unwanted mail, too. You can close this page.',
    ],
  },
  missing: {
    status: 404,
    title: 'There is no such page',
    lines: ['Please check the address.'],
  },
  trouble: {
    status: 500,
    title: 'Something went wrong',
    lines: [
      'We could not complete this step.',
      'Nothing has been changed, and your link is still good: open it again and press the button once more.',
    ],
  },
} as const satisfies Readonly<Record<string, Message>>;

/** What a customer is told when a consent connected nothing: what was missing, and what to do about it. */
export interface RefusalWords {
  readonly status: number;
  readonly title: string;
  readonly missing: string;
  readonly todo: readonly string[];
  /** Somebody else may have to do it. */
  readonly canForward: boolean;
}

const privilege =
  'Only an administrator who holds the privilege “Authorise 3rd Party Full Access” can approve. An administrator grants it in the staff settings of the service, among the API access privileges.';
const right = 'Try again, and choose the organisation whose data your programs use.';

export const refusalWords: Readonly<Record<ConsentRefusal, RefusalWords>> = {
  denied: {
    status: 200,
    title: 'The connection was not approved',
    missing:
      'The request was declined, so nothing was connected. That is all right: you can decide again at any time.',
    todo: [
      'If you declined by mistake, or want to think it over, your link stays good.',
      `If the service told you that you do not have access, this is why: ${privilege}`,
    ],
    canForward: true,
  },
  noPrivilege: {
    status: 403,
    title: 'Your sign-in may not approve this',
    missing: 'The service does not let the person who signed in open this organisation to other programs.',
    todo: [privilege, 'When the privilege is there, try again; or forward the link to somebody who has it.'],
    canForward: true,
  },
  stateUnknown: {
    status: 400,
    title: 'This step could not be matched to your browser',
    missing: 'It took too long, was completed already, or was begun in another browser.',
    todo: ['Open the link you were sent once more, in this browser, and press the button again.'],
    canForward: false,
  },
  foreignIssuer: {
    status: 400,
    title: 'The answer came from somewhere else',
    missing: 'Another service than the one you were sent to answered, so the answer was not used.',
    todo: [
      'Open the link you were sent once more and press the button again. Please tell us if you see this twice.',
    ],
    canForward: false,
  },
  exchangeFailed: {
    status: 502,
    title: 'The approval could not be completed',
    missing: 'The service did not confirm the approval. This is usually over in a minute.',
    todo: ['Try again. If it happens twice, please tell the people who sent you the link.'],
    canForward: false,
  },
  serviceSilent: {
    status: 503,
    title: 'The service does not answer at the moment',
    missing:
      'We could not make sure that this is the right organisation, and do not connect what we are not sure of.',
    todo: ['Try again in a few minutes.'],
    canForward: false,
  },
  noOfflineAccess: {
    status: 409,
    title: 'The approval was for 30 minutes only',
    missing:
      'The connection needs lasting access; otherwise your programs would stop working within the hour.',
    todo: ['Try again, and leave the request for lasting (“offline”) access as it is.'],
    canForward: false,
  },
  scopeMissing: {
    status: 409,
    title: 'A permission is missing',
    missing: 'Not everything that your programs need was approved.',
    todo: ['Try again, and approve all the permissions that are listed.'],
    canForward: false,
  },
  noOrganisation: {
    status: 409,
    title: 'No organisation was chosen',
    missing: 'The approval does not name an organisation.',
    todo: [right],
    canForward: false,
  },
  severalOrganisations: {
    status: 409,
    title: 'Several organisations were chosen',
    missing: 'It must be certain which organisation belongs to this account.',
    todo: [right],
    canForward: false,
  },
  organisationUnconfirmed: {
    status: 409,
    title: 'The organisation was not confirmed',
    missing: 'It must be certain which organisation belongs to this account.',
    todo: [right],
    canForward: false,
  },
  organisationTaken: {
    status: 409,
    title: 'This organisation is connected already',
    missing: 'It belongs to another account here, and an organisation can belong to one account only.',
    todo: [right],
    canForward: false,
  },
  otherOrganisation: {
    status: 409,
    title: 'This is another organisation',
    missing: 'This account is connected to a different organisation, and that cannot be changed.',
    todo: ['Try again, and choose the same organisation as before.'],
    canForward: false,
  },
  foreignOrganisation: {
    status: 409,
    title: 'This is not the organisation of this account',
    missing: 'It knows none of the clients your programs work with.',
    todo: [right],
    canForward: false,
  },
  choiceDeclined: {
    status: 200,
    title: 'Nothing was connected',
    missing: 'You chose none of the organisations, and the approval you gave has been discarded.',
    todo: [right],
    canForward: true,
  },
  choiceExpired: {
    status: 410,
    title: 'The question has waited too long',
    missing: 'The approval you gave has been discarded, and nothing was connected.',
    todo: ['Try again.'],
    canForward: false,
  },
  overtaken: {
    status: 409,
    title: 'Somebody else was faster',
    missing: 'Another approval connected this account while yours was checked. Yours has been discarded.',
    todo: ['There is nothing else to do.'],
    canForward: false,
  },
};
