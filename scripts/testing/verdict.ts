/** The exit code of a run. In CI (`CI` is set), missing programs are a failure: skipped suites prove nothing. */
export const exitCodeOf = (jest: number, missing: readonly string[], isRequired: boolean): number =>
  jest === 0 && isRequired && missing.length > 0 ? 1 : jest;
