import { jobCategories, jobStatuses } from '../areas/settings.ts';
import { area } from '../operation/operation.ts';
import { jobReads, jobWrites } from './jobs.ts';
import { recurringJobs } from './recurring.ts';
import { applyTemplates, jobTemplates } from './templates.ts';

export const jobSettings = area('Job settings', [jobTemplates, jobCategories, jobStatuses]);
export const jobs = area('Jobs', [...jobReads, recurringJobs, ...jobWrites, applyTemplates]);
