import type { LossRow } from './case.ts';

type Words = Pick<LossRow, 'loss' | 'of'>;

const masked = (method: string, words: Words, ...elements: readonly string[]): readonly LossRow[] =>
  elements.map((mask) => ({ method, ...words, how: { mask } }));

/** The time of day of a note. */
const timeless: Words = { loss: 'A note has a date but no time of day, unless V1 told it before the move.' };
const noComments: Words = {
  loss: 'Notes in lists have no comments, and no author unless the author is a member of staff.',
};
const folder: Words = { loss: 'Folder is a phase of the job: a name that matches no phase is left out.' };
const author: Words = { loss: 'The author is the person who gave consent, not API.' };

export const jobLosses: readonly LossRow[] = [...masked('job.current', noComments, 'Job/Notes/Comments')];

export const jobWriteLosses: readonly LossRow[] = [
  {
    case: 'a new job under a number of its own, from a template',
    method: 'job.add',
    loss: 'V2 demands a status, a priority, a start and an end: where V1 has none, the first planned status, the priority in v2.yaml, today, and the start date are sent.',
    how: { mask: 'Job/DueDate' },
  },
];

export const jobPartLosses: readonly LossRow[] = [
  ...masked('job.get', timeless, 'Job/Notes/Date'),
  ...masked('job.get', { ...folder, of: 'job.note.add' }, 'Job/Notes/Folder'),
  ...masked('job.get', { ...author, of: 'job.note.add' }, 'Job/Notes/CreatedBy'),
  ...masked('job.documents', { ...folder, of: 'job.document.add' }, 'Document/Folder'),
  ...masked('job.documents', { ...author, of: 'job.document.add' }, 'Document/CreatedBy'),
];
