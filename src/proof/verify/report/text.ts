/** The report of `causeway verify` for people: what to do first, then the findings, then every method. */
import { counted } from '../../../lib/text/counted.ts';
import {
  findingWords,
  proofWords,
  surfaces,
  type LeftRecord,
  type Proof,
  type Surface,
  type Verification,
} from '../model.ts';

/** Writes the report as Markdown. */
export function reportText(run: Verification): string {
  return [
    ...head(run),
    ...foundLines(run),
    ...limitLines(run),
    ...notProven(run),
    ...methodLines(run),
    ...remarkLines(run),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function head({
  at,
  version,
  organisation,
  account,
  writes,
  calls,
  proofs,
  findings,
  doubts,
  incomplete,
  triedCorrections,
  left,
}: Verification): readonly string[] {
  const counts = surfaces.map((surface) => {
    const { methods, proven } = countsOn(surface, proofs);
    return `| ${surface.toUpperCase()} | ${calls[surface]} | ${methods} | ${proven} | ${findings.filter((one) => one.surface === surface).length} |`;
  });
  return [
    `# What the service says of the mapping, ${at.slice(0, 10)}`,
    '',
    incomplete === undefined
      ? summary({ findings, doubts, proofs })
      : `**Incomplete: ${incomplete}.** What follows was seen until then. ${triedCorrections === true ? 'Corrections were tried, but not to the end' : 'No correction was tried'}, so the patch is empty: verify again.`,
    '',
    `Causeway ${version} asked for the organisation ${organisation.name} (${organisation.id}), account ${account}, ${at}; ${writes ? 'reads and writes' : 'reads only'}.`,
    '',
    ...(left === undefined ? [] : [`${leftWords(left)}.`, '']),
    '| | calls | methods | proven | differences |',
    '|---|---|---|---|---|',
    ...counts,
    '',
  ];
}

/** What a run may have left in the organisation, without the full stop. */
export function leftWords(left: readonly LeftRecord[]): string {
  const groups = Map.groupBy(
    left,
    ({ method, surface, isClosed }) =>
      `${method} on ${surface.toUpperCase()}${isClosed === true ? ' (closed)' : ''}`,
  );
  const counts = Array.from(groups, ([words, own]) => `${own.length} of ${words}`);
  return `Records that the run created may remain, named \`Causeway verify\`, a number and the time: ${counts.join(', ')}`;
}

/** The next steps in one paragraph, because an operator reads no further if nothing differs. */
function summary({ findings, doubts, proofs }: Pick<Verification, 'findings' | 'doubts' | 'proofs'>): string {
  if (findings.length === 0 && doubts.length > 0)
    return `**No difference was seen, but ${doubts.join(', and ')}:** see *Not proven*. \`mappings.patch\` notes the day of what is proven.`;
  if (findings.length === 0)
    return `**The mapping is right in everything that was seen: ${provenWords(proofs)}.** \`mappings.patch\` notes the day.`;
  const open = findings.filter(({ edits }) => edits.length === 0).length;
  const corrected = findings.length - open;
  const rest =
    open === 0
      ? ''
      : ` ${counted(open, 'difference')} ${open === 1 ? 'needs' : 'need'} more than the mapping: please send this folder to whoever maintains Causeway.`;
  return `**${counted(findings.length, 'difference')}; the patch corrects ${corrected === findings.length ? (corrected === 1 ? 'it' : 'all') : corrected}.** Apply it with \`patch -p1 -d MAPPINGS < mappings.patch\`, and with \`patch PROFILE < profile.patch\` where there is one, then verify again.${rest}${doubts.map((words) => ` Besides, ${words}.`).join('')}`;
}

/** `V3 112 of 121 methods, V2 98 of 104`; V1 is not called once the account has moved. */
function provenWords(proofs: readonly Proof[]): string {
  const called = surfaces.filter((surface) =>
    proofs.some((proof) => proof.surface === surface && proof.calls > 0),
  );
  const counts = called.map((surface) => {
    const { methods, proven } = countsOn(surface, proofs);
    return `${surface.toUpperCase()} ${proven} of ${counted(methods, 'method')}`;
  });
  return `proven are on ${counts.join(', on ')}`;
}

/** The numbers of an API's methods, and of those that are proven. */
function countsOn(
  surface: Surface,
  proofs: readonly Proof[],
): Readonly<Record<'methods' | 'proven', number>> {
  const own = proofs.filter((proof) => proof.surface === surface);
  return { methods: own.length, proven: own.filter(({ state }) => state === 'proven').length };
}

function foundLines({ findings }: Verification): readonly string[] {
  if (findings.length === 0) return [];
  return [
    '## Differences',
    '',
    ...findings.flatMap((finding) => [
      `- **${finding.surface.toUpperCase()}, ${finding.row}: ${findingWords[finding.kind]}.** The mapping says \`${finding.expected}\`, ${finding.found === undefined ? 'and the service has nothing in its place' : `the service \`${finding.found}\``}: ${finding.because}. ${finding.edits.length === 0 ? 'Not corrected by the patch.' : 'Corrected by the patch.'}${finding.methods.length === 0 ? '' : ` Methods: ${finding.methods.join(', ')}.`}`,
    ]),
    '',
  ];
}

function limitLines({ limits }: Verification): readonly string[] {
  if (limits.length === 0) return [];
  return [
    '## Limits and pages',
    '',
    '| | what | the mapping | the service |',
    '|---|---|---|---|',
    ...limits.map(
      ({ surface, what, expected, found }) =>
        `| ${surface.toUpperCase()} | ${what} | ${expected} | ${found} |`,
    ),
    '',
  ];
}

/** Grouped by reason, because one reason often applies to many methods. */
function notProven({ proofs }: Verification): readonly string[] {
  const groups = Map.groupBy(
    proofs.filter(({ state }) => state !== 'proven' && state !== 'differs'),
    ({ state, words }) => (words === '' ? proofWords[state] : `${proofWords[state]}: ${words}`),
  );
  if (groups.size === 0) return [];
  return [
    '## Not proven',
    '',
    ...Array.from(groups, ([words, own]) => `- ${words}: ${methodsText(own)}`),
    '',
  ];
}

/** Limit of methods named here; the table of methods has the others. */
const MOST_NAMED = 20;

const methodsText = (proofs: readonly Proof[]): string =>
  proofs.length > MOST_NAMED
    ? counted(new Set(proofs.map(({ method }) => method)).size, 'method')
    : proofs.map(({ method, surface }) => `${method} (${surface.toUpperCase()})`).join(', ');

function methodLines({ proofs }: Verification): readonly string[] {
  const methods = Map.groupBy(proofs, ({ method }) => method);
  const cell = (own: readonly Proof[], surface: Proof['surface']): string => {
    const proof = own.find((one) => one.surface === surface);
    if (proof === undefined) return '–';
    const names = proof.seen + proof.unseen.length;
    return names === 0 || proof.state !== 'proven'
      ? proofWords[proof.state]
      : `proven, ${proof.seen} of ${names} names`;
  };
  return [
    '## Methods',
    '',
    'Names that no record of the organisation has a value for cannot be proven; `report.json` lists them.',
    '',
    '| method | V1 | V3 | V2 |',
    '|---|---|---|---|',
    ...Array.from(
      methods,
      ([id, own]) => `| ${id} | ${cell(own, 'v1')} | ${cell(own, 'v3')} | ${cell(own, 'v2')} |`,
    ),
    '',
  ];
}

function remarkLines({ remarks }: Verification): readonly string[] {
  if (remarks.length === 0) return [];
  return [
    '## Remarks',
    '',
    'The bridge serves these calls all the same.',
    '',
    ...remarks.map(({ surface, row, words }) => `- ${surface.toUpperCase()}, ${row}: ${words}`),
    '',
  ];
}
