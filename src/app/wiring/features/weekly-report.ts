import { SmtpLine } from '../../../features/campaign/mail/line.ts';
import { WeeklyReport } from '../../../features/status/weekly/weekly-report.ts';
import { driftSentence } from '../../../features/usage/drift/words.ts';
import { publicUrl } from '../addresses.ts';
import type { Services } from '../services.ts';
import { statusOf } from './status.ts';

/**
 * The status report by e-mail; undefined if no mail server is configured. Each sending has its own connection: once a
 * week there is none to share. It needs no V3: a bridge that only passes calls through to V1 has a report, too.
 */
export function weeklyReportOf(services: Services): WeeklyReport | undefined {
  const { settings, store, random, clock, log } = services;
  const { mail } = settings;
  if (mail === undefined) return undefined;
  return new WeeklyReport({
    ...settings.weeklyReport,
    from: mail.from,
    console: `${publicUrl(settings)}/_causeway/console`,
    zone: settings.zone,
    status: statusOf(services),
    async drift() {
      const open = (await store.usage.drift.alarms()).filter(({ state }) => state === 'open');
      return open.map((alarm) => driftSentence(alarm, clock.now()));
    },
    weeks: store.settings,
    open: () => new SmtpLine(mail.server),
    random,
    clock,
    log,
  });
}
