/** Templates of the customers' pages. */
export type PageName =
  | 'home'
  | 'connection'
  | 'embedded'
  | 'connect'
  | 'choose'
  | 'connected'
  | 'awaiting'
  | 'refused'
  | 'gone'
  | 'message'
  | 'unsubscribe';
