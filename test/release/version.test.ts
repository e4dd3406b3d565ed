import { describe, expect, it } from '@jest/globals';
import { compareVersions, isVersion, notesOf, releaseFaults } from '../../scripts/release/version.ts';

describe('a semantic version', () => {
  it.each(['0.1.0', '1.0.0-rc.1', '10.20.30', '1.0.0-alpha-a.b-c'])('is %s', (text) => {
    expect(isVersion(text)).toBe(true);
  });

  it.each(['1.0', 'v1.0.0', '1.0.0-01', '01.0.0', '1.0.0-', '1.0.0-rc..1', '1.0.0+build', ''])(
    'is not "%s"',
    (text) => {
      expect(isVersion(text)).toBe(false);
    },
  );

  it('is ordered before and after others as the specification says', () => {
    // https://semver.org, section 11
    const ordered = [
      '0.9.12',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.10',
      '1.2.0',
    ];
    expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered);
  });
});

const changelog =
  '# Changelog\n\n## Unreleased\n\n## 1.0.0-rc.1 - 2026-12-01\n\n- All.\n\n## [0.1.0]\n\nFirst.\n';

describe('the notes of a release', () => {
  it('are what the changelog says under exactly its version', () => {
    expect(notesOf(changelog, '1.0.0-rc.1')).toBe('- All.');
    expect(notesOf(changelog, '0.1.0')).toBe('First.');
    expect(notesOf(changelog, '1.0.0')).toBeUndefined();
    expect(notesOf(changelog, 'Unreleased')).toBeUndefined();
  });
});

describe('a release', () => {
  const ready = { version: '1.0.0-rc.1', tags: ['v0.1.0', 'vague'], notes: 'All.', isClean: true };

  it('is made from a clean tree, with notes, and a version later than every other', () => {
    expect(releaseFaults(ready)).toEqual([]);
  });

  it.each([
    ['of a version that is none', { version: '1.0' }, '1.0 in package.json is no semantic version'],
    ['of the version that was released last', { tags: ['v1.0.0-rc.1'] }, '1.0.0-rc.1 is released already'],
    ['of an earlier version', { tags: ['v1.0.0', 'v0.9.0'] }, '1.0.0 is released already'],
    ['without notes', { notes: undefined }, 'nothing under "## 1.0.0-rc.1"'],
    ['of changes that are not committed', { isClean: false }, 'not committed'],
  ])('is refused %s', (_why, facts, words) => {
    expect(releaseFaults({ ...ready, ...facts })).toEqual([expect.stringContaining(words)]);
  });
});
