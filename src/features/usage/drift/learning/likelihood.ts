/** Below this, chance is no longer a credible explanation: one in a thousand. */
export const UNLIKELY = 0.001;
/** Larger numbers make no difference to the result. */
const MOST = 2_000;

/**
 * How likely it is that none of the next `then` records has something that `seen` of `of` had. Nothing is assumed
 * about the share beyond what these records show, so that few of them prove little: the rule of succession (Laplace),
 * which is the beta-binomial distribution with a uniform prior.
 */
export function likelihoodOfNone(seen: number, of: number, then: number): number {
  let likelihood = 1;
  for (let next = 0; next < Math.min(then, MOST) && likelihood > UNLIKELY / 1_000; next += 1)
    likelihood *= (of - seen + 1 + next) / (of + 2 + next);
  return likelihood;
}
