import { costRows } from '../../tables/cost.ts';
import { always } from '../columns.ts';
import { area } from '../operation.ts';
import { resource } from '../resource.ts';
import { moment } from '../values.ts';

export const costs = area(
  'Costs (catalogue)',
  resource({
    kind: 'cost',
    rows: costRows,
    schema: 'CostItem',
    path: '/costs',
    word: 'cost item',
    examples: {
      create: { name: 'Cedar', code: 'C1', unitCost: 12.5, unitPrice: 20, supplierUUID: '{supplier}' },
      update: { unitPrice: 22 },
    },
    deletion: 'Costs of jobs that were made from it stay.',
    computed: { deletedAt: always(moment.nullable(), null) },
  }),
);
