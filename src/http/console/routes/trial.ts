import type { MappingTrial } from '../../../mapping/mapping-trial.ts';
import { sentenceOf } from '../../../lib/text/sentence.ts';
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import type { ConsolePages } from '../pages.ts';

export interface TrialParts {
  readonly admin: Pick<AdminService, 'routes'>;
  readonly pages: ConsolePages;
}

/** In bytes: a form with a sample of a long list. */
export const LONGEST_SAMPLE = 1024 * 1024;

interface Given {
  readonly method: string;
  readonly kind: 'json' | 'xml';
  readonly sample: string;
  readonly query: string;
}

const EMPTY: Given = { method: 'client.list', kind: 'json', sample: '', query: '' };

/** Shows the result of a method's mapping for a sample, without calling any service. */
export class TrialScreen {
  readonly #parts: TrialParts;

  constructor(parts: TrialParts) {
    this.#parts = parts;
  }

  show(visit: Visit): void {
    this.#send(visit, 200, { given: { ...EMPTY, method: visit.query.get('method') ?? EMPTY.method } });
  }

  /** Nothing is stored. */
  async run(deed: Deed): Promise<void> {
    const { form } = deed;
    const given: Given = {
      method: (form.get('method') ?? '').trim(),
      kind: form.get('kind') === 'xml' ? 'xml' : 'json',
      sample: form.get('sample') ?? '',
      query: form.get('query') ?? '',
    };
    try {
      const trial: MappingTrial = await this.#parts.admin.routes.try(given.method, {
        [given.kind]: given.sample,
        query: [...new URLSearchParams(given.query)],
      });
      this.#send(deed, 200, { given, trial });
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
      this.#send(deed, 400, { given, problem: sentenceOf(error.message) });
    }
  }

  #send(
    { response, session }: Visit,
    status: number,
    values: { readonly given: Given; readonly trial?: MappingTrial; readonly problem?: string },
  ): void {
    const { admin, pages } = this.#parts;
    const methods = admin.routes.methods();
    const method = methods.find(({ id }) => id === values.given.method);
    pages.send(response, status, 'trial', { title: 'Mapping', session, methods, method, ...values });
  }
}
