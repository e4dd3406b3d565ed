import type { Outcome } from '../migration/consent.ts';

/** A page in fixed words: nothing of what came in the address is ever repeated. */
export interface Message extends Readonly<Record<string, unknown>> {
  readonly status: number;
  readonly title: string;
  readonly lines: readonly string[];
}

const again =
  'Nothing has been changed, and your link is still good: open it again and press the button once more.';

export const messages = {
  /** One page for unknown, expired, used and withdrawn links: the difference is nobody's business. */
  unknown: {
    status: 404,
    title: 'This link does not work',
    lines: [
      'The link is not known, has expired or has been used already.',
      'Please ask the people who sent it to you for a new one.',
    ],
  },
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
  missing: {
    status: 404,
    title: 'There is no such page',
    lines: ['Please check the address.'],
  },
  trouble: {
    status: 500,
    title: 'Something went wrong',
    lines: ['We could not complete this step.', again],
  },
} as const satisfies Readonly<Record<string, Message>>;

/** Everything that may come back instead of a connection. */
export const outcomes: Readonly<Record<Exclude<Outcome['outcome'], 'connected'>, Message>> = {
  attemptUnknown: {
    status: 400,
    title: 'This step could not be matched to your browser',
    lines: [
      'It took too long, was completed already, or was begun in another browser.',
      'Please open the link you were sent again, in this browser, and press the button once more.',
    ],
  },
  denied: {
    status: 200,
    title: 'The connection was not authorised',
    lines: ['You, or the service, declined the request.', again],
  },
  exchangeFailed: {
    status: 502,
    title: 'The authorisation could not be completed',
    lines: ['The service did not confirm the authorisation.', again],
  },
  noOfflineAccess: {
    status: 409,
    title: 'The authorisation is for 30 minutes only',
    lines: [
      'The connection needs lasting access to go on working. Please approve the request for offline access as well.',
      again,
    ],
  },
  noOrganisation: {
    status: 409,
    title: 'No organisation was chosen',
    lines: [
      'The service named no organisation for this authorisation. Please choose yours when you are asked.',
      again,
    ],
  },
  severalOrganisations: {
    status: 409,
    title: 'Several organisations were chosen',
    lines: [
      'It must be certain which organisation belongs to this account. Please choose only that one when you are asked.',
      again,
    ],
  },
  organisationTaken: {
    status: 409,
    title: 'This organisation is connected already',
    lines: [
      'The organisation you chose belongs to another account here. Please choose the organisation of this account.',
      again,
    ],
  },
  foreignOrganisation: {
    status: 409,
    title: 'This is not the organisation of this account',
    lines: [
      'The organisation you chose knows none of the clients this account works with. Please choose the organisation whose data your programs use.',
      again,
    ],
  },
  otherOrganisation: {
    status: 409,
    title: 'This is another organisation',
    lines: [
      'This account is connected to a different organisation, and that cannot be changed. Please choose the same organisation as before.',
      again,
    ],
  },
};
