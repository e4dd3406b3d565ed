/** The form of a UUID, in small letters or capitals. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text has the form of a UUID. */
export const isUuid = (text: string): boolean => UUID.test(text);
