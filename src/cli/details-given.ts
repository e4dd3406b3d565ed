import { Option, type Command } from 'commander';
import { products, type Product } from '../upstream/organisation.ts';
import type { GivenDetails } from '../features/accounts/details-check.ts';

/** The options that describe an account beyond its keys. */
export interface DetailOptions {
  readonly contact?: string;
  readonly email?: string;
  readonly language?: string;
  readonly zone?: string;
  readonly phone?: string;
  readonly organisation?: string;
  readonly organisationId?: string;
  readonly notes?: string;
  readonly tags?: string;
}

/** Adds the options to `accounts add` and `accounts set`. */
export const withDetails = (command: Command): Command =>
  command
    .option('--email <address>', 'address for invitations: one plain address')
    .option('--contact <name>', 'name of the contact person')
    .option('--language <code>', 'language of its e-mails, such as en or de')
    .option(
      '--zone <zone>',
      'time zone of the customer, such as Pacific/Auckland: for sending hours and times in e-mails',
    )
    .option('--phone <number>', 'telephone number of the contact person')
    .option('--organisation <name>', 'name of the customer’s organisation')
    .option('--organisation-id <id>', 'id of that organisation, if known')
    .option('--tags <tags>', 'words for grouping accounts, separated by spaces or commas')
    .option('--notes <text>', 'for your own use');

/** `--product`; `words` describes it. */
export const productOption = (words = 'which product of the service'): Option =>
  new Option('--product <product>', words).choices(products);

/** `--application`; `words` describes it. */
export const applicationOption = (words = 'which OAuth application it belongs to'): Option =>
  new Option('--application <name>', words);

/** The value of `--product`; undefined if it was not given. */
export interface ProductOption {
  readonly product?: Product;
}

/** Converts the options to the names of the accounts feature; options not given leave the detail as it is. */
export const detailsGiven = (options: DetailOptions): GivenDetails => ({
  contactName: options.contact,
  email: options.email,
  language: options.language,
  zone: options.zone,
  phone: options.phone,
  organisationName: options.organisation,
  organisationId: options.organisationId,
  tags: options.tags,
  notes: options.notes,
});
