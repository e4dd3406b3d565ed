import { expect, it } from '@jest/globals';
import { lineOf } from '../../../src/features/admin/campaign/sending.ts';
import { line, NOW, statusReportOf } from '../status/rows.ts';

it('the reason says that somebody approved the organisation with the link of another account', () => {
  const approved = 'One Ltd was approved with the link of Two (a2)';
  const { accounts } = statusReportOf({
    accounts: [line()],
    v1Refused: new Map([['a1', NOW]]),
    approvedElsewhere: new Map([['a1', approved]]),
  });
  expect(accounts[0]?.stuck).toMatchObject({
    reason: 'v1-refuses',
    detail: expect.stringContaining(approved) as unknown,
  });
});

it('the list of customers to call says who declined, also where V1 refuses the keys', () => {
  const { accounts } = statusReportOf({
    accounts: [line()],
    v1Refused: new Map([['a1', NOW]]),
    hindrances: [{ accountId: 'a1', kind: 'consent', at: NOW, detail: 'declined' }],
  });
  const [account] = accounts;
  expect(account && lineOf(account, 'v1-refuses').words).toBe(
    'V1 refuses its keys and nobody has consented, so its calls fail: the customer declined',
  );
});
