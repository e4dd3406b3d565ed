import { statusReportSchema, type StatusReport } from '../../features/status/model.ts';
import { filterText } from '../../features/status/report/filter-text.ts';
import type { WantedView } from '../../features/status/status.ts';
import type { Secret } from '../../lib/secret/secret.ts';

const PATIENCE = 30_000;

/** The reason why a running bridge could not provide the report, as text. */
class NoStatusReport extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'NoStatusReport';
  }
}

/** The status report of a running bridge, with the wanted accounts. Throws `NoStatusReport`. */
export async function fetchStatusReport(
  url: string,
  token: Secret,
  { group, ...filter }: WantedView,
): Promise<StatusReport> {
  const root = URL.parse(url);
  if (root === null || !['http:', 'https:'].includes(root.protocol))
    throw new NoStatusReport('--url must be a complete address, beginning with https:// or http://');
  const address = new URL('/_causeway/api/board', root);
  address.search = filterText(filter);
  if (group !== undefined) address.searchParams.set('group', group);
  const answer = await asked(address, token);
  if (answer.status === 404)
    throw new NoStatusReport(
      group === undefined
        ? `${address.host} answers 404: --url must be the address of the bridge’s console`
        : `${address.host} has no group ${group}, or --url is not the address of the bridge’s console`,
    );
  if (answer.status === 401 || answer.status === 403)
    throw new NoStatusReport(
      `${address.host} does not accept the token: causeway tokens list shows what there is`,
    );
  if (answer.status !== 200) throw new NoStatusReport(`${address.host} answers ${answer.status}`);
  const statusReport = statusReportSchema.safeParse(await answer.json().catch(() => undefined));
  if (!statusReport.success)
    throw new NoStatusReport(`${address.host} answers something that is not a status report of this version`);
  return statusReport.data;
}

async function asked(address: URL, token: Secret): Promise<Response> {
  try {
    return await fetch(address, {
      headers: { Authorization: `Bearer ${token.reveal()}`, Accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch (error) {
    // The header must be one line of Latin-1; fetch's message would repeat it.
    if (error instanceof TypeError && error.cause === undefined)
      throw new NoStatusReport('this cannot be a token');
    throw new NoStatusReport(`${address.host} does not answer`);
  }
}
