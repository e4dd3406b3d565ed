import { z } from 'zod';
import { areaBeyond, one, shape } from '../operation.ts';
import { id, text } from '../values.ts';

/** Nothing is known of the real answer: who has how much to do is what can be told from tasks and their allocations. */
const plan = shape(
  'CapacityPlan',
  z.strictObject({
    staff: z.array(
      z.strictObject({ uuid: id, name: text, allocatedMinutes: z.int(), actualMinutes: z.int() }),
    ),
  }),
);

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
      return {
        staff: staff.map(({ uuid, name }) => ({
          uuid,
          name,
          allocatedMinutes: (allocations.get(uuid) ?? []).reduce(
            (sum, { fields }) => sum + fields.allocatedMinutes,
            0,
          ),
          actualMinutes: (times.get(uuid) ?? []).reduce((sum, { fields }) => sum + fields.minutes, 0),
        })),
      };
    },
  }),
]);
