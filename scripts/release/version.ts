/** A semantic version (https://semver.org, section 2 and 9); build metadata is not used here. */
const form =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-z-][\da-z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-z-][\da-z-]*))*))?$/i;

/** Whether the text is a version. */
export const isVersion = (text: string): boolean => form.test(text);

/**
 * Negative if `a` precedes `b`, by section 11: numbers by size, a release candidate before its release. Both must be
 * versions.
 */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)];
  return (
    compareLists(one.numbers, other.numbers) ||
    Number(one.before.length === 0) - Number(other.before.length === 0) ||
    compareLists(one.before, other.before)
  );
}

interface Parts {
  readonly numbers: readonly string[];
  readonly before: readonly string[];
}

function partsOf(version: string): Parts {
  const [, major = '', minor = '', patch = '', before] = form.exec(version) ?? [];
  return { numbers: [major, minor, patch], before: before?.split('.') ?? [] };
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [index, one] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareOne(one, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareOne(one: string, other: string): number {
  const [isNumber, otherIsNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && otherIsNumber) return Number(one) - Number(other);
  // A number precedes a word.
  if (isNumber !== otherIsNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}

/**
 * The section of CHANGELOG.md under `## VERSION`, which may be followed by a date. Undefined: there is none, or it is
 * empty.
 */
export function notesOf(changelog: string, version: string): string | undefined {
  const [, ...sections] = changelog.split(/^## /m);
  const found = sections.find((section) => /^\[?([^\s\]]+)/.exec(section)?.[1] === version);
  const notes = found?.slice(found.indexOf('\n')).trim();
  return notes === '' ? undefined : notes;
}

/** Reasons against a release of this version, each as a sentence. */
export function releaseFaults(facts: {
  readonly version: string;
  /** The names in git: `v1.0.0`. */
  readonly tags: readonly string[];
  readonly notes: string | undefined;
  readonly isClean: boolean;
}): readonly string[] {
  const { version, tags, notes, isClean } = facts;
  if (!isVersion(version)) return [`${version} in package.json is no semantic version`];
  const released = tags.map((tag) => tag.replace(/^v/, '')).filter(isVersion);
  const newest = released.toSorted(compareVersions).at(-1);
  return [
    ...(newest !== undefined && compareVersions(version, newest) <= 0
      ? [`${newest} is released already: package.json must name a later version than ${version}`]
      : []),
    ...(notes === undefined ? [`CHANGELOG.md has nothing under "## ${version}"`] : []),
    ...(isClean ? [] : ['there are changes that are not committed']),
  ];
}
