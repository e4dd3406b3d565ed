import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../operation/call.ts';
import { areaBeyond, one, shape } from '../operation/operation.ts';
import { id, text } from '../record/values.ts';

/** The workload of each member, as far as tasks and their allocations tell; the real answer is not known. */
const plan = shape(
  'CapacityPlan',
  z.strictObject({
    staff: z.array(
      z.strictObject({ uuid: id, name: text, allocatedMinutes: z.int(), actualMinutes: z.int() }),
    ),
  }),
);

/** Work on a deleted job or a deleted task no longer counts, even if the work itself was not deleted. */
async function livingWork(
  call: JsonCall,
  allocations: readonly StoredRecord<'jobTaskStaff'>[],
  times: readonly StoredRecord<'time'>[],
): Promise<(work: Pick<StoredRecord, 'owner'>) => boolean> {
  const tasks = await call.records.referred('jobTask', allocations, ({ owner }) => owner);
  const jobs = await call.records.referred('job', [...tasks.values(), ...times], ({ owner }) => owner);
  return ({ owner = '' }) => {
    const task = tasks.get(owner);
    const job = jobs.get(task?.owner ?? owner);
    return task?.isDeleted !== true && job?.isDeleted === false;
  };
}

export const capacity = areaBeyond('Capacity', [
  one({
    id: 'v2.capacity-plan.get',
    method: 'GET',
    path: '/capacity-plan',
    summary: 'Capacity plan',
    response: plan,
    serve: async (call) => {
      const staff = await call.records.all('staff');
      const uuids = staff.map(({ uuid }) => uuid);
      const allocations = await call.records.joinedTo('jobTaskStaff', uuids);
      const times = await call.records.joinedTo('time', uuids);
      const isLiving = await livingWork(call, [...allocations.values()].flat(), [...times.values()].flat());
      return {
        staff: staff.map(({ uuid, name }) => ({
          uuid,
          name,
          allocatedMinutes: (allocations.get(uuid) ?? [])
            .filter(isLiving)
            .reduce((sum, { fields }) => sum + fields.allocatedMinutes, 0),
          actualMinutes: (times.get(uuid) ?? [])
            .filter(isLiving)
            .reduce((sum, { fields }) => sum + fields.minutes, 0),
        })),
      };
    },
  }),
]);
