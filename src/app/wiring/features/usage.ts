import { callsToV3, losses } from '../../../mapping/compile/describe.ts';
import { ReadinessJob } from '../../../features/usage/readiness/readiness-job.ts';
import { ReadinessRules } from '../../../features/usage/readiness/readiness.ts';
import type { Services } from '../services.ts';

/** The mapping's rules for readiness, computed on first use and kept. */
export function readinessRulesOf({ mapping, snapshot }: Services): () => ReadinessRules {
  let rules: ReadinessRules | undefined;
  return () => (rules ??= new ReadinessRules(mapping.methods, snapshot.keptAs));
}

/** Computes readiness for the status report. */
export function readinessJobOf(services: Services): ReadinessJob {
  const { store, mapping, snapshot, clock, log } = services;
  return new ReadinessJob({
    use: store.usage.stored,
    repository: store.accounts,
    rules: readinessRulesOf(services),
    version: () =>
      JSON.stringify([snapshot.keptAs, mapping.methods.map((one) => [one.id, losses(one), callsToV3(one)])]),
    clock,
    log,
  });
}
