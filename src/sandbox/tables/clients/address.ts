import { textRows } from '../table.ts';

/** The physical and the postal address. */
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
