/** Called with what is being done, and how far it is. */
export type Progress = (words: string, done: number, of: number) => void;
