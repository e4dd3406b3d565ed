import type { SeedJob, SeedLead, SeedTime } from '../schema.ts';
import { message } from './clients.ts';
import { day, DAY, moment, YOUNGEST } from './days.ts';
import { priorities, staffNames, supplierNames, taskNames } from './foundation.ts';
import type { SeededRandom } from './seeded-random.ts';
import { awkwardTexts, trades } from './words.ts';

const FIRST_JOB = 100_001;

/** A job of the client, with tasks, costs, milestones and notes. */
export function generateJob(random: SeededRandom, client: string, index: number): SeedJob {
  const number = `J${FIRST_JOB + index / 2}`;
  const staff = random.pick(staffNames);
  const start = YOUNGEST - random.integer(0, 700) * DAY;
  return {
    number,
    name: `${random.pick(trades)} for ${client}`.slice(0, 120).toWellFormed(),
    client,
    description: 'As quoted:\n- design\n- <build> & test',
    clientOrderNumber: random.pick(awkwardTexts),
    // The first is in progress, so that a list of current jobs is not empty.
    state: index === 0 ? 'In Progress' : random.pick(['Planned', 'In Progress', 'Completed']),
    createdAt: moment(start - 3 * DAY),
    category: 'Residential',
    budget: `${random.integer(1, 50)}00.5`,
    startDate: day(start),
    dueDate: day(start + 30 * DAY),
    manager: random.pick(staffNames),
    assigned: [staff],
    ...(index % 8 === 0 && {
      milestones: [
        { description: 'Drawings <approved>', date: day(start + 10 * DAY), completed: random.is(0.5) },
        { description: 'Handed over', date: day(start + 30 * DAY) },
      ],
      notes: [
        {
          title: 'Site & access',
          text: 'Key at the office.\nMind the <dog>.',
          date: moment(start),
          createdBy: staff,
          comments: [{ text: 'Key is back', date: moment(start + DAY), createdBy: staffNames[0] }],
        },
      ],
    }),
    ...(index === 0 && { documents: [message] }),
    tasks: [
      {
        name: taskNames[0],
        task: taskNames[0],
        estimatedMinutes: random.integer(1, 40) * 15,
        startDate: day(start),
        dueDate: day(start + 14 * DAY),
        assigned: [{ staff }],
        customFields: [
          { name: 'Head count', value: 2 },
          { name: 'Newsletter', value: false },
        ],
      },
      { name: taskNames[2], task: taskNames[2], estimatedMinutes: 60, completed: random.is(0.5) },
    ],
    costs: [
      {
        description: 'Timber',
        code: 'T&1',
        date: day(start),
        quantity: random.integer(1, 9),
        unitCost: '12.50',
        unitPrice: 20,
        supplier: supplierNames[0],
        customFields: [{ name: 'Credit limit', value: '-12.5' }],
      },
    ],
    customFields: [
      { name: 'Renewal', value: day(start) },
      { name: 'Reference', value: '1e5' },
    ],
  };
}

/** Time spent on the first task of the job. */
export const generateTime = (random: SeededRandom, job: SeedJob): SeedTime => ({
  job: job.number ?? '',
  task: taskNames[0],
  staff: random.pick(staffNames),
  date: job.startDate ?? day(YOUNGEST),
  minutes: random.integer(1, 32) * 15,
  note: 'Drawings & calls',
  customFields: [{ name: 'Head count', value: 1 }],
});

/** A lead of the client. */
export const generateLead = (random: SeededRandom, client: string): SeedLead => ({
  name: `Extension for ${client}`.slice(0, 120).toWellFormed(),
  client,
  owner: random.pick(staffNames),
  estimatedValue: random.integer(1, 90) * 1_000,
  date: day(YOUNGEST - random.integer(0, 300) * DAY),
  category: 'Referral',
  activities: [{ subject: 'Call back', date: '2026-01-15', responsible: staffNames[0] }],
  history: [{ date: '2025-12-01T09:00:00Z', type: 'Created', staff: staffNames[0], detail: 'By telephone' }],
  customFields: [{ name: 'Priority', value: random.pick(priorities) }],
});
