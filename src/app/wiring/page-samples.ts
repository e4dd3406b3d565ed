import type { PageSamples } from '../../features/admin/texts/samples.ts';
import { Pages } from '../../http/customer/pages.ts';
import { previewsOf } from '../../http/customer/previews.ts';
import type { Services } from './services.ts';
import { wordingOf } from './features/mail.ts';

/** The customers' pages, for editors of their texts. */
export function pageSamplesOf(services: Services): PageSamples {
  const pages = new Pages(wordingOf(services));
  return {
    labels: (section) => previewsOf(section).map(({ label }) => label),
    html({ section, variant, language, texts }, now) {
      const preview = previewsOf(section)[variant];
      if (preview === undefined) throw new Error(`there is no page ${variant} of ${section}`);
      return pages.preview(preview, language, texts, now);
    },
  };
}
