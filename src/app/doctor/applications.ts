import type { ApplicationUse } from '../../features/accounts/model.ts';
import { ApplicationNames } from '../../upstream/application.ts';
import type { Settings } from '../settings/model.ts';
import { failed, ok, warning, type Verdict } from './model.ts';

/** The applications of the settings by name. */
export const applicationNamesOf = ({ oauth }: Settings): ApplicationNames =>
  new ApplicationNames(oauth?.applications);

/** Whether every account's application is in the settings; closed accounts do not count. */
export function judgeApplications(
  uses: readonly ApplicationUse[],
  { all }: ApplicationNames,
): Verdict | readonly Verdict[] {
  const missing = uses.filter(({ application }) => !all.includes(application));
  if (missing.length === 0) return ok(all.length === 1 ? 'there is one' : all.join(', '));
  return missing.map(({ application, accounts, connected }) => {
    const words = `${application} is not in the settings, and ${accounts} accounts belong to it`;
    const remedy = 'put it back into CAUSEWAY_APPLICATIONS_FILE (docs/deploy/applications.md)';
    return connected === 0
      ? warning(`${words}: nobody can connect them`, `${remedy}, or give them another`)
      : failed(`${words}, ${connected} of them connected: no instance starts`, remedy);
  });
}
