// What the service does by itself from time to time.
export { repeat } from './repeat.ts';
