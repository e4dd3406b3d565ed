import type { Migration } from '../migrate.ts';
import { books } from './0001-books.ts';
import { campaign } from './0002-campaign.ts';

/** In order; append only. */
export const migrations: readonly Migration[] = [books, campaign];
