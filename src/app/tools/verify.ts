import type { Account } from '../../features/accounts/account.ts';
import { wordsOf } from '../../lib/log/log.ts';
import { nearest } from '../../lib/text/nearest.ts';
import { Refusal } from '../../lib/log/terminal.ts';
import type { VerifyResult } from '../../proof/verify/verify.ts';
import { proofWords, surfaces, type Verification } from '../../proof/verify/model.ts';
import { reportFiles } from '../../proof/verify/report/files.ts';
import { leftWords } from '../../proof/verify/report/text.ts';
import { counted } from '../../lib/text/counted.ts';
import { plainText } from '../../lib/text/plain-text.ts';
import type { Binding } from '../../upstream/organisation.ts';
import { verifyOf, type WantedVerification, type WrittenVerification } from '../wiring/features/verify.ts';
import type { Services } from '../wiring/services.ts';
import type { Deeds } from './deeds.ts';
import { checkNewFolder, writeFolder } from './new-folder.ts';

/** Verifies the mapping for one organisation. Throws `Refusal`. */
export async function verifyMapping(
  services: Services,
  deeds: Deeds,
  { organisation, ...wanted }: WantedVerification,
): Promise<VerifyResult> {
  const { account, binding } = await boundTo(services, organisation);
  const { disposableOrganisations } = services.settings;
  if (wanted.writes) checkDisposable(binding, organisation, disposableOrganisations);
  return deeds.do('verify', account, async () => {
    const run = await verifyOf(services, { ...wanted, account, binding });
    const result = await run.run();
    const { findings, writes, incomplete } = result.verification;
    return [
      result,
      `${incomplete === undefined ? 'done' : 'incomplete'}: ${findings.length} differences, ${writes ? 'with writes' : 'reads only'}`,
    ];
  });
}

/** The id is in the settings, and the name was typed exactly: neither happens by accident. */
function checkDisposable({ organisation }: Binding, typed: string, disposable: readonly string[]): void {
  const { id, name } = organisation;
  if (!disposable.includes(id))
    throw new Refusal(
      `${name} is not marked as disposable, so nothing is written there. Writing creates, changes and deletes records; if nobody needs the records of ${name}, add its id ${id} to CAUSEWAY_DISPOSABLE_ORGANISATIONS`,
    );
  if (typed !== name)
    throw new Refusal(
      `to write, give the organisation’s own name, exactly: --organisation ${JSON.stringify(name)}`,
    );
}

/** The account through which an organisation is asked: preferably one whose V1 still answers. */
async function boundTo(
  { store }: Services,
  wanted: string,
): Promise<{ readonly account: Account; readonly binding: Binding }> {
  const accounts = await store.accounts.list(['consented', 'migrated']);
  const bound = accounts.flatMap((account) =>
    'binding' in account.life ? [{ account, binding: account.life.binding }] : [],
  );
  const found = bound.filter(
    ({ binding: { organisation } }) => organisation.name === wanted || organisation.id === wanted,
  );
  const ids = [...new Set(found.map(({ binding }) => binding.organisation.id))];
  if (ids.length > 1)
    throw new Refusal(
      `several organisations are named ${JSON.stringify(wanted)}; use the id: ${ids.join(', ')}`,
    );
  const chosen = found.toSorted((a, b) => rank(a.account) - rank(b.account))[0];
  if (chosen !== undefined) return chosen;
  const near = nearest(wanted, [...new Set(bound.map(({ binding }) => binding.organisation.name))]);
  const hint =
    near.length === 0
      ? 'an account has to be connected with it by a consent'
      : `did you mean ${near.join(' or ')}?`;
  throw new Refusal(`no account is connected with an organisation ${JSON.stringify(wanted)}; ${hint}`);
}

const rank = ({ life }: Account): number => (life.stage === 'consented' ? 0 : 1);

/** Verifies, and writes the report into its folder, which is checked before the first call. Throws `Refusal`. */
export async function writeVerification(
  verify: () => Promise<VerifyResult>,
  out: string | undefined,
  now: number,
): Promise<WrittenVerification> {
  const folder = out ?? `causeway-verify-${new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '')}`;
  await checkNewFolder(folder);
  const { verification, golden, ...patches } = await verify();
  const summary = summaryOf(verification);
  const json = `${JSON.stringify(verification, undefined, 2)}\n`;
  try {
    await writeFolder(folder, reportFiles(verification, patches, golden));
  } catch (error) {
    const refusal = new Refusal(`the report cannot be written to ${folder}: ${wordsOf(error)}`);
    // Not thrown: the summary would be lost, and nothing else names the records that the run leaves.
    return { summary, json, words: refusal.message };
  }
  const report = `${folder}/report.md`;
  return { summary: `${summary}Report: ${report}\n`, json, words: wordsFor(verification, `see ${report}`) };
}

/** Why the run fails; undefined: nothing differs, and each read was answered. */
function wordsFor({ incomplete, findings, doubts }: Verification, see: string): string | undefined {
  if (incomplete !== undefined) return `the report is incomplete: ${incomplete}; ${see}`;
  if (findings.length > 0)
    return `the service differs from the mapping: ${counted(findings.length, 'difference')}, ${see}`;
  return doubts.length > 0 ? `the mapping is not proven: ${doubts.join(', and ')}; ${see}` : undefined;
}

/** A line for each API, and one for each difference. */
function summaryOf({ organisation, proofs, findings, left }: Verification): string {
  const lines = surfaces.map((surface) => {
    const own = proofs.filter((proof) => proof.surface === surface);
    const counts = Map.groupBy(own, ({ state }) => state);
    const texts = Array.from(counts, ([state, those]) => `${those.length} ${proofWords[state]}`);
    return `  ${surface.toUpperCase()}: ${counted(own.length, 'method')}: ${texts.join(', ')}`;
  });
  const shown = findings.map(
    ({ surface, row, expected, found, edits }) =>
      `  ${surface.toUpperCase()} ${row}: ${expected} → ${found ?? 'nothing'}${edits.length === 0 ? ' (not corrected by the patch)' : ''}`,
  );
  return [
    plainText(organisation.name),
    ...lines,
    ...(shown.length === 0 ? [] : ['Differences', ...shown.map(plainText)]),
    ...(left === undefined ? [] : [leftWords(left)]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}
