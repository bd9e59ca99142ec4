export type { Place } from './passing-list.ts';
export { PassingList } from './passing-list.ts';
