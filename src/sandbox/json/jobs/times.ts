import type { TimeFields } from '../../records/kinds/jobs.ts';

/** Left out where they hold no value. */
export const startAndFinish = ({
  start,
  end,
}: Pick<TimeFields, 'start' | 'end'>): { readonly startTime?: string; readonly finishTime?: string } => ({
  ...(start !== '' && { startTime: start }),
  ...(end !== '' && { finishTime: end }),
});
