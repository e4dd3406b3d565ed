/** `causeway report send`: the status report by e-mail, out of turn and to whoever is named. */
import { parseAddress } from '../../features/accounts/details.ts';
import { Refusal } from '../../lib/log/terminal.ts';
import { weeklyReportOf } from '../wiring/features/weekly-report.ts';
import type { Services } from '../wiring/services.ts';
import { AT_TERMINAL, type Tools } from './model.ts';

/**
 * Audited before it leaves, because it names every account. Nothing is sent if one of the addresses is none. Throws
 * `Refusal`.
 */
export const sendReportOf =
  (services: Services): Tools['sendReport'] =>
  async (to) => {
    const { settings, store, clock } = services;
    const report = weeklyReportOf(services);
    if (report === undefined)
      throw new Refusal('no mail server is configured: CAUSEWAY_SMTP_URL and CAUSEWAY_MAIL_FROM name one');
    const wanted = to ?? settings.weeklyReport.to;
    if (wanted.length === 0)
      throw new Refusal('nobody gets the report: give --to ADDRESS, or set CAUSEWAY_REPORT_TO');
    const plain = wanted.map(plainAddress);
    const entry = { who: AT_TERMINAL, action: 'report.send', accountIds: [] };
    await store.audit.write({ at: clock.now(), ...entry, detail: `to ${plain.join(', ')}` });
    return report.sendTo(plain);
  };

/** As it is sent to. Throws `Refusal`. */
function plainAddress(text: string): string {
  const address = parseAddress(text);
  if (address === undefined) throw new Refusal(`${JSON.stringify(text)} is no plain e-mail address`);
  return address;
}
