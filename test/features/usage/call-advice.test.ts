import { describe, expect, it } from '@jest/globals';
import { adviceFor, remedyOf } from '../../../src/features/usage/call-advice.ts';
import { causeOf } from '../../../src/features/usage/call-log.ts';
import { failedWith } from '../../../src/http/legacy/told.ts';
import { failures, type FailureCode } from '../../../src/lib/failure.ts';
import { deliveredMapping } from '../../support/mapping.ts';
import { callRecord } from '../../db/records.ts';

describe('a failed call', () => {
  it('with a code that only a later release knows is shown by that code', () => {
    const later = 'codeOfTheFuture' as FailureCode;
    const call = callRecord('a', { failed: true, failure: later });
    expect([causeOf(call), remedyOf(call), adviceFor(later)]).toEqual([later, undefined, undefined]);
    const known = callRecord('a', { failed: true, failure: 'busy' });
    expect([causeOf(known), remedyOf(known)]).toEqual([failures.busy.text, adviceFor('busy')?.remedy]);
  });

  it('on V1 is the fault of the call if the bridge itself would refuse it after the move', () => {
    const of = (words: string) =>
      failedWith(
        undefined,
        `<Response><Status>ERROR</Status><ErrorDescription>${words}</ErrorDescription></Response>`,
      );
    const lacking =
      'Message not in expected format. The following required element was missing - /Client/Name';
    const unknown = [...deliveredMapping().kinds.values()].map(({ error }) => error);
    for (const words of [...unknown, lacking, 'Invalid owner', 'The client name is required'])
      expect(of(words)).toEqual({ failed: true, failure: 'refused', told: words, isOfCall: true });
    expect(of('The parameter from is required')).toMatchObject({ failure: 'missingRange', isOfCall: true });
    for (const words of ['Invalid value for from', 'The job has an invalid client identifier'])
      expect(of(words)).toEqual({ failed: true, failure: 'refused', told: words });
  });
});
