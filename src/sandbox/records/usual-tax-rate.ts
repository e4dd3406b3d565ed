/** Percent; for lines that say nothing of tax. */
export const usualTaxRate = '15.00';
