import { describe, expect, it } from '@jest/globals';
import type { ReportedAccount, StatusReport } from '../../../src/features/status/model.ts';
import { statusReportHtml } from '../../../src/features/status/report/html.ts';
import { DAY, HOUR } from '../../../src/lib/time/clock.ts';
import { RealBrowser } from '../../support/browser.ts';
import { chromiumPath } from '../../support/chromium-path.ts';
import { line, NOW, statusReportOf } from './rows.ts';

const accounts = [
  line({ id: 'm', name: 'Harbour Lane Studio', stage: 'migrated', grantId: 'g' }),
  line({ id: 'c', name: 'Quiet Corner Accountants & Partners', stage: 'consented', grantId: 'g' }),
  line({
    id: 'a',
    name: 'Silent Hill Surveyors',
    stage: 'awaiting-operator',
    organisation: 'Silent Hill Ltd',
  }),
].map((one) => ({ ...one, lastCallAt: NOW - 23 * HOUR }));

const plain: StatusReport = statusReportOf({
  accounts,
  grants: [{ id: 'g', state: 'held', renewedAt: NOW - 15 * DAY, since: undefined, nextAt: undefined }],
  calls: accounts.map(({ id }) => ({
    ...{ accountId: id, calls: 21_234, errors: 1_132, v1Calls: 21_200, v1Hour: NOW },
    sinceStage: { calls: 0, errors: 0 },
  })),
});

const readiness: ReportedAccount['readiness'] = {
  v3: {
    ...{ state: 'not-ready', missed: 3, assumed: 12, verified: 3 },
    words: 'client.get: Client/TaxAgent is not in the reply',
  },
  v2: { state: 'not-enough-seen', missed: 0, words: null, assumed: 4, verified: 0 },
};

/** Every column has something to show. */
const full: StatusReport = {
  ...plain,
  accounts: plain.accounts.map((account) => ({
    ...{ ...account, readiness, unlearned: 1_012 },
    invitation: { state: 'opened', issuedAt: null, expiresAt: null },
    next: {
      ...{ action: 'invite', by: 'operator', words: 'invite the customer' },
      at: new Date(NOW + DAY).toISOString(),
    },
    parity: {
      ...{ at: new Date(NOW).toISOString(), verdict: 'different', words: 'answers differ' },
      ...{ compared: 11_412, alike: 11_400, open: 12, reads: 11_412, trend: [] },
    },
  })),
};

(chromiumPath() === undefined ? describe.skip : describe)('the status report in a browser', () => {
  it('shows every column in a window of 1280 pixels, without scrolling sideways', async () => {
    await using browser = await RealBrowser.start();
    const page = await browser.page();
    await page.setContent(statusReportHtml(full));
    const table = page.getByRole('region', { name: 'Accounts' });
    const { width = 0 } = (await table.boundingBox()) ?? {};
    expect((await table.getByRole('table').boundingBox())?.width).toBeLessThanOrEqual(width);
    expect(width).toBeGreaterThan(1_000);
  });
});
