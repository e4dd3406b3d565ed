import type { ApplicationUse } from '../../features/accounts/model.ts';
import type { ApplicationNames } from '../../upstream/application.ts';
import { missingAmong } from '../wiring/application-check.ts';
import { counted } from '../../lib/text/counted.ts';
import { failed, ok, warning, type Verdict } from './model.ts';

/** Whether every account's application is in the settings; closed accounts do not count. */
export function judgeApplications(
  uses: readonly ApplicationUse[],
  names: ApplicationNames,
): Verdict | readonly Verdict[] {
  const { all } = names;
  const missing = missingAmong(uses, names);
  if (missing.length === 0) return ok(all.length === 1 ? 'one application' : all.join(', '));
  return missing.map(({ application, accounts, connected }) => {
    const words = `${application} is not in the settings, but is the application of ${counted(accounts, 'account')}`;
    const remedy = 'put it back into CAUSEWAY_APPLICATIONS_FILE (docs/deploy/applications.md)';
    return connected === 0
      ? warning(`${words}: nobody can connect them`, `${remedy}, or give them another`)
      : failed(`${words}, ${connected} of them connected: no instance starts`, remedy);
  });
}
