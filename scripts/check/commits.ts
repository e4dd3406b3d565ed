import { spawnSync } from 'node:child_process';

/** Messages of commits after this one must have the form that CONTRIBUTING.md describes. */
const FIRST = 'c1181a8';
const SUBJECT =
  /^(?:feat|fix|perf|refactor|test|docs|build|ci|chore|style|revert)(?:\([a-z0-9-]+\))?!?: \S.{0,99}$/;
const FIELD = '\u0001';
const END = '\u0002';

export interface Commit {
  readonly hash: string;
  readonly subject: string;
  readonly body: string;
}

/** Reports a missing type, a subject that is too long, or a missing reason. */
export const messageFaults = (commits: readonly Commit[]): readonly string[] =>
  commits.flatMap(({ hash, subject, body }) => [
    ...(SUBJECT.test(subject) ? [] : [`${hash}: the subject is not "type(scope): what changes": ${subject}`]),
    ...(body.trim() === '' ? [`${hash}: the body that says why is missing: ${subject}`] : []),
  ]);

/** The commits in the available history: a package without one, or a shallow clone, has none or few. */
export function commitsSince(project: string): readonly Commit[] {
  const git = (...args: readonly string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', args, { cwd: project, encoding: 'utf8' });
    return status === 0 ? stdout : undefined;
  };
  const range =
    git('cat-file', '-e', `${FIRST}^{commit}`) === undefined ? ['-1', 'HEAD'] : [`${FIRST}..HEAD`];
  const log = git('log', '--no-merges', `--format=%h${FIELD}%s${FIELD}%b${END}`, ...range) ?? '';
  return log
    .split(END)
    .map((entry) => entry.trim().split(FIELD))
    .filter(([hash]) => hash !== undefined && hash !== '')
    .map(([hash = '', subject = '', body = '']) => ({ hash, subject, body }));
}
