import { expect, it } from '@jest/globals';
import { consentEvents } from '../../../src/features/consent/model.ts';
import { shownTimeline } from '../../../src/features/status/timeline.ts';

const HOUR = 3_600_000;

it.each([
  ['a return without a connection, then the reason', ['declined', 'denied'], ['declined']],
  ['the same answer twice', ['declined', 'declined'], ['declined']],
  ['two answers, perhaps of two persons', ['declined', 'noPrivilege'], ['declined', 'noPrivilege']],
  [
    'two answers with a return each',
    ['declined', 'denied', 'noPrivilege', 'denied'],
    ['declined', 'noPrivilege'],
  ],
  ['a reason before a return', ['denied', 'declined'], ['denied', 'declined']],
  ['another refusal', ['declined', 'foreignOrganisation'], ['declined', 'foreignOrganisation']],
] as const)('a timeline shows %s, newest first', (_, details, shown) => {
  const entries = details.map((detail, place) => ({ kind: consentEvents.refused, at: -place, detail }));
  expect(shownTimeline(entries).map(({ detail }) => detail)).toEqual(shown);
});

it('a timeline shows answers that are an hour apart', () => {
  const entries = [HOUR, 0].map((at) => ({ kind: consentEvents.refused, at, detail: 'declined' }));
  expect(shownTimeline(entries)).toHaveLength(2);
});
