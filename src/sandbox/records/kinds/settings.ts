import type {
  templateCostRows,
  templateMilestoneRows,
  templateTaskRows,
} from '../../tables/catalogue/settings.ts';
import type { FieldsOf } from '../../tables/table.ts';

/** The contents that applying the template adds to a job. */
export interface TemplateFields {
  readonly tasks: readonly (FieldsOf<typeof templateTaskRows> & { readonly name: string })[];
  readonly milestones: readonly FieldsOf<typeof templateMilestoneRows>[];
  readonly costs: readonly FieldsOf<typeof templateCostRows>[];
  readonly toDos: readonly string[];
}
