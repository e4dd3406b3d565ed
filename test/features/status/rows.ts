import type { AccountLine, StatusRows } from '../../../src/features/status/report-rows.ts';
import type { StatusReport } from '../../../src/features/status/model.ts';
import { DAY } from '../../../src/lib/time/clock.ts';
import { statusReport, type StatusReportOptions } from '../../../src/features/status/report/report.ts';

export const NOW = Date.parse('2026-11-20T12:00:00Z');

export const noRows: StatusRows = {
  accounts: [],
  invitations: [],
  grants: [],
  runs: [],
  messages: [],
  calls: [],
  hindrances: [],
  v1Refused: new Map(),
  approvedElsewhere: new Map(),
  unlearned: new Map(),
  identified: new Set(),
  verdicts: new Map(),
  forecasts: new Map(),
  parities: new Map(),
  watches: new Map(),
  waves: [],
  days: [],
  moves: [],
};

export const line = (changes: Partial<AccountLine> = {}): AccountLine => ({
  id: 'a1',
  name: 'Old Mill',
  product: 'standard',
  application: 'default',
  origin: 'added',
  stage: 'legacy',
  stageSince: NOW - 3 * DAY - 1,
  lastCallAt: undefined,
  grantId: undefined,
  organisation: undefined,
  organisationId: undefined,
  lostReason: undefined,
  hasApiKey: true,
  hasAddress: true,
  suppressed: undefined,
  language: undefined,
  tags: undefined,
  ...changes,
});

export const statusReportOf = (
  rows: Partial<StatusRows>,
  options: Partial<StatusReportOptions> = {},
): StatusReport =>
  statusReport(
    { ...noRows, ...rows },
    {
      now: NOW,
      refreshLife: 60 * DAY,
      v1End: undefined,
      mails: true,
      language: 'en',
      v1: { answers: true, numbers: true },
      ...options,
    },
  );

/** Names somebody chose to do harm with. */
export const hostileNames = [
  '=HYPERLINK("http://evil.example","Click")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  '＝1+1',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style></title><svg onload=alert(1)>',
  '\u001b[2J\u001b]0;owned\u0007',
  'a\u009b31mb',
  'safe\u202egnp.exe',
  '\u2066isolated\u2069\u200f',
  'two\nlines, "quoted"',
  '{{constructor.constructor("x")()}}',
  '日本語の会社株式会社',
  'مكتب المحاسبة',
] as const;
