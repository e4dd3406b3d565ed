import { choice, count, money, title } from '../form.ts';
import { everywhere, rowsOf } from '../table.ts';

export const clientTypeRows = rowsOf(
  everywhere('name', title),
  everywhere('costMarkup', money, { v2: { name: 'markup' } }),
  everywhere('paymentTerm', choice(['DayOfMonth', 'WithinDays'], 'WithinDays')),
  everywhere('paymentDay', count(20)),
);
