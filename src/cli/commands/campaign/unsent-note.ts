import type { Tools } from '../../../app/tools/model.ts';
import type { Terminal } from '../../../lib/log/terminal.ts';
import { ACKNOWLEDGE, doubtOf } from '../../../tokens/deployment/deployment.ts';

/** Says why e-mails that a command queues stay where they are: no bridge sends any while its database is in doubt. */
export async function noteUnsent(
  { deployment }: Pick<Tools, 'deployment'>,
  terminal: Terminal,
): Promise<void> {
  const doubt = doubtOf(await deployment.look());
  if (doubt !== undefined)
    terminal.err(
      `note: no e-mail is sent until you acknowledge this database (${ACKNOWLEDGE}): ${doubt.words}\n`,
    );
}
