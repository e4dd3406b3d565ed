/**
 * The exit code of a run. In CI (`CI` is set), what could not be had is a failure: suites that were skipped have
 * shown nothing.
 */
export const exitCodeOf = (jest: number, missing: readonly string[], isRequired: boolean): number =>
  jest === 0 && isRequired && missing.length > 0 ? 1 : jest;
