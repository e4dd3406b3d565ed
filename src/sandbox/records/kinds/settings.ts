import type {
  templateCostRows,
  templateMilestoneRows,
  templateTaskRows,
} from '../../tables/catalogue/settings.ts';
import type { FieldsOf } from '../../tables/table.ts';

/** What a job gets when the template is applied. */
export interface TemplateFields {
  readonly tasks: readonly (FieldsOf<typeof templateTaskRows> & { readonly name: string })[];
  readonly milestones: readonly FieldsOf<typeof templateMilestoneRows>[];
  readonly costs: readonly FieldsOf<typeof templateCostRows>[];
  readonly toDos: readonly string[];
}
