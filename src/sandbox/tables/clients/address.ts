import { textRows } from '../table.ts';

/** Where somebody is, and where letters go. */
export const addressRows = textRows(
  'address',
  'city',
  'region',
  'postCode',
  'country',
  'postalAddress',
  'postalCity',
  'postalRegion',
  'postalPostCode',
  'postalCountry',
);
