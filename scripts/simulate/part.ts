/** The options of the command line; each part uses those it knows. */
export interface SimulationOptions {
  readonly seed: number;
  readonly calls: number | undefined;
  readonly model: string | undefined;
  readonly without: string | undefined;
  readonly store: string | undefined;
  readonly weather: string | undefined;
  readonly instances?: number | undefined;
  readonly accounts?: number | undefined;
  /** Called with a line for each episode, and the history of each failure. */
  readonly say: (line: string) => void;
}

/** The findings of a part. A promise that does not concern it counts as kept: 0. */
export interface Findings {
  readonly calls: number;
  readonly kills: number;
  readonly lost: number;
  /** Calls that reached the other side although they could change nothing, or must not have been sent. */
  readonly superfluous: number;
  readonly wronglySettled: number;
  readonly overLimit: number;
  /** The seed of the first failure; without a failure, that of the run. */
  readonly seed: number;
  /** Any other broken promises. */
  readonly violations: number;
}

export interface Part {
  readonly summary: string;
  /** Throws `BadOption`. */
  run(options: SimulationOptions): Promise<Findings>;
}

/** An option with a value that a part does not know. */
export class BadOption extends Error {}

/** The value of an option that takes names; undefined if it was not given. Throws `BadOption`. */
export function chosen<Name extends string>(
  option: string,
  value: string | undefined,
  names: readonly Name[],
): Name | undefined {
  const found = names.find((name) => name === value);
  if (value !== undefined && found === undefined)
    throw new BadOption(`--${option} must be one of ${names.join(', ')}, and is ${value}`);
  return found;
}

/** The initial value of a sum. */
export const nothing: Omit<Findings, 'seed'> = {
  calls: 0,
  kills: 0,
  lost: 0,
  superfluous: 0,
  wronglySettled: 0,
  overLimit: 0,
  violations: 0,
};

export const isBroken = ({ lost, superfluous, wronglySettled, overLimit, violations }: Findings): boolean =>
  lost + superfluous + wronglySettled + overLimit + violations > 0;
