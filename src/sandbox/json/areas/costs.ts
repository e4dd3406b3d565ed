import { costRows } from '../../tables/catalogue/cost.ts';
import { always } from '../record/columns.ts';
import { area } from '../operation/operation.ts';
import { resource } from '../operation/resource.ts';
import { moment } from '../record/values.ts';

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
